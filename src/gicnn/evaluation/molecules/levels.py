"""Levels of a property, and pairs of molecules near them."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.evaluation.molecules.clusters import Cluster, largest
from gicnn.evaluation.paths.references import nearest_to_level

__all__ = ["CLUSTER", "choose_levels", "draw_pairs"]

CLUSTER = "cluster"
"""The name of the level of Figure 6."""


def choose_levels(
    y: Float[Tensor, "n"], clusters: list[Cluster], shares: Sequence[float]
) -> dict[str, float]:
    """The mean of the largest cluster, and quantiles of a property.

    Args:
        y: The property of the training split.
        clusters: Of the same values.
        shares: Which quantiles, between 0 and 1.

    Returns:
        Levels by name: ``cluster``, then such as ``q10`` for the quantile 0.1.

    Example:
        >>> choose_levels(torch.arange(11.0), [Cluster(3, 2.5, 1.0)], [0.1, 0.5])
        {'cluster': 2.5, 'q10': 1.0, 'q50': 5.0}
    """
    levels = {CLUSTER: largest(clusters).mean}
    for share in shares:
        levels[f"q{100 * share:g}"] = torch.quantile(y.double(), share).item()
    return levels


def draw_pairs(
    y: Float[Tensor, "n"], level: float, candidates: int, pairs: int, generator: torch.Generator
) -> Int[Tensor, "pairs 2"]:
    """Draw different pairs among the examples whose property is nearest to a level.

    Args:
        y: The property of each example.
        level: The level.
        candidates: How many examples count as near.
        pairs: How many pairs.
        generator: Where chance comes from.

    Returns:
        Positions of the examples.

    Raises:
        ValueError: There are fewer examples than candidates, or fewer pairs of them than asked.
    """
    near = nearest_to_level(y, level, count=candidates)
    all_pairs = torch.combinations(torch.arange(candidates))
    if len(all_pairs) < pairs:
        raise ValueError(
            f"{candidates} candidates make {len(all_pairs)} pairs, {pairs} are wanted; "
            "raise candidates or lower pairs"
        )
    drawn = torch.randperm(len(all_pairs), generator=generator)[:pairs]
    return near[all_pairs[drawn]]
