"""Clusters of a property's values (section 5.3: the level of Figure 6)."""

from dataclasses import dataclass

import numpy as np
from sklearn.mixture import GaussianMixture

__all__ = ["Cluster", "cluster_values", "largest"]


@dataclass(frozen=True)
class Cluster:
    """The values that one component of a mixture explains best.

    Attributes:
        count: How many values.
        mean: Their mean, in the values' unit.
        deviation: Their standard deviation.
    """

    count: int
    mean: float
    deviation: float


def cluster_values(values: np.ndarray, components: int, seed: int) -> list[Cluster]:
    """Cluster numbers by a mixture of Gaussians.

    Args:
        values: Shape (n,).
        components: How many Gaussians.
        seed: Of the starts, the best of which is kept.

    Returns:
        The clusters that hold any value, from low to high.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> two = np.concatenate([rng.normal(0, 1, 500), rng.normal(20, 1, 300)])
        >>> [cluster.count for cluster in cluster_values(two, components=2, seed=0)]
        [500, 300]
    """
    mixture = GaussianMixture(components, n_init=5, tol=1e-5, max_iter=1000, random_state=seed)
    labels = mixture.fit_predict(values[:, None])
    members = [values[labels == label] for label in np.unique(labels)]
    clusters = [Cluster(len(part), float(part.mean()), float(part.std())) for part in members]
    return sorted(clusters, key=lambda cluster: cluster.mean)


def largest(clusters: list[Cluster]) -> Cluster:
    """The cluster that holds the most values."""
    return max(clusters, key=lambda cluster: cluster.count)
