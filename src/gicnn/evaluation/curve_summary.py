"""How well level curves follow the true function."""

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["summarise"]


def summarise(
    curves: Mapping[str, Tensor],
    minima: Mapping[str, Tensor],
    x: Float[Tensor, "n 2"],
    true_minima: Sequence[Sequence[float]],
) -> dict:
    """Numbers of a set of level curves; None where there is nothing to average.

    Args:
        curves: Columns ``x_1``, ``x_2``, ``level`` and ``true_y``.
        minima: Columns ``x_1``, ``x_2``, ``y`` and ``starts``, lowest first; a row that no start
            came to is no minimum.
        x: Training inputs; the square is as large as their largest coordinate.
        true_minima: Where the true function is smallest; points of two coordinates.

    Returns:
        ``minimum`` (the lowest: place, value, distance from the nearest true one),
        ``distinct_minima``, ``minima_from_true`` (the largest such distance of any minimum),
        ``curve_error`` (mean distance of the true y from the level, inside the square, outside it, and beyond
        twice its size), ``outside_share`` and ``farthest`` (the largest coordinate).
    """
    points = torch.stack([curves["x_1"], curves["x_2"]], -1)
    reach = points.abs().amax(-1) / x.abs().max()
    error = (curves["true_y"] - curves["level"]).abs()
    places = torch.stack([minima["x_1"], minima["x_2"]], -1)
    gaps = torch.cdist(places, torch.tensor(true_minima, dtype=places.dtype)).amin(-1)
    arrived = minima["starts"] > 0
    outside = reach > 1 + 1e-6
    return {
        "minimum": {
            "x": places[0].tolist(),
            "y": minima["y"][0].item(),
            "distance_from_true": gaps[0].item(),
        },
        "distinct_minima": int(arrived.sum()),
        "minima_from_true": gaps[arrived].max().item() if bool(arrived.any()) else None,
        "curve_error": {
            "inside": _mean(error[~outside]),
            "outside": _mean(error[outside]),
            "beyond": _mean(error[reach > 2]),
        },
        "outside_share": _mean(outside),
        "farthest": points.abs().max().item() if len(points) else None,
    }


def _mean(values: Tensor) -> float | None:
    return values.double().mean().item() if len(values) else None
