"""The level set of a function about a centre, parameterised by angles."""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.levelset.checks import path_end, require_count, require_level_above
from gicnn.levelset.functions import ScalarFunction, evaluate
from gicnn.levelset.hyperspherical import to_directions, to_spherical
from gicnn.levelset.minimum import find_minimum
from gicnn.levelset.paths import interpolate_angles
from gicnn.levelset.points import LevelSetPoints, RayDistance
from gicnn.levelset.radius import find_radii
from gicnn.levelset.regions import Region, require_inside

__all__ = ["LevelSet"]

Interpolation = Callable[[Tensor, Tensor, Tensor, int], Tensor]


class LevelSet:
    r"""A level set in hyperspherical coordinates about a point below it (section 3.3).

    .. math::
        R_\alpha(\varphi) = c + \gamma_\alpha(\varphi)\, u(\varphi), \quad
        f(R_\alpha(\varphi)) = \alpha

    For a strictly quasi-convex f and its minimum c this parameterises the whole level set: every
    ray rises, so it meets the level once. Within a region (section 3.3.1) rays end at the border;
    those that get there below the level have no point. For other functions say
    ``quasi_convex=False``; the points then are first crossings, and only a part of the level set.
    Points are computed in the data type and on the device of the centre.

    Shapes:
        function: (*batch, d) -> (*batch,), centre: (d,)

    Args:
        function: Any scalar function, each row on its own.
        level: The level.
        centre: The point about which angles are measured.
        region: A convex set around the centre that rays do not leave.
        quasi_convex: Whether each ray is known to cross the level at most once.
        rows: Points evaluated at once, which bounds the memory.
        draft: A cheaper function, nearly the same: see :func:`gicnn.levelset.find_radii`.

    Raises:
        ValueError: The centre is no point of the region, or lies above the level.

    Example:
        >>> bowl = LevelSet(lambda z: z.square().sum(-1), 9.0, torch.zeros(2).double())
        >>> bowl.grid(4).point.round(decimals=6) + 0.0
        tensor([[ 3.,  0.],
                [ 0.,  3.],
                [-3.,  0.],
                [ 0., -3.]], dtype=torch.float64)
        >>> bowl.distance(torch.tensor([5.0, 0.0]).double()).distance.round(decimals=6)
        tensor(2., dtype=torch.float64)
    """

    def __init__(
        self,
        function: ScalarFunction,
        level: float,
        centre: Float[Tensor, "d"],
        *,
        region: Region | None = None,
        quasi_convex: bool = True,
        rows: int = 1024,
        draft: ScalarFunction | None = None,
    ) -> None:
        if centre.ndim != 1 or not len(centre):
            raise ValueError(f"a centre has shape (d,), got {tuple(centre.shape)}")
        require_inside(region, centre)
        self.function = function
        self.level = float(level)
        self.centre = centre.detach()
        self.region = region
        self._options = {"quasi_convex": quasi_convex, "rows": rows, "draft": draft}
        self.centre_value = evaluate(function, self.centre.unsqueeze(0), rows).squeeze(0)
        require_level_above(self.centre_value, self.centre.new_tensor([self.level]))

    @classmethod
    def about_minimum(
        cls,
        function: ScalarFunction,
        level: float,
        starts: Float[Tensor, "n d"],
        *,
        region: Region | None = None,
        **options: bool | int | ScalarFunction,
    ) -> "LevelSet":
        """Find the minimum and use it as the centre; further options are those of the class.

        Raises:
            ValueError: The minimum is not attained, or the level lies below it.

        Example:
            >>> starts = torch.randn(3, 2, dtype=torch.float64)
            >>> LevelSet.about_minimum(lambda z: (z - 1).square().sum(-1), 4.0, starts).centre
            tensor([1., 1.], dtype=torch.float64)
        """
        minimum = find_minimum(function, starts, region=region).require_attained()
        return cls(function, level, minimum.point, region=region, **options)

    @property
    def dim(self) -> int:
        """Dimension of the space."""
        return len(self.centre)

    def at(self, angles: Float[Tensor, "*batch a"]) -> LevelSetPoints:
        """Find the points at given angles, (*batch, max(d - 1, 1)); others are refused."""
        return self._search(angles, to_directions(angles.to(self.centre), self.dim))

    def along(self, directions: Float[Tensor, "*batch d"]) -> LevelSetPoints:
        """Find the points in given directions of any length but 0, which has a reason and no point.

        Raises:
            ValueError: The directions have another dimension than the centre.
        """
        spherical = to_spherical(self._checked(directions))
        known = spherical.radius.unsqueeze(-1) > 0
        return self.at(torch.where(known, spherical.angles, torch.nan))

    def grid(self, count: int) -> LevelSetPoints:
        """Go once around a curve in the plane, evenly in angle, without repeating the first.

        Raises:
            ValueError: The space is no plane, or there is to be no point.
        """
        if self.dim != 2:
            raise ValueError(f"a grid needs 2 dimensions, got {self.dim}; take a sample instead")
        require_count(count, 1, "a grid")
        angles = torch.arange(count).to(self.centre) * (2 * math.pi / count)
        return self.at(angles.unsqueeze(-1))

    def sample(self, count: int, generator: torch.Generator | None = None) -> LevelSetPoints:
        """Draw points whose directions are uniform on the sphere."""
        require_count(count, 0, "a sample")
        device = "cpu" if generator is None else generator.device
        normal = torch.randn(
            count, self.dim, generator=generator, dtype=self.centre.dtype, device=device
        )
        return self.along(normal)

    def path(
        self,
        start: Float[Tensor, "d"],
        end: Float[Tensor, "d"],
        steps: int,
        interpolate: Interpolation = interpolate_angles,
    ) -> LevelSetPoints:
        """Walk on the level set from the ray of one point to that of another (section 3.3).

        Args:
            start: Any point but the centre; it need not be on the level set.
            end: Likewise.
            steps: Number of points, both ends included.
            interpolate: How angles change on the way: linearly, as in the paper, or
                :func:`gicnn.levelset.interpolate_great_circle`.

        Raises:
            ValueError: An end does not fit, or ``steps`` is below 2.

        Example:
            >>> bowl = LevelSet(lambda z: z.square().sum(-1), 1.0, torch.zeros(2))
            >>> path = bowl.path(torch.tensor([5.0, 0.0]), torch.tensor([0.0, 0.1]), steps=3)
            >>> path.angles.squeeze()
            tensor([0.0000, 0.7854, 1.5708])
        """
        require_count(steps, 2, "a path")
        ends = {"start": start, "end": end}.items()
        first, last = (path_end(self._checked(x) - self.centre, name).angles for name, x in ends)
        t = torch.linspace(0, 1, steps, dtype=self.centre.dtype, device=self.centre.device)
        return self.at(interpolate(first, last, t, self.dim))

    def distance(self, x: Float[Tensor, "*batch d"]) -> RayDistance:
        """Measure how far points are along their rays; at the centre, along the first axis."""
        spherical = to_spherical(self._checked(x) - self.centre)
        foot = self.at(spherical.angles)
        return RayDistance(distance=spherical.radius - foot.radius, foot=foot)

    def _search(
        self, angles: Float[Tensor, "*batch a"], directions: Float[Tensor, "*batch d"]
    ) -> LevelSetPoints:
        options = dict(self._options)
        if self.region is not None:
            options["limit"] = self.region.exit_radius(self.centre, directions)
        radii = find_radii(self.function, self.centre, directions, self.level, **options)
        point = self.centre + radii.radius.unsqueeze(-1) * directions
        return LevelSetPoints(self.level, angles, point, radii)

    def _checked(self, x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
        if x.shape[-1] != self.dim:
            raise ValueError(f"points of shape {tuple(x.shape)} are not of dimension {self.dim}")
        return x.to(self.centre)
