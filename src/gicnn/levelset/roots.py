"""Root search on many rays at once, each within its own bracket."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from gicnn.levelset.forecast import Forecast, step_to_root

__all__ = ["NOT_FINITE", "NOT_REACHED", "REACHED", "SEARCHING", "UNRESOLVED", "Search", "solve"]

SEARCHING, REACHED, NOT_REACHED, NOT_FINITE, UNRESOLVED = -1, 0, 1, 2, 3
_GROWTH = 2.0
_STRIDE = 16.0
_MANY = 24
_MOST = 400


@dataclass
class Search:
    r"""What is known of each ray.

    Points are compared as :math:`\rho = \log r` and
    :math:`h = \log((f - f_0) / (\alpha - f_0))`, with :math:`f_0` the value at the centre: then
    any power of the radius is a straight line with its root at the level, and interpolation is
    exact on cones and paraboloids and good on what lies between them.
    """

    next: Float[Tensor, " n"]
    """Radius to evaluate next."""
    limit: Float[Tensor, " n"]
    """Radius beyond which not to look."""
    slope: Float[Tensor, " n"]
    """Latest estimate of dh / d log r, at the newest evaluation."""
    bend: Float[Tensor, " n"]
    """What is expected of its own derivative; 0 where nothing is."""
    low: Float[Tensor, " n"]
    """Largest radius known to lie below the level."""
    high: Float[Tensor, " n"]
    """Smallest radius known to lie above it; infinite until one is known."""
    logs: Float[Tensor, "n 3"]
    """log r of the last three evaluations, newest first; NaN for none."""
    heights: Float[Tensor, "n 3"]
    """h of the last three evaluations."""
    radius: Float[Tensor, " n"]
    """Radius of the smallest residual so far."""
    residual: Float[Tensor, " n"]
    """That residual, f minus level."""
    stalls: Int[Tensor, " n"]
    """Evaluations in a row that did not bring h four times closer to zero."""
    steps: Int[Tensor, " n"]
    """Evaluations so far."""
    status: Int[Tensor, " n"]
    """SEARCHING, or how the search ended."""

    @classmethod
    def start(cls, forecast: Forecast, limit: Float[Tensor, " n"]) -> "Search":
        """Begin where the roots are expected."""
        first = forecast.first
        count = torch.zeros_like(first, dtype=torch.int64)
        unknown = torch.full_like(first, torch.nan)
        return cls(
            next=torch.minimum(first, limit),
            limit=limit.clone(),
            slope=forecast.slope.clone(),
            bend=forecast.bend.clone(),
            low=torch.zeros_like(first),
            high=torch.full_like(first, torch.inf),
            logs=unknown.unsqueeze(-1).repeat(1, 3),
            heights=unknown.unsqueeze(-1).repeat(1, 3),
            radius=unknown,
            residual=torch.full_like(first, torch.inf),
            stalls=count,
            steps=count.clone(),
            status=torch.full_like(count, SEARCHING),
        )

    def pick(self, which: Bool[Tensor, " n"] | Int[Tensor, " m"]) -> "Search":
        """Keep some of the rays."""
        return Search(*(field[which] for field in vars(self).values()))

    def put(self, which: Bool[Tensor, " n"] | Int[Tensor, " m"], part: "Search") -> None:
        """Write back what :meth:`pick` took."""
        for name, field in vars(self).items():
            field[which] = getattr(part, name)


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
        _record(part, residual, rise[active])
        _end(part, residual, target[active], tolerance[active])
        part.next = _propose(part)
        search.put(active, part)
        active = active[part.status == SEARCHING]
    search.status[active] = UNRESOLVED


def _record(search: Search, residual: Float[Tensor, " n"], rise: Float[Tensor, " n"]) -> None:
    radius, below = search.next, residual < 0
    log = radius.log()
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

    search.low = torch.where(below, radius, search.low)
    search.high = torch.where(residual >= 0, radius, search.high)
    closer = ~(residual.abs() > search.residual.abs())
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
        REACHED: (residual.abs() <= target) | (collapsed & close),
        NOT_FINITE: residual.isnan() | residual.isneginf(),
    }
    for status, ended in endings.items():
        search.status = torch.where(ended, status, search.status)


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
