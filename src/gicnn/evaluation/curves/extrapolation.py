"""How far beyond the training square level curves still follow the true function (section 5.1)."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import torch
from jaxtyping import Float
from numpy.typing import ArrayLike
from torch import Tensor

__all__ = ["distance_to_curve", "followed_to", "measure_extrapolation", "quantiles", "reach"]

TrueCurve = Callable[[float, int], ArrayLike]
Columns = dict[str, Tensor | list[str]]

_QUANTILES = {"low": 0.1, "median": 0.5, "high": 0.9}
_EDGE = 1e-6  # curves that run along the square's edge are inside
_CORNERS = 4096  # of the polygon that stands for a true curve
_ROWS = 256  # points compared with that polygon at once


def reach(curves: Mapping[str, Tensor], half_side: float) -> Float[Tensor, "n"]:
    """How far out points lie: the largest coordinate, in half sides of the training square."""
    return torch.maximum(curves["x_1"].abs(), curves["x_2"].abs()) / (half_side * (1 + _EDGE))


def measure_extrapolation(
    curves: Mapping[str, Tensor],
    half_side: float,
    true_curve: TrueCurve | None,
    distances: Sequence[float],
) -> Columns:
    r"""Sum up the error of level curves by distance from the centre of the training square.

    Of all points at about one distance, each weighted by the length of curve it stands for:

    - ``error``: :math:`|y(x) - \alpha|`, in units of y, of the true y and the level α;
    - ``relative_error``: the same over the size of the level, infinite at level 0;
    - ``displacement``: how far the point is from the nearest one of the true function's curve
      of its level, over its own largest coordinate; NaN where that curve has no formula.

    Args:
        curves: Columns ``x_1``, ``x_2``, ``level``, ``true_y`` and ``length``.
        half_side: Of the training square about the origin, in units of x.
        true_curve: Points once around the true curve of a level, as many as asked for.
        distances: Where one range of distances ends and the next begins, rising, in half sides
            of the square; the first range begins at 0, and the last has no end.

    Returns:
        For each quantity and range: ``quantity``, ``distance_from``, ``distance_to``, ``points``,
        ``farthest`` (the distance of the last of them, in half sides), and over them ``mean``,
        ``low``, ``median`` and ``high`` (the 10, 50 and 90 % quantiles); NaN without points.

    Raises:
        ValueError: The distances do not rise.
    """
    bounds = [0.0, *distances, torch.inf]
    if any(nearer >= farther for nearer, farther in pairwise(bounds)):
        raise ValueError(f"distances must rise from above 0, got {list(distances)}")
    error = (curves["true_y"] - curves["level"]).abs()
    measured = {
        "error": error,
        "relative_error": error / curves["level"].abs(),
        "displacement": _displacement(curves, true_curve),
    }
    away = reach(curves, half_side)
    rows = [
        _row(name, values, curves["length"], away, between)
        for name, values in measured.items()
        for between in pairwise(bounds)
    ]
    return {name: _column([row[name] for row in rows]) for name in rows[0]}


def followed_to(table: Mapping[str, Tensor | list[str]], tolerance: float) -> float:
    """The distance up to which the curves are right, in half sides of the training square.

    Range after range, from the inside outwards, the mean relative error stays within the
    tolerance; 0 if it does not even in the first. Ranges without points are passed over, and the
    last one that counts does so as far as its points go.

    Args:
        table: What :func:`measure_extrapolation` returns.
        tolerance: Of the mean error of y, over the level.
    """
    followed = 0.0
    columns = (table[name].tolist() for name in ("points", "mean", "farthest"))
    for name, points, mean, farthest in zip(table["quantity"], *columns, strict=True):
        if name != "relative_error" or not points:
            continue
        if not mean <= tolerance:
            break
        followed = farthest
    return followed


def quantiles(
    values: Float[Tensor, "n"], weights: Float[Tensor, "n"], shares: Sequence[float]
) -> Float[Tensor, "k"]:
    """The smallest values that at least these shares of the weight do not exceed.

    Example:
        >>> quantiles(torch.tensor([3.0, 1.0, 2.0]), torch.tensor([1.0, 1.0, 8.0]), [0.1, 0.5])
        tensor([1., 2.])
    """
    order = values.argsort()
    share = weights[order].cumsum(0) / weights.sum()
    # Rounding must not push a share past the value that reaches it exactly.
    wanted = torch.tensor(shares, dtype=share.dtype) - 1e-6
    return values[order][torch.searchsorted(share, wanted).clamp(max=len(values) - 1)]


def distance_to_curve(
    points: Float[Tensor, "n 2"], corners: Float[Tensor, "m 2"]
) -> Float[Tensor, "n"]:
    """The distance of each point from a closed polygon.

    Example:
        >>> square = torch.tensor([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
        >>> distance_to_curve(torch.tensor([[3.0, 0.5], [0.0, 0.9]]), square)
        tensor([2.0000, 0.1000])
    """
    sides = corners.roll(-1, 0) - corners
    squared = sides.square().sum(-1)
    nearest = []
    for some in points.split(_ROWS):
        away = some[:, None] - corners
        along = ((away * sides).sum(-1) / squared).clamp(0, 1)
        nearest.append((away - along[..., None] * sides).norm(dim=-1).amin(-1))
    return torch.cat([points.new_zeros(0), *nearest])


def _displacement(
    curves: Mapping[str, Tensor], true_curve: TrueCurve | None
) -> Float[Tensor, "n"]:
    points = torch.stack([curves["x_1"], curves["x_2"]], -1)
    found = torch.full_like(curves["level"], torch.nan)
    for level in [] if true_curve is None else curves["level"].unique().tolist():
        here = curves["level"] == level
        true = torch.as_tensor(true_curve(level, _CORNERS)).to(points)
        found[here] = distance_to_curve(points[here], true)
    return found / points.abs().amax(-1)


def _row(
    name: str,
    values: Float[Tensor, "n"],
    weights: Float[Tensor, "n"],
    away: Float[Tensor, "n"],
    between: tuple[float, float],
) -> dict[str, str | float | int]:
    here = (away > between[0]) & (away <= between[1]) & (weights > 0)
    values, weights, away = values[here], weights[here], away[here]
    place = {"quantity": name, "distance_from": between[0], "distance_to": between[1]}
    row = {**place, "points": len(values)}
    if not len(values):
        return row | dict.fromkeys(["farthest", "mean", *_QUANTILES], torch.nan)
    spread = quantiles(values, weights, list(_QUANTILES.values())).tolist()
    mean = ((values * weights).sum() / weights.sum()).item()
    return {
        **row,
        "farthest": away.max().item(),
        "mean": mean,
        **dict(zip(_QUANTILES, spread, strict=True)),
    }


def _column(values: list) -> Tensor | list[str]:
    if isinstance(values[0], str):
        return values
    return torch.tensor(values, dtype=torch.int64 if isinstance(values[0], int) else torch.float64)
