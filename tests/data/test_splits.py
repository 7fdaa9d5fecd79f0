"""Splits are disjoint, complete, and follow from the seed alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gicnn.data.splits import UNUSED, draw_splits, split_digests
from gicnn.types import SPLITS


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 9))
def test_each_split_has_its_size_and_the_rest_is_unused(train, validation, test, seed):
    sizes = {"train": train, "validation": validation, "test": test}

    split = draw_splits(sum(sizes.values()) + 3, sizes, seed)

    assert [int((split == number).sum()) for number in range(3)] == [train, validation, test]
    assert (split == UNUSED).sum() == 3


def test_the_seed_decides():
    sizes = {"train": 60, "validation": 20, "test": 20}

    assert (draw_splits(100, sizes, 1) == draw_splits(100, sizes, 1)).all()
    assert (draw_splits(100, sizes, 1) != draw_splits(100, sizes, 2)).any()


def test_shrinking_the_training_part_keeps_the_test_part():
    whole = draw_splits(100, {"train": 60, "validation": 20, "test": 20}, 1)
    small = draw_splits(100, {"train": 10, "validation": 20, "test": 20}, 1)

    assert ((whole == 2) == (small == 2)).all()
    assert ((whole == 1) == (small == 1)).all()


def test_asking_for_too_many_says_how_many_there_are():
    with pytest.raises(ValueError, match="11 in all, from 10 samples"):
        draw_splits(10, {"train": 8, "test": 3}, 0)


def test_digests_tell_which_samples_a_split_has_but_not_their_order():
    index = np.arange(10)
    split = draw_splits(10, {"train": 6, "validation": 2, "test": 2}, 0)
    order = np.random.default_rng(0).permutation(10)

    digests = split_digests(split, index)

    assert list(digests) == list(SPLITS)
    assert split_digests(split[order], index[order]) == digests
    assert split_digests(split, index + 1)["test"] != digests["test"]
