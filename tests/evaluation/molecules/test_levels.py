"""Levels, and pairs near them."""

import pytest
import torch

from gicnn.evaluation.molecules.clusters import Cluster
from gicnn.evaluation.molecules.levels import choose_levels, draw_pairs


def drawn(y, level, candidates, pairs, seed=0):
    return draw_pairs(y, level, candidates, pairs, torch.Generator().manual_seed(seed))


def test_the_first_level_is_the_largest_cluster_s():
    clusters = [Cluster(3, 1.0, 0.1), Cluster(9, 5.0, 0.1)]
    levels = choose_levels(torch.linspace(0, 10, 101), clusters, [0.25])
    assert list(levels.items()) == [("cluster", 5.0), ("q25", pytest.approx(2.5))]


def test_pairs_are_different_and_near_the_level():
    y = torch.linspace(0, 100, 101)
    pairs = drawn(y, 50.0, candidates=11, pairs=55)

    assert len({frozenset(pair) for pair in pairs.tolist()}) == 55
    assert all(first != second for first, second in pairs.tolist())
    assert set(pairs.flatten().tolist()) == set(range(45, 56))


def test_the_seed_decides_which_pairs():
    y = torch.linspace(0, 100, 101)
    assert (drawn(y, 50.0, 20, 9) == drawn(y, 50.0, 20, 9)).all()
    assert (drawn(y, 50.0, 20, 9) != drawn(y, 50.0, 20, 9, seed=1)).any()


def test_more_pairs_than_there_are_is_refused():
    with pytest.raises(ValueError, match="4 candidates make 6 pairs, 7 are wanted"):
        drawn(torch.arange(9.0), 4.0, candidates=4, pairs=7)
