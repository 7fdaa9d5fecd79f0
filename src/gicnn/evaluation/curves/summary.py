"""How well level curves follow the true function."""

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.curves.extrapolation import reach

__all__ = ["summarise"]


def summarise(
    curves: Mapping[str, Tensor],
    minima: Mapping[str, Tensor],
    half_side: float,
    true_minima: Sequence[Sequence[float]],
) -> dict:
    """Numbers of a set of level curves; None where there is nothing to average.

    Args:
        curves: Columns ``x_1``, ``x_2``, ``level``, ``true_y`` and ``length``.
        minima: Columns ``x_1``, ``x_2``, ``y`` and ``starts``, lowest first; a row that no start
            came to is no minimum.
        half_side: Of the training square about the origin, in units of x.
        true_minima: Where the true function is smallest; points of two coordinates.

    Returns:
        ``minimum`` (the lowest: place, value, distance from the nearest true one),
        ``distinct_minima``, ``minima_from_true`` (the largest such distance of any minimum),
        ``curve_error`` (mean distance of the true y from the level over the length of the curves,
        inside the square, outside it, and beyond twice its size), ``outside_share`` (of that
        length) and ``farthest`` (the largest coordinate).
    """
    away, length = reach(curves, half_side), curves["length"]
    error = (curves["true_y"] - curves["level"]).abs()
    places = torch.stack([minima["x_1"], minima["x_2"]], -1)
    gaps = torch.cdist(places, torch.tensor(true_minima, dtype=places.dtype)).amin(-1)
    arrived = minima["starts"] > 0
    return {
        "minimum": {
            "x": places[0].tolist(),
            "y": minima["y"][0].item(),
            "distance_from_true": gaps[0].item(),
        },
        "distinct_minima": int(arrived.sum()),
        "minima_from_true": gaps[arrived].max().item() if bool(arrived.any()) else None,
        "curve_error": {
            "inside": _mean(error, length * (away <= 1)),
            "outside": _mean(error, length * (away > 1)),
            "beyond": _mean(error, length * (away > 2)),
        },
        "outside_share": _mean((away > 1).double(), length),
        "farthest": _largest(curves["x_1"], curves["x_2"]),
    }


def _mean(values: Float[Tensor, "n"], weights: Float[Tensor, "n"]) -> float | None:
    total = weights.sum().item()
    return (values * weights).sum().item() / total if total else None


def _largest(*values: Float[Tensor, "n"]) -> float | None:
    sizes = torch.cat(values).abs()
    return sizes.max().item() if len(sizes) else None
