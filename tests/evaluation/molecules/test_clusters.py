"""Clusters of one-dimensional values."""

import numpy as np
import pytest

from gicnn.evaluation.molecules.clusters import cluster_values, largest


@pytest.fixture
def values():
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(0, 1, 400), rng.normal(30, 3, 600)])


def test_clusters_hold_every_value_once(values):
    assert sum(cluster.count for cluster in cluster_values(values, 2, seed=0)) == len(values)


def test_largest_holds_the_most_values(values):
    cluster = largest(cluster_values(values, 2, seed=0))
    assert cluster.count == 600
    assert cluster.mean == pytest.approx(30, abs=0.5)
    assert cluster.deviation == pytest.approx(3, abs=0.5)


def test_same_seed_gives_the_same_clusters(values):
    assert cluster_values(values, 3, seed=1) == cluster_values(values, 3, seed=1)
