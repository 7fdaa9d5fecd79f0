"""A sample of points as a graph of near neighbours, and the tube of space around it."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

__all__ = ["Sample", "Tube"]

_ROWS = 1024


@dataclass(frozen=True)
class Tube:
    """All points that are no farther from some point of a sample than its neighbours are."""

    points: Float[Tensor, "n d"]
    """The sample."""
    radius: Float[Tensor, "n"]
    """How far around each of its points."""

    def project(self, x: Float[Tensor, "m d"]) -> Float[Tensor, "m d"]:
        """Pull points outside straight towards the ball that they are nearest to."""
        distance = torch.cdist(x, self.points)
        outside, nearest = (distance - self.radius).min(dim=1)
        centre, radius = self.points[nearest], self.radius[nearest]
        offset = x - centre
        length = torch.linalg.vector_norm(offset, dim=-1)
        shrunk = centre + offset * (radius / length.clamp_min(1e-300)).unsqueeze(-1)
        return torch.where((outside > 0).unsqueeze(-1), shrunk, x)


@dataclass(frozen=True)
class Sample:
    """Points, each joined to its nearest neighbours."""

    points: Float[Tensor, "n d"]
    """Where they are."""
    edges: Int[Tensor, "e 2"]
    """Pairs of which one is among the nearest of the other, smaller position first."""
    tube: Tube
    """What the sample says something about."""

    @classmethod
    def of(cls, points: Float[Tensor, "n d"], neighbours: int) -> "Sample":
        """Join each point to its nearest others.

        Args:
            points: At least two.
            neighbours: How many others; all where there are fewer.
        """
        count = min(neighbours, len(points) - 1)
        near = [_nearest(part, points, count) for part in points.split(_ROWS)]
        distance, index = (torch.cat(part) for part in zip(*near, strict=True))
        first = torch.arange(len(points)).repeat_interleave(count + 1)
        pairs = torch.stack([first, index.flatten()], dim=1).sort(dim=1).values
        edges = pairs[pairs[:, 0] < pairs[:, 1]].unique(dim=0)
        return cls(points, edges, Tube(points, distance[:, -1]))


def _nearest(
    part: Float[Tensor, "m d"], points: Float[Tensor, "n d"], count: int
) -> tuple[Float[Tensor, "m k"], Int[Tensor, "m k"]]:
    """The nearest points in order; the first is the point itself, or its double."""
    return tuple(torch.cdist(part, points).topk(count + 1, largest=False))
