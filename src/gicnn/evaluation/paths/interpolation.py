"""Paths on a level set between two observed inputs (Figures 5 and 6)."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.levelset import Ball, LevelSet, LevelSetPoints, find_minimum
from gicnn.models.vae import SideInformationVAE

__all__ = ["Centre", "DecodedPath", "find_centre", "follow_path"]

_REACH = 3.0


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


@dataclass(frozen=True)
class Centre:
    """From where level sets are looked at.

    Attributes:
        point: The minimum of f, in the region if there is one.
        region: What rays do not leave; None is all of space.
        reason: Why f has no minimum in all of space, empty if it has.
    """

    point: Float[Tensor, "d"]
    region: Ball | None
    reason: str

    def level_set(self, model: SideInformationVAE, level: float) -> LevelSet:
        """The level set of a property, in its own unit.

        Raises:
            ValueError: The level is not above the minimum.
        """
        return LevelSet(model.predict, level, self.point, region=self.region)

    @property
    def facts(self) -> dict[str, bool | str]:
        """For a summary: whether the minimum is attained, and why not."""
        return {"minimum_attained": self.region is None, "minimum_reason": self.reason}


@torch.no_grad()
def find_centre(model: SideInformationVAE, codes: Float[Tensor, "n d"]) -> Centre:
    """The one minimum of f, the centre of all level sets.

    Without curvature f need not attain it. Then, as section 3.3.1 of the paper proposes, a
    bounded region takes the place of all of space: the ball about the mean of the codes that
    reaches three times as far as the farthest of them.

    Args:
        model: In evaluation mode.
        codes: From which the minimum is searched.
    """
    free = find_minimum(model.convex, codes)
    if free.attained:
        return Centre(free.point, None, "")
    middle = codes.mean(0)
    farthest = (codes - middle).norm(dim=-1).max().clamp_min(1.0).item()
    ball = Ball(middle, _REACH * farthest)
    confined = find_minimum(model.convex, codes, region=ball).require_attained()
    return Centre(confined.point, ball, free.reason)


@torch.no_grad()
def follow_path(
    model: SideInformationVAE,
    centre: Centre,
    ends: Float[Tensor, "2 *shape"],
    level: float,
    steps: int,
) -> DecodedPath:
    """Walk from one input to another at a fixed level, linearly in the angles (section 3.3).

    Args:
        model: In float64 and evaluation mode.
        centre: From where the level set is looked at.
        ends: Two inputs; their codes give the directions, the level gives the radius.
        level: In the property's unit.
        steps: Points on the path, ends included.

    Raises:
        ValueError: The level is not above the minimum, or a ray never reaches it.
    """
    start, end = model.encode(ends)
    points = centre.level_set(model, level).path(start, end, steps).require_reached()
    parameters = model.decode(points.point)
    inputs = model.likelihood.mean(parameters)
    return DecodedPath(
        points, inputs, model.likelihood.mode(parameters), model.predict(model.encode(inputs))
    )
