"""The rays of one radius search, and where on them to begin."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.levelset.functions import ScalarFunction, evaluate
from gicnn.levelset.roots import REACHED, SEARCHING, Search, solve

__all__ = ["Rays", "require_level_above", "tolerance"]

_FIRST = 1e-3
_FARTHEST = 1e12
_PILOTS = 64
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

    @classmethod
    def of(
        cls,
        function: ScalarFunction,
        centre: Float[Tensor, "d"],
        directions: Float[Tensor, "*batch d"],
        level: float | Float[Tensor, "*batch"],
        limit: float | Float[Tensor, "*batch"] | None,
        rows: int,
    ) -> "Rays":
        """Check the arguments and spread them over the rays.

        Raises:
            ValueError: As :func:`gicnn.levelset.radius.find_radii`.
        """
        _check_shapes(centre, directions)
        shape = directions.shape[:-1]
        levels = _spread(level, centre, shape)
        base = evaluate(function, centre.unsqueeze(0), rows).squeeze(0)
        require_level_above(base, levels)
        farthest = _FARTHEST * (1 + torch.linalg.vector_norm(centre))
        limits = _spread(farthest if limit is None else limit, centre, shape)
        rays = directions.reshape(-1, len(centre))
        return cls(function, centre, base, rays, levels, limits, rows)

    def search_outwards(self) -> Search:
        """Let each ray grow its own bracket from a small radius."""
        first = _FIRST * (1 + torch.linalg.vector_norm(self.centre))
        return self._search(first, first.new_tensor(2.0))

    def search_ahead(self) -> Search:
        """Begin at the geometric mean of the radii of a few rays of the batch."""
        count = len(self.directions)
        if count <= 2 * _PILOTS:
            return self.search_outwards()
        pilots = torch.linspace(0, count - 1, _PILOTS).long().to(self.centre.device)
        ahead = self._pick(pilots).search_outwards()
        found = ahead.pick((ahead.status == REACHED) & (ahead.radius > 0))
        if not len(found.radius):
            return self.search_outwards()
        return self._search(found.radius.log().mean().exp(), found.slope.mean())

    def _search(self, first: Float[Tensor, ""], slope: Float[Tensor, ""]) -> Search:
        rise = self.level - self.base
        search = Search.start(first.expand_as(rise), self.limit, slope.expand_as(rise))
        at_centre = rise == 0
        search.radius = torch.where(at_centre, 0.0, search.radius)
        search.residual = torch.where(at_centre, 0.0, search.residual)
        search.status = torch.where(at_centre, REACHED, SEARCHING)
        solve(search, self._excess, rise, *self._tolerances())
        return search

    def _excess(
        self, which: Int[Tensor, " m"], radius: Float[Tensor, " m"]
    ) -> Float[Tensor, " m"]:
        points = torch.addcmul(self.centre, radius.unsqueeze(-1), self.directions[which])
        return evaluate(self.function, points, self.rows) - self.level[which]

    def _tolerances(self) -> tuple[Float[Tensor, " n"], Float[Tensor, " n"]]:
        """Give the residual to aim for, and the larger one that will do.

        Close above the centre's value the promised residual would admit any radius, so the aim
        is also a share of the rise, down to rounding.
        """
        dtype = self.level.dtype
        allowed = tolerance(dtype) * self.level.abs().clamp_min(1)
        size = torch.maximum(self.level.abs(), self.base.abs())
        rounding = 4 * torch.finfo(dtype).eps * size
        share = _SHARE.get(dtype, 1e-3) * (self.level - self.base)
        return torch.minimum(allowed, torch.maximum(share, rounding)), allowed

    def _pick(self, which: Int[Tensor, " m"]) -> "Rays":
        return replace(
            self,
            directions=self.directions[which],
            level=self.level[which],
            limit=self.limit[which],
        )


def require_level_above(base: Float[Tensor, ""], level: Float[Tensor, " n"]) -> None:
    """Refuse levels that no ray can meet.

    Raises:
        ValueError: The value at the centre is not finite, or a level is not finite or below it.
    """
    if not base.isfinite():
        raise ValueError(f"the function is {base.item()} at the centre; give another centre")
    wrong = level[~(level.isfinite() & (level >= base))]
    if len(wrong):
        raise ValueError(
            f"level {wrong[0].item():.9g} is not finite or lies below {base.item():.9g}, the value "
            f"at the centre ({len(wrong)} of {len(level)} levels): no ray from there meets it"
        )


def _check_shapes(centre: Tensor, directions: Tensor) -> None:
    if centre.ndim != 1 or directions.ndim < 1 or directions.shape[-1] != len(centre):
        raise ValueError(
            f"directions of shape {tuple(directions.shape)} do not fit a centre of shape "
            f"{tuple(centre.shape)}: both must end with the dimension of the space"
        )


def _spread(
    value: float | Tensor, like: Float[Tensor, "d"], shape: torch.Size
) -> Float[Tensor, " n"]:
    """Give each ray its number, in one row."""
    number = torch.as_tensor(value, dtype=like.dtype, device=like.device)
    return number.expand(shape).reshape(-1)
