"""Clusters of a property's values (section 5.3: the level of Figure 6)."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.signal import argrelextrema
from scipy.stats import gaussian_kde

__all__ = ["Cluster", "cluster_values", "densest"]

_GRID = 2000


@dataclass(frozen=True)
class Cluster:
    """Values between two valleys of the density.

    Attributes:
        low: Lower end, in the values' unit.
        high: Upper end.
        count: How many values lie between.
        mean: Their mean.
        peak: The highest density between the ends, per unit.
    """

    low: float
    high: float
    count: int
    mean: float
    peak: float


def cluster_values(values: np.ndarray) -> list[Cluster]:
    """Cut values at the valleys of their kernel density (Gaussian, Scott's bandwidth).

    Args:
        values: Finite numbers, shape (n,), not all equal.

    Returns:
        The clusters from low to high; together they hold every value.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> two = np.concatenate([rng.normal(0, 1, 500), rng.normal(20, 1, 300)])
        >>> [cluster.count for cluster in cluster_values(two)]
        [500, 300]
    """
    grid = np.linspace(values.min(), values.max(), _GRID)
    density = gaussian_kde(values)(grid)
    valleys = grid[argrelextrema(density, np.less)[0]]
    ends = [-np.inf, *valleys, np.inf]
    clusters = []
    for low, high in pairwise(ends):
        inside = values[(values > low) & (values <= high)]
        peak = density[(grid > low) & (grid <= high)].max()
        bounds = max(low, values.min()), min(high, values.max())
        clusters.append(
            Cluster(*map(float, bounds), len(inside), inside.mean().item(), peak.item())
        )
    return clusters


def densest(clusters: list[Cluster]) -> Cluster:
    """The cluster with the highest peak, which need not hold the most values."""
    return max(clusters, key=lambda cluster: cluster.peak)
