"""Convex regions to which a search can be confined (section 3.3.1 of the paper)."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["Ball", "Box", "Region", "require_inside"]


@runtime_checkable
class Region(Protocol):
    """A closed convex set: what the searches need to know of it."""

    def project(self, x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
        """Give the nearest point of the region."""
        ...

    def exit_radius(
        self, centre: Float[Tensor, "d"], directions: Float[Tensor, "*batch d"]
    ) -> Float[Tensor, "*batch"]:
        """Give the radius at which rays from a centre within the region leave it."""
        ...


@dataclass(frozen=True)
class Box:
    """All points with low <= x <= high; a side may be infinite.

    Example:
        >>> box = Box(-1.0, 1.0)
        >>> box.project(torch.tensor([3.0, 0.5]))
        tensor([1.0000, 0.5000])
        >>> box.exit_radius(torch.tensor([0.5, 0.0]), torch.tensor([[1.0, 0.0], [0.0, 1.0]]))
        tensor([0.5000, 1.0000])
    """

    low: float | Float[Tensor, "d"]
    """Lower corner, or one bound for each coordinate."""
    high: float | Float[Tensor, "d"]
    """Upper corner, or one bound for each coordinate."""

    def __post_init__(self) -> None:
        if not (torch.as_tensor(self.low) <= torch.as_tensor(self.high)).all():
            raise ValueError(f"a box needs low <= high, got low {self.low} and high {self.high}")

    def project(self, x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
        """Clamp each coordinate."""
        return torch.minimum(torch.maximum(x, _like(self.low, x)), _like(self.high, x))

    def exit_radius(
        self, centre: Float[Tensor, "d"], directions: Float[Tensor, "*batch d"]
    ) -> Float[Tensor, "*batch"]:
        """Give the smallest radius at which a coordinate meets its bound."""
        low, high = _like(self.low, centre), _like(self.high, centre)
        room = torch.where(directions > 0, high - centre, centre - low).clamp_min(0)
        ratio = room / directions.abs()
        return torch.where(directions == 0, torch.inf, ratio).amin(dim=-1)


@dataclass(frozen=True)
class Ball:
    """All points within a radius of a centre.

    Example:
        >>> ball = Ball(torch.zeros(2), 2.0)
        >>> ball.project(torch.tensor([3.0, 4.0]))
        tensor([1.2000, 1.6000])
        >>> ball.exit_radius(torch.tensor([1.0, 0.0]), torch.tensor([[1.0, 0.0], [-1.0, 0.0]]))
        tensor([1., 3.])
    """

    centre: Float[Tensor, "d"]
    """Middle of the ball."""
    radius: float
    """Radius, positive."""

    def __post_init__(self) -> None:
        if not self.radius > 0:
            raise ValueError(f"a ball needs a positive radius, got {self.radius}")

    def project(self, x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
        """Pull points outside onto the sphere, along the line to the centre."""
        middle = _like(self.centre, x)
        offset = x - middle
        norm = torch.linalg.vector_norm(offset, dim=-1, keepdim=True)
        shrunk = middle + offset * (self.radius / norm.clamp_min(self.radius))
        return torch.where(norm > self.radius, shrunk, x)

    def exit_radius(
        self, centre: Float[Tensor, "d"], directions: Float[Tensor, "*batch d"]
    ) -> Float[Tensor, "*batch"]:
        """Solve the quadratic for the far intersection of each (unit) ray with the sphere."""
        offset = centre - _like(self.centre, centre)
        along = directions @ offset
        inside = self.radius**2 - offset @ offset
        return (torch.sqrt((along.square() + inside).clamp_min(0)) - along).clamp_min(0)


def _like(bound: float | Tensor, x: Tensor) -> Tensor:
    bound = torch.as_tensor(bound, dtype=x.dtype, device=x.device)
    if bound.ndim and bound.shape[-1] != x.shape[-1]:
        raise ValueError(
            f"a region in {bound.shape[-1]} dimensions does not fit points in {x.shape[-1]}"
        )
    return bound


def require_inside(region: Region | None, point: Float[Tensor, "d"]) -> None:
    """Refuse a point from which a region cannot be looked at; None is all of space.

    Raises:
        ValueError: It lies outside.
    """
    if region is None:
        return
    gap = torch.linalg.vector_norm(point - region.project(point))
    if not gap <= 1e3 * torch.finfo(point.dtype).eps * (1 + torch.linalg.vector_norm(point)):
        raise ValueError(
            f"the centre lies {gap.item():.3g} outside the region {region}; "
            f"give one inside, such as the minimum that find_minimum finds there"
        )
