"""Which valleys merge where, as a graph over points is flooded (0-dimensional persistence)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree
from torch import Tensor

__all__ = ["Merger", "Terrain"]


@dataclass(frozen=True)
class Merger:
    """Two valleys that become one at a pass."""

    bottom: int
    """Position of the higher one's lowest point."""
    deeper: int
    """Position of the lower one's."""
    height: float
    """Of the lowest pass between them."""
    witnesses: int
    """Examples in the higher one that were measured below the pass."""


class Terrain:
    """Heights on a graph.

    Args:
        values: Of the vertices, finite, (n,).
        edges: Pairs of vertices, (e, 2).
        heights: Of the edges, (e,); infinite where nothing passes.
    """

    def __init__(
        self,
        values: Float[Tensor, " n"],
        edges: Int[Tensor, "e 2"],
        heights: Float[Tensor, " e"],
    ) -> None:
        self.values = values
        self.edges = edges[heights.isfinite()]
        self.heights = heights[heights.isfinite()]

    def bridge(self, first: int, second: int, height: float) -> None:
        """Add an edge, if it is passable."""
        if np.isfinite(height):
            self.edges = torch.cat([self.edges, torch.tensor([[first, second]])])
            self.heights = torch.cat([self.heights, self.heights.new_tensor([height])])

    def tree(self) -> Int[Tensor, " m"]:
        """Edges, lowest first, that join all vertices as low as can be."""
        order = self.heights.argsort(stable=True)
        # By rank, since scipy takes a weight of zero for no edge.
        tree = minimum_spanning_tree(self._matrix(order, np.arange(1, len(order) + 1)))
        return order[torch.from_numpy(np.sort(tree.data).astype(np.int64) - 1)]

    def _matrix(self, chosen: Int[Tensor, " m"], weights: np.ndarray) -> coo_array:
        size = len(self.values)
        return coo_array((weights, tuple(self.edges[chosen].numpy().T)), shape=(size, size))

    def way(self, first: int, second: int) -> list[int]:
        """Vertices from one to another on the tree: no other way has a lower highest edge."""
        tree = self.tree()
        graph = self._matrix(tree, np.ones(len(tree)))
        _, before = breadth_first_order(graph, first, directed=False)
        steps = [second]
        while steps[-1] != first:
            steps.append(int(before[steps[-1]]))
        return steps

    def mergers(
        self, measured: Float[Tensor, " n"], rise: float, support: int
    ) -> tuple[int, list[Merger]]:
        """Flood the graph and note where two valleys merge that both count.

        A valley counts if the pass is more than ``rise`` above its lowest point and at least
        ``support`` examples in it were measured below the pass. Of two valleys one of which does
        not count, the other's lowest point is the union's. Parts of the graph that no edge
        joins are joined at their lowest points: of what lies between them nothing is known.

        Args:
            measured: What was measured at each vertex; infinite where nothing was.
            rise: In the unit of the heights.
            support: Number of examples.

        Returns:
            The lowest point of all that count, and the mergers, lowest pass first.
        """
        flood = _Flood(self.values.tolist(), measured.tolist(), rise, support)
        tree = self.tree()
        for ends, height in zip(
            self.edges[tree].tolist(), self.heights[tree].tolist(), strict=True
        ):
            flood.join(*ends, height)
        return flood.finish(), flood.mergers


class _Flood:
    """Union of vertices, edge by edge."""

    def __init__(
        self, values: Sequence[float], measured: Sequence[float], rise: float, support: int
    ) -> None:
        vertices = range(len(values))
        self.values, self.rise, self.support = values, rise, support
        self.part = list(vertices)
        self.members = [[vertex] for vertex in vertices]
        self.bottom = list(vertices)
        self.measured = [[value] if np.isfinite(value) else [] for value in measured]
        self.mergers: list[Merger] = []

    def join(self, first: int, second: int, height: float) -> None:
        """Let the parts of two vertices become one."""
        pair = (self.part[first], self.part[second])
        low, high = sorted(pair, key=lambda part: self.values[self.bottom[part]])
        kept = low
        if self._counts(high, height):
            kept = low if self._counts(low, height) else high
            if kept == low:
                self._note(low, high, height)
        self._unite(low, high, self.bottom[kept])

    def finish(self) -> int:
        """Join what is still apart, and tell the lowest point that is left."""
        for other in dict.fromkeys(self.part):
            ends = self.bottom[self.part[0]], self.bottom[other]
            if self.part[ends[0]] != self.part[ends[1]]:
                self.join(*ends, max(self.values[end] for end in ends))
        return self.bottom[self.part[0]]

    def _counts(self, part: int, height: float) -> bool:
        rises = height - self.values[self.bottom[part]] > self.rise
        return rises and self._witnesses(part, height) >= self.support

    def _witnesses(self, part: int, height: float) -> int:
        return sum(value < height for value in self.measured[part])

    def _note(self, low: int, high: int, height: float) -> None:
        self.mergers.append(
            Merger(
                bottom=self.bottom[high],
                deeper=self.bottom[low],
                height=height,
                witnesses=self._witnesses(high, height),
            )
        )

    def _unite(self, first: int, second: int, bottom: int) -> None:
        small, large = sorted((first, second), key=lambda part: len(self.members[part]))
        for vertex in self.members[small]:
            self.part[vertex] = large
        self.members[large] += self.members[small]
        self.measured[large] += self.measured[small]
        self.bottom[large] = bottom
