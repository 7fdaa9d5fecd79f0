"""Which observed examples a path runs between, by rule."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

__all__ = ["farthest_pair", "nearest_to_level"]


def nearest_to_level(
    y: Float[Tensor, "n"],
    level: float,
    among: Bool[Tensor, "n"] | None = None,
    count: int = 1,
) -> Tensor:
    """Positions of the examples whose property is nearest to a level, nearest first.

    Args:
        y: The property of each example.
        level: In its unit.
        among: Which examples may be chosen; None allows all.
        count: How many are wanted.

    Raises:
        ValueError: There are fewer examples than asked for.
    """
    candidates = torch.arange(len(y)) if among is None else among.nonzero().squeeze(-1)
    if len(candidates) < count:
        raise ValueError(
            f"{count} examples are wanted near {level}, only {len(candidates)} qualify"
        )
    order = (y[candidates] - level).abs().argsort(stable=True)
    return candidates[order[:count]]


def farthest_pair(z: Float[Tensor, "n d"], centre: Float[Tensor, "d"]) -> tuple[int, int]:
    """The two points seen from the centre under the widest angle."""
    directions = torch.nn.functional.normalize(z - centre, dim=-1)
    first, second = divmod(int((directions @ directions.T).argmin()), len(z))
    return min(first, second), max(first, second)
