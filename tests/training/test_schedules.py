"""Schedules at their ends."""

import pytest

from gicnn.training.schedules import beta_schedule, learning_rate_schedule


@pytest.mark.parametrize("shape", ["cosine", "polynomial"])
def test_learning_rate_falls_from_start_to_end(shape):
    rate = learning_rate_schedule(shape, 1e-3, 1e-5, power=2.0, steps=100)
    values = [rate(step) for step in range(101)]

    assert values[0] == pytest.approx(1e-3)
    assert values[-1] == pytest.approx(1e-5)
    assert values == sorted(values, reverse=True)


def test_constant_rate_stays():
    rate = learning_rate_schedule("constant", 1e-3, 1e-5, power=2.0, steps=100)
    assert {rate(step) for step in range(101)} == {1e-3}


def test_beta_counts_batches_across_epochs():
    beta = beta_schedule(1.0, 0.5, every=3, unit="batch", steps_per_epoch=2)
    assert [beta(step) for step in range(7)] == [1, 1, 1, 0.5, 0.5, 0.5, 0.25]


def test_unknown_words_are_named():
    with pytest.raises(ValueError, match="'week'"):
        beta_schedule(1.0, 0.5, 3, "week", 2)
    with pytest.raises(ValueError, match="'linear'"):
        learning_rate_schedule("linear", 1.0, 0.0, 1.0, 10)
