"""Valleys of a function that barriers keep apart, as a sample of points shows them."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.evaluation.connectedness.neighbours import Sample
from gicnn.evaluation.connectedness.passes import evaluate, lower_path, segment_heights
from gicnn.evaluation.connectedness.terrain import Merger, Terrain
from gicnn.levelset import ScalarFunction

__all__ = ["Valley", "find_valleys"]


@dataclass(frozen=True)
class Valley:
    """Where a function is low, with all around it higher."""

    bottom: int
    """Position of its lowest point in the sample."""
    value: float
    """Of the function there."""
    barrier: float | None
    """From there to the lowest pass into a deeper valley; None for the deepest."""
    witnesses: int | None
    """Examples in it that were measured below that pass; None for the deepest."""


def find_valleys(
    function: ScalarFunction,
    points: Float[Tensor, "n d"],
    measured: Float[Tensor, " n"],
    *,
    neighbours: int,
    rise: float,
    support: int,
) -> list[Valley]:
    """Count the valleys of a function that its error does not explain.

    The sample becomes a graph of near neighbours, which is flooded: two valleys merge at the
    lowest pass between them (0-dimensional persistence of the sublevel sets). As a path over the
    points of a sample may be higher than need be, each pass that keeps two valleys apart is
    lowered by letting the path slide downhill, within the space that the sample fills. What is
    left is a barrier.

    Shapes:
        function: (*batch, d) -> (*batch,), points: (n, d), measured: (n,)

    Args:
        function: Differentiable but for kinks; where it is not finite, nothing passes.
        points: A sample of where the function means something.
        measured: At each point, in the function's unit; infinite where nothing was.
        neighbours: To how many others each point is joined.
        rise: Barriers that are no higher do not count, in the function's unit.
        support: A valley needs so many points that were measured below its pass.

    Returns:
        The valleys, deepest first. There is always one.

    Raises:
        ValueError: The function is finite at fewer than two points.

    Example:
        >>> x = torch.linspace(-2, 2, 41, dtype=torch.float64).unsqueeze(-1)
        >>> wells = lambda x: (x[..., 0].square() - 1).square() + 0.1 * x[..., 0]
        >>> found = find_valleys(wells, x, wells(x), neighbours=4, rise=0.1, support=5)
        >>> [round(x[valley.bottom].item(), 3) for valley in found]
        [-1.0, 1.0]
        >>> round(found[1].barrier, 2)
        0.9
    """
    values = evaluate(function, points)
    finite = values.isfinite().nonzero().squeeze(-1)
    kept = finite[_first_of_each(points[finite])]
    if len(kept) < 2:
        raise ValueError(
            f"the function is finite at {len(kept)} different ones of {len(points)} points; "
            f"valleys need two"
        )
    sample = Sample.of(points[kept], neighbours)
    terrain = _survey(function, sample, values[kept])
    lowest, mergers = _lower_passes(function, sample, terrain, measured[kept], rise, support)
    return _valleys(values, kept, lowest, mergers)


def _first_of_each(points: Float[Tensor, "n d"]) -> Int[Tensor, " m"]:
    """Drop repeated points: their neighbours would be each other alone."""
    _, group = points.unique(dim=0, return_inverse=True)
    order = torch.arange(len(points), device=points.device)
    first = order.new_full((int(group.max()) + 1 if len(group) else 0,), len(points))
    return first.scatter_reduce(0, group, order, "amin").sort().values


def _survey(function: ScalarFunction, sample: Sample, values: Float[Tensor, " n"]) -> Terrain:
    """An edge is as high as its ends and its middle: a finer ridge no example has shown."""
    ends = sample.points[sample.edges]
    between = segment_heights(function, ends[:, 0], ends[:, 1], looks=1)
    heights = torch.maximum(values[sample.edges].amax(dim=1), between)
    return Terrain(values, sample.edges, heights)


def _lower_passes(
    function: ScalarFunction,
    sample: Sample,
    terrain: Terrain,
    measured: Float[Tensor, " n"],
    rise: float,
    support: int,
) -> tuple[int, list[Merger]]:
    """Flood, lower the passes that are in the way, and flood again until none is new."""
    lowered: set[tuple[int, int]] = set()
    while True:
        lowest, mergers = terrain.mergers(measured, rise, support)
        pairs = [(merger.bottom, merger.deeper) for merger in mergers]
        fresh = [pair for pair in pairs if pair not in lowered]
        if not fresh:
            return lowest, mergers
        for pair in fresh:
            terrain.bridge(*pair, _lowest_way(function, sample, terrain, pair, rise))
        lowered.update(fresh)


def _lowest_way(
    function: ScalarFunction, sample: Sample, terrain: Terrain, pair: tuple[int, int], rise: float
) -> float:
    """Height of the better of two ways: from the straight one, and from that over the sample."""
    straight = lower_path(function, sample.points[list(pair)], sample.tube)
    if straight - terrain.values[pair[0]] <= rise:
        return straight
    return min(straight, lower_path(function, sample.points[terrain.way(*pair)], sample.tube))


def _valleys(
    values: Float[Tensor, " n"], kept: Tensor, lowest: int, mergers: list[Merger]
) -> list[Valley]:
    bottoms = [int(kept[position]) for position in (lowest, *(m.bottom for m in mergers))]
    depths = values[bottoms].tolist()
    others = [
        Valley(bottom, depth, merger.height - depth, merger.witnesses)
        for bottom, depth, merger in zip(bottoms[1:], depths[1:], mergers, strict=True)
    ]
    deepest = Valley(bottoms[0], depths[0], barrier=None, witnesses=None)
    return [deepest, *sorted(others, key=lambda valley: valley.value)]
