"""Rays that draw a level curve well in latent space and in input space alike."""

import logging
import math
from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.levelset import LevelSet

__all__ = ["trace_curve"]

_LOG = logging.getLogger(__name__)
_ROUNDS = 8
_HALVINGS = 40
_MOST_CUTS = 3  # of one step in one round, lest a jump of the curve take all rays
_JUMP = 10.0  # in mean steps: a step so much wider, where rays cannot close it, is a jump

Columns = dict[str, Tensor]


def trace_curve(
    level_set: LevelSet,
    decode: Callable[[Tensor], Tensor],
    *,
    points: int,
    rays: int,
    half_side: float,
) -> Columns:
    """Go once around a level curve in the plane.

    Rays at even angles may leave wide gaps in the input space, where h has stretched the curve.
    More rays are therefore sent where the image has gaps, in a few rounds: gaps count relative to
    how far out they are, so that the curve is as well resolved near the data as far away.

    Args:
        level_set: In the plane, in latent space.
        decode: From latent space to the input space.
        points: Rays at even angles.
        rays: Further rays.
        half_side: Of the training square about the origin of the input space, in units of x.

    Returns:
        Of the rays that reach the level, by angle: ``point`` (the number of the ray), ``angle``,
        ``radius``, ``x_1``, ``x_2``, ``z_1``, ``z_2``, ``y``, ``residual``, ``length`` of the
        part of the curve, in input space, that the point stands for, and ``goes_on``: whether
        the curve goes on to the next point. It does not where a ray is lost, nor where a level
        set that rays meet more than once makes it jump.
    """
    even = torch.linspace(0, 2 * math.pi, points + 1, dtype=torch.float64)[:-1]
    traced = _send(level_set, decode, even.to(level_set.centre))
    for rounds_left in range(_ROUNDS, 0, -1):
        count = (points + rays - len(traced["angle"])) // rounds_left
        more = _send(level_set, decode, _angles_in_gaps(traced, count, half_side))
        traced = _in_order({name: torch.cat([traced[name], more[name]]) for name in traced})
    lost = int(traced["x_1"].isnan().sum())
    if lost:
        _LOG.warning(
            "level %g: %d of %d rays never reach it", level_set.level, lost, len(traced["x_1"])
        )
    return _reached(traced, half_side)


def _send(
    level_set: LevelSet, decode: Callable[[Tensor], Tensor], angles: Float[Tensor, "n"]
) -> Columns:
    """Rays at these angles; rays that never reach the level have NaN for their point."""
    found = level_set.at(angles[:, None])
    z, x = found.point, torch.full_like(found.point, torch.nan)
    x[found.reached] = decode(z[found.reached])
    coordinates = {"x_1": x[:, 0], "x_2": x[:, 1], "z_1": z[:, 0], "z_2": z[:, 1]}
    values = {"y": found.value, "residual": found.residual}
    return {"angle": angles, "radius": found.radius, **coordinates, **values}


def _angles_in_gaps(traced: Columns, count: int, half_side: float) -> Float[Tensor, "m"]:
    """Angles that cut the widest steps of a curve's image."""
    cuts = _cuts(_relative_steps(_image(traced), half_side).nan_to_num(0.0), count)
    gap = torch.arange(len(cuts)).repeat_interleave(cuts)
    before = (cuts.cumsum(0) - cuts)[gap]
    share = (torch.arange(len(gap)) - before + 1) / (cuts[gap] + 1).to(traced["angle"])
    width = (traced["angle"].roll(-1) - traced["angle"]).remainder(2 * math.pi)
    return traced["angle"][gap] + share * width[gap]


def _cuts(steps: Float[Tensor, "n"], count: int) -> Int[Tensor, "n"]:
    """How often to cut each step, at most ``count`` times in all, so that pieces are small."""

    def into(piece: Tensor) -> Tensor:
        return ((steps / piece).nan_to_num(0.0).ceil() - 1).clamp(0, _MOST_CUTS)

    low, high = steps.sum() * 0, steps.sum()
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        too_many = into(middle).sum() > count
        low, high = torch.where(too_many, middle, low), torch.where(too_many, high, middle)
    return into(high).long()


def _in_order(traced: Columns) -> Columns:
    order = traced["angle"].argsort()
    return {name: values[order] for name, values in traced.items()}


def _reached(traced: Columns, half_side: float) -> Columns:
    x = _image(traced)
    relative = _relative_steps(x, half_side)
    goes_on = relative <= _JUMP * relative.nanmean()
    steps = torch.where(goes_on, _steps(x), 0.0)
    numbered = {
        "point": torch.arange(len(x)),
        **traced,
        "length": (steps + steps.roll(1)) / 2,
        "goes_on": goes_on,
    }
    kept = x[:, 0].isfinite()
    return {name: values[kept] for name, values in numbered.items()}


def _image(traced: Columns) -> Float[Tensor, "n 2"]:
    return torch.stack([traced["x_1"], traced["x_2"]], -1)


def _steps(x: Float[Tensor, "n 2"]) -> Float[Tensor, "n"]:
    """From each point to the next, and from the last to the first; NaN beside a lost ray."""
    return (x.roll(-1, 0) - x).norm(dim=-1)


def _relative_steps(x: Float[Tensor, "n 2"], half_side: float) -> Float[Tensor, "n"]:
    """Steps relative to how far out they are."""
    size = x.norm(dim=-1)
    return _steps(x) / (half_side + torch.minimum(size, size.roll(-1)))
