"""Points of a level set, as records."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from gicnn.levelset.radius import Radii

__all__ = ["LevelSetPoints", "RayDistance"]

_ROWS = 4096


@dataclass(frozen=True)
class LevelSetPoints:
    """Points at which rays from the centre meet the level."""

    level: float
    """The level."""
    angles: Float[Tensor, "*batch a"]
    """Hyperspherical angles about the centre."""
    point: Float[Tensor, "*batch d"]
    """The points; NaN where the level was not reached."""
    radii: Radii
    """Radius, value and residual of each ray, and how its search ended."""

    @property
    def radius(self) -> Float[Tensor, "*batch"]:
        """Distance from the centre; NaN where the level was not reached."""
        return self.radii.radius

    @property
    def value(self) -> Float[Tensor, "*batch"]:
        """Function at the point, or where the search of the ray ended."""
        return self.radii.value

    @property
    def residual(self) -> Float[Tensor, "*batch"]:
        """Value minus level."""
        return self.radii.residual

    @property
    def reached(self) -> Bool[Tensor, "*batch"]:
        """Where the level was met within the tolerance."""
        return self.radii.reached

    def reasons(self) -> list[str]:
        """Say for each ray, in flattened order, why it has no point; empty where it has."""
        return self.radii.reasons()

    def require_reached(self) -> "LevelSetPoints":
        """Return the record itself.

        Raises:
            ValueError: A ray does not reach the level; the message names the first, its angles,
                the reason and the values.
        """
        lost = (~self.reached).flatten().nonzero().squeeze(-1).tolist()
        if lost:
            angles = self.angles.reshape(-1, self.angles.shape[-1])[lost[0]].tolist()
            raise ValueError(
                f"{len(lost)} of {self.reached.numel()} rays do not reach level {self.level:.9g}; "
                f"the first is ray {lost[0]} at angles {angles}: {self.reasons()[lost[0]]}"
            )
        return self

    def map_back(self, inverse: Callable[[Tensor], Tensor]) -> Tensor:
        """Map the points through an inverse, such as that of h, to where the data live.

        Rows of points that were not reached are NaN. The inverse may give each point any shape.

        Shapes:
            inverse: (n, d) -> (n, *shape), returns: (*batch, *shape)

        Raises:
            ValueError: No ray reaches the level, so that the shape is unknown.
        """
        reached = self.reached.flatten()
        if not reached.any():
            self.require_reached()
        points = self.point.reshape(-1, self.point.shape[-1])[reached]
        with torch.no_grad():
            mapped = torch.cat([inverse(part) for part in points.split(_ROWS)])
        result = mapped.new_full((len(reached), *mapped.shape[1:]), torch.nan)
        result[reached] = mapped
        return result.view(*self.reached.shape, *mapped.shape[1:])


@dataclass(frozen=True)
class RayDistance:
    """How far points are from the level, along the rays on which they lie."""

    distance: Float[Tensor, "*batch"]
    """Radius of the point minus radius of the level: positive outside, NaN if not reached."""
    foot: LevelSetPoints
    """Where the rays meet the level."""
