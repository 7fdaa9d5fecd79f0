"""Whether descents from many starts end in one minimum (Theorem 3.1, section 3.3)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.evaluation.certificates.checks import Check
from gicnn.evaluation.certificates.surroundings import NEAR, points_around
from gicnn.levelset import Minimum, find_minimum

__all__ = ["minimum_checks", "search_minimum"]


def search_minimum(
    function: nn.Module, codes: Float[Tensor, "n d"], starts: int, generator: torch.Generator
) -> Minimum:
    """Search from random points around the codes; a record full of NaN if f is finite at none."""
    points = points_around(codes, starts, NEAR, generator)
    if not function(points).isfinite().any():
        return _no_minimum(points)
    return find_minimum(function, points)


def minimum_checks(minimum: Minimum) -> list[Check]:
    """Check that there is one minimum, that it is stationary, and that every start finds it."""
    count = len(minimum.ends)
    arrived = minimum.attained and int(minimum.starts_per_minimum.sum()) == count
    gaps = torch.linalg.vector_norm(minimum.ends - minimum.point, dim=-1)
    return [
        Check(
            "unique_minimum",
            f"distinct minima from {count} random starts (0: not every start ends in one)",
            len(minimum.distinct) if arrived else 0,
            "==",
            1,
            "one means one; ends within 0.001 of each other, relative to 1 plus their norm, are "
            "the same",
        ),
        Check(
            "stationary_minimum",
            "norm of the gradient of f at the lowest end",
            minimum.gradient_norm.item(),
            "<=",
            1e-8,
            "rounding leaves about 1e-16 times the slopes of f, and a step along a gradient of "
            "1e-8 changes no digit of a value of order 1",
        ),
        Check(
            "minimum_spread",
            "largest distance of a start's end from the lowest one, relative to 1 plus its norm",
            (gaps / (1 + torch.linalg.vector_norm(minimum.point))).max().item(),
            "<=",
            1e-6,
            "ends differ by the rounding of the gradient over the curvature: about 1e-13 where "
            "that is 0.001",
        ),
    ]


def _no_minimum(starts: Float[Tensor, "n d"]) -> Minimum:
    missing = torch.full_like(starts, torch.nan)
    return Minimum(
        point=missing[0],
        value=missing[0, 0],
        gradient_norm=missing[0, 0],
        attained=False,
        reason="the function is finite at no start",
        ends=missing,
        outcomes=["not finite"] * len(starts),
        distinct=missing[:0],
        starts_per_minimum=torch.zeros(0, dtype=torch.int64),
    )
