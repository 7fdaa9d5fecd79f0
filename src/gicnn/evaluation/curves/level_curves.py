"""Level curves of a model of two variables, in latent and input space (Figures 1 to 4)."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.evaluation.certificates.weights import is_input_convex
from gicnn.evaluation.curves.extrapolation import TrueCurve, followed_to, measure_extrapolation
from gicnn.evaluation.curves.landscapes import coordinates, landscape
from gicnn.evaluation.curves.rays import trace_curve
from gicnn.evaluation.curves.summary import summarise
from gicnn.evaluation.latent_minima import find_latent_minima
from gicnn.levelset import LevelSet
from gicnn.models.vae import SideInformationVAE

__all__ = ["LevelCurves", "trace_level_curves"]

_LOG = logging.getLogger(__name__)

Columns = dict[str, Tensor | list[str]]


@dataclass(frozen=True)
class LevelCurves:
    """Tables by column, each column a tensor of one length, and what sums them up."""

    curves: Columns
    landscape: Columns
    minima: Columns
    extrapolation: Columns
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
    rays: int,
    grid: int,
    starts: int,
    seed: int,
    distances: Sequence[float],
    tolerance: float,
    true_curve: TrueCurve | None = None,
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
        points: Directions on each curve that are evenly spread over the angle.
        rays: Further directions on each curve, where its image in the input space has gaps.
        grid: Points per side of the landscapes over all data; close to a curve half as many.
        starts: Codes from which the minimum is searched.
        seed: Of the choice of starts.
        distances: Bounds between ranges of distance from the centre of the square, in half
            sides; within each the error is summed up.
        tolerance: Of the mean error over the level, for a range that counts as followed.
        true_curve: Points once around the true function's curve of a level, as many as asked
            for; None where that has no formula.

    Returns:
        The tables that the figures draw, and a summary.
    """
    model.double().eval()
    x = x.double()
    codes = model.encode(x)
    lowest, arrivals = _search(model, codes, starts, seed)
    half_side = x.abs().max().item()
    sampling = {"points": points, "rays": rays, "half_side": half_side}
    curves = _curves(model, truth, lowest[0], levels, **sampling)
    minima = _minima(model, lowest, arrivals)
    extrapolation = measure_extrapolation(curves, half_side, true_curve, distances)
    return LevelCurves(
        curves=curves,
        landscape=landscape(model, truth, x, codes, curves, grid),
        minima=minima,
        extrapolation=extrapolation,
        summary={
            **summarise(curves, minima, half_side, true_minima),
            "followed_to": followed_to(extrapolation, tolerance),
        },
    )


def _search(
    model: SideInformationVAE, codes: Float[Tensor, "n 2"], starts: int, seed: int
) -> tuple[Float[Tensor, "m 2"], Int[Tensor, "m"]]:
    """Minima of f, lowest first, and how many starts came to each.

    If there is none, the lowest point with no starts.
    """
    generator = torch.Generator().manual_seed(seed)
    found, inside = find_latent_minima(model.convex, codes, starts, generator)
    if not bool(inside.any()):
        return found.point[None], torch.zeros(1, dtype=torch.int64)
    return found.distinct[inside], found.starts_per_minimum[inside]


def _curves(
    model: SideInformationVAE,
    truth: Callable[[Tensor], Tensor],
    centre: Float[Tensor, "2"],
    levels: Sequence[float],
    **sampling: float,
) -> Columns:
    lowest = model.predict(centre).item()
    convex = is_input_convex(model.convex)
    nowhere = LevelSet(model.predict, lowest + 1, centre)
    # The columns, should there be no curve at all.
    tables = [_curve(model, truth, nowhere, 0, **(sampling | {"points": 0, "rays": 0}))]
    for curve, level in enumerate(levels):
        if level <= lowest:
            _LOG.warning("level %g is not above the model's minimum %.3g: no curve", level, lowest)
            continue
        level_set = LevelSet(model.predict, level, centre, quasi_convex=convex)
        tables.append(_curve(model, truth, level_set, curve, **sampling))
    return {name: torch.cat([table[name] for table in tables]) for name in tables[0]}


def _curve(
    model: SideInformationVAE,
    truth: Callable[[Tensor], Tensor],
    level_set: LevelSet,
    curve: int,
    **sampling: float,
) -> Columns:
    traced = trace_curve(level_set, model.decode, **sampling)
    return {
        "level": torch.full_like(traced["y"], level_set.level),
        "curve": torch.full_like(traced["point"], curve),
        **traced,
        "true_y": truth(torch.stack([traced["x_1"], traced["x_2"]], -1)),
    }


def _minima(
    model: SideInformationVAE, z: Float[Tensor, "m 2"], arrivals: Int[Tensor, "m"]
) -> Columns:
    return {
        "minimum": torch.arange(len(z)),
        **coordinates(model.decode(z), z),
        "y": model.predict(z),
        "starts": arrivals,
    }
