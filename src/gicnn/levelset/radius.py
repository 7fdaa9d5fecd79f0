"""The radius at which rays from a centre meet a level, for all rays of a batch at once."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from gicnn.levelset.functions import ScalarFunction
from gicnn.levelset.rays import Rays
from gicnn.levelset.search import (
    NO_DIRECTION,
    NOT_FINITE,
    NOT_REACHED,
    REACHED,
    UNRESOLVED,
    Search,
)

__all__ = ["Radii", "find_radii"]

_EXPLANATIONS = {
    REACHED: "",
    NOT_REACHED: "the ray stays below the level as far as it was followed or its region goes",
    NOT_FINITE: "the function is not finite on the ray",
    UNRESOLVED: "the level is crossed between neighbouring radii, in a step too steep to resolve",
    NO_DIRECTION: "the ray has no direction: it is zero or not finite",
}


@dataclass(frozen=True)
class Radii:
    """Where rays meet their level."""

    radius: Float[Tensor, "*batch"]
    """Radius of the crossing; NaN where there is none."""
    value: Float[Tensor, "*batch"]
    """Function there; without a crossing, where the ray came closest or stopped being finite."""
    residual: Float[Tensor, "*batch"]
    """Value minus level."""
    closest: Float[Tensor, "*batch"]
    """Radius of that value."""
    status: Int[Tensor, "*batch"]
    """0 where the level was reached, else a number for the reason."""

    @property
    def reached(self) -> Bool[Tensor, "*batch"]:
        """Where the level was met within the tolerance."""
        return self.status == REACHED

    def reasons(self) -> list[str]:
        """Say for each ray, in flattened order, why it has no radius; empty where it has."""
        rows = zip(
            self.status.flatten().tolist(),
            self.closest.flatten().tolist(),
            self.value.flatten().tolist(),
            strict=True,
        )
        return [
            _EXPLANATIONS[status]
            and f"{_EXPLANATIONS[status]} (value {value:.6g} at radius {closest:.6g})"
            for status, closest, value in rows
        ]


def find_radii(
    function: ScalarFunction,
    centre: Float[Tensor, "d"],
    directions: Float[Tensor, "*batch d"],
    level: float | Float[Tensor, "*batch"],
    *,
    limit: float | Float[Tensor, "*batch"] | None = None,
    quasi_convex: bool = True,
    rows: int = 1024,
    draft: ScalarFunction | None = None,
) -> Radii:
    r"""Find where rays from a centre meet a level (section 3.3).

    .. math:: f(c + r\,u) = \alpha, \quad |f - \alpha| \le 10^{-10} \max(1, |\alpha|)

    (1e-5 in float32). On a strictly quasi-convex function each ray from the minimum rises, so
    that there is one such radius or none. The bracket grows from a small radius by at most a
    factor of two until the level is passed, and is then closed by interpolation between the
    bounds, halved where that is slow. Only unfinished rays are evaluated.

    Shapes:
        function: (*batch, d) -> (*batch,), centre: (d,), directions: (*batch, d)

    Args:
        function: Each row on its own.
        centre: Where rays begin; the minimum in the paper.
        directions: Unit vectors.
        level: One level, or one for each ray.
        limit: How far to follow rays, such as to the border of a region; by default to 1e12 times
            one plus the norm of the centre.
        quasi_convex: Whether each ray is known to cross the level once. The search then begins at
            radii predicted from other rays, which saves half of the evaluations. Say False for
            other functions: each ray then grows its own bracket, towards its first crossing.
        rows: Points evaluated at once, which bounds the memory.
        draft: A cheaper function that is nearly the same, such as the network in float32:
            ``lambda z: narrow(z.float())``. It helps to find where to begin; each radius is still
            that of ``function``, and so is its residual. Not used unless ``quasi_convex``.

    Raises:
        ValueError: Shapes do not fit, the function is not finite at the centre, or a level lies
            below the value there.

    Example:
        >>> directions = torch.eye(3, dtype=torch.float64)
        >>> bowl = lambda z: z.square().sum(-1)
        >>> find_radii(bowl, torch.zeros(3).double(), directions, 4.0).radius
        tensor([2., 2., 2.], dtype=torch.float64)
    """
    rays = Rays.of(function, centre, directions, level, limit, rows, draft)
    search = rays.search_ahead() if quasi_convex else rays.search_outwards()
    sized = torch.linalg.vector_norm(rays.directions, dim=-1)
    search.status[~(sized.isfinite() & (sized > 0))] = NO_DIRECTION
    shape = directions.shape[:-1]
    return Radii(
        radius=torch.where(search.status == REACHED, search.radius, torch.nan).view(shape),
        value=_values(rays, search).view(shape),
        residual=search.residual.view(shape),
        closest=search.radius.view(shape),
        status=search.status.view(shape),
    )


def _values(rays: Rays, search: Search) -> Float[Tensor, " n"]:
    """Level plus residual, which cancels far from the level: evaluated anew where none was met."""
    value = rays.level + search.residual
    missed = (search.status != REACHED).nonzero().squeeze(-1)
    if len(missed):
        value[missed] = rays.values(missed, search.radius[missed])
    return value
