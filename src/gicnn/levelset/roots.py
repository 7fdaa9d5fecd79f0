"""Root search on many rays at once, each within its own bracket."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.levelset.forecast import step_to_root
from gicnn.levelset.search import (
    NOT_FINITE,
    NOT_REACHED,
    REACHED,
    SEARCHING,
    UNRESOLVED,
    Search,
)

__all__ = ["approach", "solve"]

_GROWTH = 2.0
_STRIDE = 16.0
_MANY = 24
_MOST = 400


def approach(search: Search, residual: Float[Tensor, " n"], rise: Float[Tensor, " n"]) -> None:
    """Come closer by approximate values at the next radii, which decide nothing.

    They move the next radius by a factor of two at most, and never become a bound or a result.
    Where they are not finite the search stays as it was. Only the first values are kept for later
    interpolation: so near the root, the errors of others would spoil the slope.
    """
    before = Search(**vars(search))
    _observe(search, residual, rise)
    factor = _interpolate(search).exp().clamp(1 / _GROWTH, _GROWTH)
    search.next = torch.minimum(before.next * factor, search.limit)
    moved = residual.isfinite() & search.next.isfinite()
    kept = moved & (before.steps == 0)
    for name in ("next", "slope", "logs", "heights", "stalls", "steps"):
        which = moved if name == "next" else kept
        old, new = getattr(before, name), getattr(search, name)
        setattr(search, name, torch.where(which.view(-1, *[1] * (new.ndim - 1)), new, old))


def solve(
    search: Search,
    excess: Callable[[Tensor, Tensor], Tensor],
    rise: Float[Tensor, " n"],
    target: Float[Tensor, " n"],
    tolerance: Float[Tensor, " n"],
) -> None:
    """Search all rays until each has ended; the search is changed in place.

    Args:
        search: Where to begin.
        excess: Takes indices of rays and their radii to f minus level.
        rise: Level minus value at the centre, positive.
        target: Residual at which a ray ends.
        tolerance: Residual that still counts where rounding keeps the target out of reach.
    """
    active = (search.status == SEARCHING).nonzero().squeeze(-1)
    for _ in range(_MOST):
        if not len(active):
            return
        part = search.pick(active)
        residual = excess(active, part.next)
        _observe(part, residual, rise[active])
        _record(part, residual)
        _end(part, residual, target[active], tolerance[active])
        part.next = _propose(part)
        search.put(active, part)
        active = active[part.status == SEARCHING]
    search.status[active] = UNRESOLVED


def _observe(search: Search, residual: Float[Tensor, " n"], rise: Float[Tensor, " n"]) -> None:
    log = search.next.log()
    height = torch.log1p((residual / rise).clamp_min(-1))
    step = log - search.logs[:, 0]
    slope = (height - search.heights[:, 0]) / step + 0.5 * search.bend * step
    # Before there are two points, the slope is that at the root.
    expected = search.slope + search.bend * height / search.slope
    slope = torch.where(search.steps == 0, expected, slope)

    search.slope = torch.where(slope.isfinite() & (slope > 0), slope, search.slope)
    stalled = height.abs() > 0.25 * search.heights[:, 0].abs()
    search.stalls = torch.where(stalled, search.stalls + 1, 0)
    search.steps = search.steps + 1
    search.logs = torch.cat([log.unsqueeze(-1), search.logs[:, :2]], dim=-1)
    search.heights = torch.cat([height.unsqueeze(-1), search.heights[:, :2]], dim=-1)


def _record(search: Search, residual: Float[Tensor, " n"]) -> None:
    radius, below = search.next, residual < 0
    search.low = torch.where(below, radius, search.low)
    # Where the function is not a number it may have passed the level.
    search.high = torch.where(below, search.high, radius)
    search.broken = torch.where(below, search.broken, residual.isnan())
    closer = residual.abs() <= search.residual.abs()
    search.radius = torch.where(closer, radius, search.radius)
    search.residual = torch.where(closer, residual, search.residual)


def _end(
    search: Search,
    residual: Float[Tensor, " n"],
    target: Float[Tensor, " n"],
    tolerance: Float[Tensor, " n"],
) -> None:
    eps = torch.finfo(residual.dtype).eps
    collapsed = search.high.isfinite() & (search.high - search.low <= 2 * eps * search.high)
    close = search.residual.abs() <= tolerance
    endings = {
        NOT_REACHED: (residual < 0) & (search.next >= search.limit),
        UNRESOLVED: collapsed & ~close,
        NOT_FINITE: residual.isneginf() | (collapsed & search.broken),
        REACHED: (residual.abs() <= target) | (collapsed & close),
    }
    for status, ended in endings.items():
        search.status = torch.where(ended, status, search.status)
    broken, endless = search.status == NOT_FINITE, residual.isneginf()
    place, value = (
        torch.where(endless, search.next, search.high),
        torch.where(endless, residual, torch.nan),
    )
    search.radius = torch.where(broken, place, search.radius)
    search.residual = torch.where(broken, value, search.residual)


def _propose(search: Search) -> Float[Tensor, " n"]:
    """Choose the next radius: interpolated where that is safe, else further out or half-way."""
    latest = search.logs[:, 0].exp()
    guess = latest * _interpolate(search).exp()

    factor = torch.where(search.steps > _MANY, _STRIDE, _GROWTH)
    outward = torch.minimum(guess, factor * latest)
    outward = torch.where((outward > latest) & (search.stalls < 1), outward, factor * latest)
    outward = torch.minimum(outward, search.limit)

    inside = (guess > search.low) & (guess < search.high) & (search.stalls < 2)
    inward = torch.where(inside, guess, _halve(search.low, search.high))
    bracketed = search.high.isfinite()
    search.stalls = torch.where(bracketed & ~inside, 0, search.stalls)
    return torch.where(bracketed, inward, outward)


def _interpolate(search: Search) -> Float[Tensor, " n"]:
    """Give the change of log r to the root, by inverse quadratics where three points agree."""
    (log_0, log_1, log_2), (h_0, h_1, h_2) = search.logs.mT, search.heights.mT
    secant = step_to_root(h_0, search.slope, search.bend)
    first, second = (log_1 - log_0) / (h_1 - h_0), (log_2 - log_1) / (h_2 - h_1)
    curved = -h_0 * first + h_0 * h_1 * (second - first) / (h_2 - h_0)
    agree = (curved - secant).abs() <= 0.5 * secant.abs()
    return torch.where(agree, curved, secant)


def _halve(low: Float[Tensor, " n"], high: Float[Tensor, " n"]) -> Float[Tensor, " n"]:
    """Halve a bracket: in the logarithm while its ends are of different size."""
    geometric = low.sqrt() * high.sqrt()
    middle = torch.where(high > 4 * low, geometric, low + 0.5 * (high - low))
    return torch.where(low > 0, middle, high / _STRIDE)
