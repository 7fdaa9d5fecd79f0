"""Values on grids in both spaces, for coloured backgrounds."""

import math
from collections.abc import Callable, Mapping

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.models.vae import SideInformationVAE

__all__ = ["coordinates", "landscape"]

_ROOM = 2.0  # of a curve's own size: enough to see the function rise beyond it

Columns = dict[str, Tensor | list[str]]


def landscape(
    model: SideInformationVAE,
    truth: Callable[[Tensor], Tensor],
    x: Float[Tensor, "n 2"],
    codes: Float[Tensor, "n 2"],
    curves: Mapping[str, Tensor],
    grid: int,
) -> Columns:
    """Values over the training square, over the box around its codes, and close to each curve.

    Args:
        model: In float64.
        truth: The function that the property comes from.
        x: Training inputs.
        codes: Where the encoder puts them.
        curves: Level curves (``level``, ``z_1``, ``z_2``).
        grid: Points per side over the square and over the codes; close to a curve half as many.

    Returns:
        ``space`` ("input", "latent", or "curve" for a latent square about a level curve),
        ``level`` of that curve, else NaN, ``row`` and ``column`` in the grid, the coordinates in
        both spaces, ``y`` as predicted there and ``true_y``.
    """
    inputs, latents = _grid_over(x, grid), _grid_over(codes, grid)
    parts = [
        ("input", torch.nan, inputs, model.encode(inputs)),
        ("latent", torch.nan, model.decode(latents), latents),
    ]
    for level in curves["level"].unique().tolist():
        close = _grid_about(curves, level, (grid + 1) // 2)
        parts.append(("curve", level, model.decode(close), close))
    tables = [_table(model, truth, level, x, z) for _, level, x, z in parts]
    return {
        "space": [space for space, _, x, _ in parts for _ in range(len(x))],
        **{name: torch.cat([table[name] for table in tables]) for name in tables[0]},
    }


def _table(
    model: SideInformationVAE,
    truth: Callable[[Tensor], Tensor],
    level: float,
    x: Float[Tensor, "n 2"],
    z: Float[Tensor, "n 2"],
) -> dict[str, Tensor]:
    side = math.isqrt(len(x))
    rank = torch.arange(side)
    return {
        "level": x.new_full((len(x),), level),
        "row": rank.repeat_interleave(side),
        "column": rank.repeat(side),
        **coordinates(x, z),
        "y": model.predict(z),
        "true_y": truth(x),
    }


def _grid_over(points: Float[Tensor, "n 2"], count: int) -> Float[Tensor, "m 2"]:
    return _grid(points.min(0).values, points.max(0).values, count)


def _grid_about(curves: Mapping[str, Tensor], level: float, count: int) -> Float[Tensor, "m 2"]:
    here = curves["level"] == level
    z = torch.stack([curves["z_1"][here], curves["z_2"][here]], -1)
    low, high = z.min(0).values, z.max(0).values
    half = _ROOM * (high - low).max() / 2
    return _grid((low + high) / 2 - half, (low + high) / 2 + half, count)


def _grid(low: Float[Tensor, "2"], high: Float[Tensor, "2"], count: int) -> Float[Tensor, "m 2"]:
    axes = [torch.linspace(a, b, count, dtype=low.dtype) for a, b in zip(low, high, strict=True)]
    return torch.cartesian_prod(*axes)


def coordinates(x: Float[Tensor, "n 2"], z: Float[Tensor, "n 2"]) -> dict[str, Tensor]:
    """The columns of points in both spaces."""
    return {"x_1": x[:, 0], "x_2": x[:, 1], "z_1": z[:, 0], "z_2": z[:, 1]}
