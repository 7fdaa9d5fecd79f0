"""The rays of one radius search, and where on them to begin."""

import math
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from gicnn.levelset.checks import require_fitting, require_level_above
from gicnn.levelset.forecast import Forecast, Pilots, pilot_count
from gicnn.levelset.functions import ScalarFunction, evaluate
from gicnn.levelset.roots import approach, solve
from gicnn.levelset.search import REACHED, SEARCHING, Search

__all__ = ["Rays", "tolerance"]

_FIRST = 1e-3
_FARTHEST = 1e12
_DRAFTS = 2  # rough values of each ray: more of them come no closer
_STEP = 0.03  # of log r, to either side of a pilot's root
_SHARE = {torch.float64: 1e-8, torch.float32: 1e-3}


def tolerance(dtype: torch.dtype) -> float:
    """Give the residual allowed for levels up to 1 in size, relative beyond.

    Example:
        >>> tolerance(torch.float64), tolerance(torch.float32)
        (1e-10, 1e-05)
    """
    return 1e-10 if dtype == torch.float64 else 1e-5


@dataclass(frozen=True)
class Rays:
    """Rays from one centre, in one row each."""

    function: ScalarFunction
    """The function whose level is sought."""
    centre: Float[Tensor, "d"]
    """Where all rays begin."""
    base: Float[Tensor, ""]
    """Function at the centre."""
    directions: Float[Tensor, "n d"]
    """Unit vectors."""
    level: Float[Tensor, " n"]
    """Level to find on each ray."""
    limit: Float[Tensor, " n"]
    """How far to follow each ray."""
    rows: int
    """Points evaluated at once."""
    draft: ScalarFunction | None = None
    """What is cheaper to evaluate than the function, and nearly the same."""

    @classmethod
    def of(
        cls,
        function: ScalarFunction,
        centre: Float[Tensor, "d"],
        directions: Float[Tensor, "*batch d"],
        level: float | Float[Tensor, "*batch"],
        limit: float | Float[Tensor, "*batch"] | None,
        rows: int,
        draft: ScalarFunction | None,
    ) -> "Rays":
        """Check the arguments and spread them over the rays.

        Raises:
            ValueError: As :func:`gicnn.levelset.radius.find_radii`.
        """
        require_fitting(centre, directions)
        shape = directions.shape[:-1]
        levels = _spread(level, centre, shape)
        base = evaluate(function, centre.unsqueeze(0), rows).squeeze(0)
        require_level_above(base, levels)
        farthest = _FARTHEST * (1 + torch.linalg.vector_norm(centre))
        limits = _spread(farthest if limit is None else limit, centre, shape)
        limits = torch.where(limits.isposinf(), farthest, limits)
        if not (limits >= 0).all():
            wrong = limits[~(limits >= 0)][0].item()
            raise ValueError(f"limits of rays must not be negative or NaN, got {wrong:g}")
        rays = directions.reshape(-1, len(centre)).to(centre)
        return cls(function, centre, base, rays, levels, limits, rows, draft)

    def search_outwards(self) -> Search:
        """Let each ray grow its own bracket from a small radius."""
        first = _FIRST * (1 + torch.linalg.vector_norm(self.centre))
        return self._search(Forecast.unknown(first, self.level))

    def search_ahead(self) -> Search:
        """Begin where a few rays of the batch, searched first, let the others be expected."""
        count, dim = self.directions.shape
        few = pilot_count(count, dim)
        if count <= 2 * few:
            return self.search_outwards()
        pilots = self._pilots(torch.linspace(0, count - 1, few).long().to(self.centre.device))
        if pilots is None:
            return self.search_outwards()
        return self._search(pilots.forecast(self.directions, self._rise), self.draft)

    @property
    def _rise(self) -> Float[Tensor, " n"]:
        return self.level - self.base

    def _pilots(self, which: Int[Tensor, " p"]) -> Pilots | None:
        """Search some rays and look to both sides of their roots; None if no level was met."""
        rays = self._pick(which)
        search = rays.search_ahead()
        met = (search.status == REACHED) & (search.radius > 0)
        if not met.any():
            return None
        rays, radius = rays._pick(met), search.radius[met]
        sides = [rays._height(radius * math.exp(step)) for step in (-_STEP, _STEP)]
        slope = (sides[1] - sides[0]) / (2 * _STEP)
        bend = (sides[1] + sides[0]) / _STEP**2
        sound = slope.isfinite() & bend.isfinite() & (slope > 0)
        if not sound.any():
            return None
        known = rays.directions, rays._rise, radius.log(), slope, bend
        return Pilots(*(field[sound] for field in known))

    def _height(self, radius: Float[Tensor, " n"]) -> Float[Tensor, " n"]:
        every = torch.arange(len(radius), device=radius.device)
        return torch.log1p(self._excess(every, radius) / self._rise)

    def _search(self, forecast: Forecast, draft: ScalarFunction | None = None) -> Search:
        search = Search.start(forecast, self.limit)
        at_centre = self._rise == 0
        search.radius = torch.where(at_centre, 0.0, search.radius)
        search.residual = torch.where(at_centre, 0.0, search.residual)
        search.status = torch.where(at_centre, REACHED, SEARCHING)
        for _ in range(0 if draft is None else _DRAFTS):
            values = evaluate(draft, self._points(slice(None), search.next), self.rows)
            approach(search, values.to(self.level) - self.level, self._rise)
        solve(search, self._excess, self._rise, *self._tolerances())
        return search

    def _points(
        self, which: Int[Tensor, " m"] | slice, radius: Float[Tensor, " m"]
    ) -> Float[Tensor, "m d"]:
        return torch.addcmul(self.centre, radius.unsqueeze(-1), self.directions[which])

    def _excess(
        self, which: Int[Tensor, " m"], radius: Float[Tensor, " m"]
    ) -> Float[Tensor, " m"]:
        return self.values(which, radius) - self.level[which]

    def values(self, which: Int[Tensor, " m"], radius: Float[Tensor, " m"]) -> Float[Tensor, " m"]:
        """Evaluate the function at one radius of each of some rays."""
        return evaluate(self.function, self._points(which, radius), self.rows)

    def _tolerances(self) -> tuple[Float[Tensor, " n"], Float[Tensor, " n"]]:
        """Give the residual to aim for, and the larger one that will do.

        Close above the centre's value the promised residual would admit any radius, so the aim
        is also a share of the rise, down to rounding.
        """
        dtype = self.level.dtype
        allowed = tolerance(dtype) * self.level.abs().clamp_min(1)
        size = torch.maximum(self.level.abs(), self.base.abs())
        rounding = 4 * torch.finfo(dtype).eps * size
        share = _SHARE.get(dtype, 1e-3) * self._rise
        return torch.minimum(allowed, torch.maximum(share, rounding)), allowed

    def _pick(self, which: Int[Tensor, " m"] | Bool[Tensor, " n"]) -> "Rays":
        return replace(
            self,
            directions=self.directions[which],
            level=self.level[which],
            limit=self.limit[which],
        )


def _spread(
    value: float | Tensor, like: Float[Tensor, "d"], shape: torch.Size
) -> Float[Tensor, " n"]:
    """Give each ray its number, in one row."""
    number = torch.as_tensor(value, dtype=like.dtype, device=like.device)
    return number.expand(shape).reshape(-1)
