"""Paths on a level set between two observed inputs (Figures 5 and 6)."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.levelset import LevelSet, LevelSetPoints, find_minimum
from gicnn.models.vae import SideInformationVAE

__all__ = ["DecodedPath", "follow_path", "latent_minimum"]


@dataclass(frozen=True)
class DecodedPath:
    """A path on a level set and what the decoder makes of it.

    Attributes:
        points: Angles, radii and latent points of each step.
        inputs: Expected inputs, (steps, *shape).
        modes: Most likely inputs, (steps, *shape).
        cycled: Property of the re-encoded expected inputs, (steps,).
    """

    points: LevelSetPoints
    inputs: Tensor
    modes: Tensor
    cycled: Tensor


@torch.no_grad()
def latent_minimum(model: SideInformationVAE, starts: Float[Tensor, "n d"]) -> Float[Tensor, "d"]:
    """The one minimum of f, the centre of all level sets.

    Raises:
        ValueError: It is not attained, with the reason.
    """
    return find_minimum(model.convex, starts).require_attained().point


@torch.no_grad()
def follow_path(
    model: SideInformationVAE,
    centre: Float[Tensor, "d"],
    ends: Float[Tensor, "2 *shape"],
    level: float,
    steps: int,
) -> DecodedPath:
    """Walk from one input to another at a fixed level, linearly in the angles (section 3.3).

    Args:
        model: In float64 and evaluation mode.
        centre: The minimum of f.
        ends: Two inputs; their codes give the directions, the level gives the radius.
        level: In the property's unit.
        steps: Points on the path, ends included.

    Raises:
        ValueError: The level is not above the minimum, or a ray never reaches it.
    """
    start, end = model.encode(ends)
    points = LevelSet(model.predict, level, centre).path(start, end, steps).require_reached()
    parameters = model.decode(points.point)
    inputs = model.likelihood.mean(parameters)
    return DecodedPath(
        points, inputs, model.likelihood.mode(parameters), model.predict(model.encode(inputs))
    )
