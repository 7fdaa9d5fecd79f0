"""Metrics against their definitions, on tables written by hand."""

import math

import pytest
import torch

from gicnn.evaluation.metrics import bootstrap_intervals, summarise
from gicnn.models.predictions import predict
from gicnn.types import Split

TABLE = {
    "y": torch.tensor([1.0, 2.0, 3.0, 4.0]),
    "predicted": torch.tensor([1.0, 3.0, 3.0, 2.0]),
    "cycled": torch.tensor([1.5, 3.0, 3.0, 2.5]),
    "cycled_hard": torch.tensor([1.0, 3.0, 7.0, 2.0]),
    "squared_error": torch.tensor([0.01, 0.03, 0.0, 0.0]),
    "exact": torch.tensor([True, True, False, True]),
}


def test_property_and_invariance():
    numbers = summarise(TABLE, "gaussian")
    assert numbers["count"] == 4
    assert numbers["property_mae"] == pytest.approx(0.75)
    assert numbers["property_rmse"] == pytest.approx(math.sqrt(5 / 4))
    assert numbers["invariance_mae"] == pytest.approx(0.25)


def test_reconstruction_of_pictures():
    numbers = summarise(TABLE, "gaussian")
    assert numbers["reconstruction_mse"] == pytest.approx(0.01)
    assert numbers["reconstruction_psnr"] == pytest.approx(20.0)


def test_reconstruction_of_graphs():
    numbers = summarise(TABLE, "categorical")
    assert numbers["reconstruction_exact"] == pytest.approx(0.75)
    assert numbers["invariance_hard_mae"] == pytest.approx(1.0)


def test_valid_graphs_are_counted_where_somebody_looked():
    valid = torch.tensor([True, True, False, False])
    assert "reconstruction_valid" not in summarise(TABLE, "categorical")
    assert summarise(TABLE | {"valid": valid}, "categorical")["reconstruction_valid"] == 0.5
    low, high = bootstrap_intervals(TABLE | {"valid": valid}, "categorical")[
        "reconstruction_valid"
    ]
    assert 0 <= low < 0.5 < high <= 1


def table_of(error):
    """Predictions with given errors, everything else perfect."""
    y = torch.zeros_like(error)
    return TABLE | {"y": y, "predicted": error, "cycled": error, "cycled_hard": error}


def test_intervals_have_the_width_of_the_standard_error():
    error = torch.randn(4000, generator=torch.Generator().manual_seed(0))
    low, high = bootstrap_intervals(table_of(error), "gaussian")["property_mae"]
    expected = 2 * 1.96 * error.abs().std().item() / math.sqrt(len(error))

    assert low < error.abs().mean() < high
    assert high - low == pytest.approx(expected, rel=0.05)


def test_intervals_are_the_same_each_time_and_cover_what_is_summarised():
    numbers = summarise(TABLE, "categorical")
    intervals = bootstrap_intervals(TABLE, "categorical")

    assert intervals == bootstrap_intervals(TABLE, "categorical")
    assert set(intervals) == set(numbers) - {"count", "property_sd"}
    assert all(low <= numbers[name] <= high for name, (low, high) in intervals.items())


def test_what_never_varies_has_no_width():
    intervals = bootstrap_intervals(TABLE | {"exact": torch.ones(4) == 1}, "categorical")
    assert intervals["reconstruction_exact"] == [1.0, 1.0]


def test_prediction_is_the_known_function(exact):
    x = torch.randn(30, 2)
    table = predict(exact, Split(x, torch.zeros(30), torch.arange(30)), batch_size=7)

    assert torch.allclose(table["predicted"], 1 + 2 * x.square().sum(-1), atol=1e-5)
    assert torch.allclose(table["cycled"], table["predicted"], atol=1e-5)
    assert table["squared_error"].max() < 1e-10


def test_perfect_graphs_count_as_exact_and_one_wrong_bit_does_not(graphs):
    x = torch.tensor([[1.0, 0, 0, 1], [0, 1, 0, 1], [0, 1, 1, 0]])
    split = Split(x, torch.zeros(3), torch.arange(3))
    assert predict(graphs, split)["exact"].all()

    graphs.decoder.forward = lambda z: 20 * torch.cat([z[:, :2], z[:, [3, 2]]], -1)
    assert not predict(graphs, split)["exact"].any()
