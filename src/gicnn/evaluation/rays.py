"""Checks of level sets along random rays from the minimum (section 3.3)."""

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.checks import Check
from gicnn.evaluation.weights import is_input_convex
from gicnn.levelset import LevelSet, count_crossings
from gicnn.models.vae import SideInformationVAE

__all__ = ["ray_checks"]

_STEPS = 100  # at which the function is looked at on each ray


def ray_checks(
    model: SideInformationVAE,
    codes: Float[Tensor, "n d"],
    centre: Float[Tensor, "d"],
    rays: int,
    generator: torch.Generator,
) -> list[Check]:
    """Whether each ray reaches the level of the median code, once, and how exactly.

    Args:
        model: In float64.
        codes: Latent codes of examples.
        centre: Where the rays start.
        rays: How many.
        generator: Of their directions.
    """
    convex = is_input_convex(model.convex)
    level = model.predict(codes).median().item()
    points = LevelSet(model.predict, level, centre, quasi_convex=convex).sample(rays, generator)
    reached = points.reached
    directions = _directions(points.point - centre, reached)
    far = 3 * points.radius[reached].max().item() if bool(reached.any()) else 1.0
    crossings = count_crossings(model.predict, centre, directions, level, far=far, steps=_STEPS)
    share = (crossings == 1).sum().item() / rays
    residual = points.residual[reached].abs().max().item() if bool(reached.any()) else float("inf")
    return [
        Check("one_crossing_per_ray", f"share of {rays} rays that cross once", share, "==", 1.0),
        Check(
            "bounded_radius",
            f"share of {rays} rays that reach the level",
            reached.double().mean().item(),
            "==",
            1.0,
        ),
        Check(
            "level_residual",
            "largest distance of a point from its level",
            min(residual, 1e300),
            "<=",
            1e-10 * max(1.0, abs(level)),
        ),
    ]


def _directions(offsets: Tensor, reached: Tensor) -> Tensor:
    kept = offsets[reached]
    return kept / kept.norm(dim=-1, keepdim=True)
