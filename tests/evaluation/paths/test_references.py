"""Rules that choose references."""

import pytest
import torch

from gicnn.evaluation.paths.references import farthest_pair, nearest_to_level


def test_nearest_first_and_only_among_those_allowed():
    y = torch.tensor([1.0, 5.0, 4.4, 3.0])
    among = torch.tensor([True, True, False, True])
    assert nearest_to_level(y, 4.5, among, 2).tolist() == [1, 3]
    assert nearest_to_level(y, 4.5, count=1).tolist() == [2]


def test_too_few_examples_are_named():
    with pytest.raises(ValueError, match=r"2 examples are wanted near 4\.5, only 1"):
        nearest_to_level(torch.ones(3), 4.5, torch.tensor([True, False, False]), 2)


def test_farthest_pair_is_seen_under_the_widest_angle():
    z = torch.tensor([[1.0, 0.1], [1.0, 0.0], [-9.0, 0.0], [0.0, 1.0]])
    assert farthest_pair(z, torch.zeros(2)) == (1, 2)
