"""Level curves of a model of two variables, in latent and input space (Figures 1 to 4)."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.evaluation.curve_summary import summarise
from gicnn.evaluation.weights import is_input_convex
from gicnn.levelset import Box, LevelSet, LevelSetPoints, find_minimum
from gicnn.models.vae import SideInformationVAE

__all__ = ["LevelCurves", "trace_level_curves"]

_LOG = logging.getLogger(__name__)
_CLOSE = 0.05  # minima this near to each other, in deviations of the codes, are one

Columns = dict[str, Tensor | list[str]]


@dataclass(frozen=True)
class LevelCurves:
    """Tables by column, each column a tensor of one length, and what sums them up."""

    curves: Columns
    landscape: Columns
    minima: Columns
    summary: dict


@torch.no_grad()
def trace_level_curves(
    model: SideInformationVAE,
    truth: Callable[[Tensor], Tensor],
    x: Float[Tensor, "n 2"],
    *,
    true_minima: Sequence[Sequence[float]],
    levels: Sequence[float],
    points: int,
    grid: int,
    starts: int,
    seed: int,
) -> LevelCurves:
    """Find the minimum, walk around it on each level, and map the curves back.

    The minimum is searched within the box of the training codes, so that a model which falls
    without end outside it, as an unconstrained one may, is measured where it was trained.

    Args:
        model: Trained on two inputs, on the CPU; it is turned to float64.
        truth: The function that the property comes from.
        x: Training inputs; they tell the square and where the codes lie.
        true_minima: Where the true function is smallest; points of two coordinates.
        levels: Property values; those at or below the model's minimum have no curve, and
            neither have those that no ray reaches.
        points: Directions on each curve, evenly spread over the angle.
        grid: Points per side of the two landscapes.
        starts: Codes from which the minimum is searched.
        seed: Of the choice of starts.

    Returns:
        The tables that the figures draw, and a summary.
    """
    model.double().eval()
    x = x.double()
    codes = model.encode(x)
    lowest, arrivals = _search(model, codes, starts, seed)
    curves = _curves(model, truth, lowest[0], levels, points)
    landscape = _landscape(model, truth, x, codes, grid)
    minima = _minima(model, lowest, arrivals)
    return LevelCurves(curves, landscape, minima, summarise(curves, minima, x, true_minima))


def _search(
    model: SideInformationVAE, codes: Float[Tensor, "n 2"], starts: int, seed: int
) -> tuple[Float[Tensor, "m 2"], Int[Tensor, "m"]]:
    """Minima inside the box of the codes, lowest first, and how many starts came to each.

    Minima that are close for the codes count as one; on the border of the box a function that
    falls outwards comes to rest, which is no minimum. If there is none inside, the lowest point
    is returned with no starts.
    """
    chosen = torch.randperm(len(codes), generator=torch.Generator().manual_seed(seed))[:starts]
    low, high = codes.min(0).values, codes.max(0).values
    separation = _CLOSE * codes.std().item()
    found = find_minimum(model.convex, codes[chosen], region=Box(low, high), separation=separation)
    margin = 1e-6 * (high - low)
    inside = ((found.distinct > low + margin) & (found.distinct < high - margin)).all(-1)
    if not bool(inside.any()):
        return found.point[None], torch.zeros(1, dtype=torch.int64)
    return found.distinct[inside], found.starts_per_minimum[inside]


def _curves(
    model: SideInformationVAE,
    truth: Callable[[Tensor], Tensor],
    centre: Float[Tensor, "2"],
    levels: Sequence[float],
    count: int,
) -> Columns:
    lowest = model.predict(centre).item()
    convex = is_input_convex(model.convex)
    nowhere = LevelSet(model.predict, lowest + 1, centre).at(centre.new_zeros(0, 1))
    tables = [_curve(model, truth, nowhere, 0)]  # the columns, should there be no curve at all
    for curve, level in enumerate(levels):
        if level <= lowest:
            _LOG.warning("level %g is not above the model's minimum %.3g: no curve", level, lowest)
            continue
        found = LevelSet(model.predict, level, centre, quasi_convex=convex).grid(count)
        tables.append(_curve(model, truth, found, curve))
    return {name: torch.cat([table[name] for table in tables]) for name in tables[0]}


def _curve(
    model: SideInformationVAE,
    truth: Callable[[Tensor], Tensor],
    found: LevelSetPoints,
    curve: int,
) -> Columns:
    """One curve's rows; rays that never reach the level are left out."""
    kept = found.reached
    if not bool(kept.all()):
        _LOG.warning("level %g: %d rays never reach it", found.level, int((~kept).sum()))
    z = found.point[kept]
    x = model.decode(z)
    order = torch.arange(len(kept))[kept]
    return {
        "level": torch.full_like(found.value[kept], found.level),
        "curve": torch.full_like(order, curve),
        "point": order,
        "angle": found.angles[kept, 0],
        "radius": found.radius[kept],
        **_coordinates(x, z),
        "y": found.value[kept],
        "residual": found.residual[kept],
        "true_y": truth(x),
    }


def _landscape(
    model: SideInformationVAE,
    truth: Callable[[Tensor], Tensor],
    x: Float[Tensor, "n 2"],
    codes: Float[Tensor, "n 2"],
    grid: int,
) -> Columns:
    """Regular grids over the training square and over the box around its codes."""
    inputs, latents = _grid_over(x, grid), _grid_over(codes, grid)
    x = torch.cat([inputs, model.decode(latents)])
    z = torch.cat([model.encode(inputs), latents])
    rank = torch.arange(grid)
    return {
        "space": ["input"] * grid**2 + ["latent"] * grid**2,
        "row": rank.repeat_interleave(grid).repeat(2),
        "column": rank.repeat(grid).repeat(2),
        **_coordinates(x, z),
        "y": model.predict(z),
        "true_y": truth(x),
    }


def _grid_over(points: Float[Tensor, "n 2"], count: int) -> Float[Tensor, "m 2"]:
    low, high = points.min(0).values, points.max(0).values
    axes = [
        torch.linspace(a, b, count, dtype=points.dtype) for a, b in zip(low, high, strict=True)
    ]
    return torch.cartesian_prod(*axes)


def _minima(
    model: SideInformationVAE, z: Float[Tensor, "m 2"], arrivals: Int[Tensor, "m"]
) -> Columns:
    return {
        "minimum": torch.arange(len(z)),
        **_coordinates(model.decode(z), z),
        "y": model.predict(z),
        "starts": arrivals,
    }


def _coordinates(x: Float[Tensor, "n 2"], z: Float[Tensor, "n 2"]) -> Columns:
    return {"x_1": x[:, 0], "x_2": x[:, 1], "z_1": z[:, 0], "z_2": z[:, 1]}
