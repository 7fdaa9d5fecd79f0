"""The record in results/reference reaches what the default recipe is meant to reach."""

import json
from pathlib import Path

import pytest

REFERENCE = Path(__file__).resolve().parents[2] / "results/reference"

# On the test split, of one seed: number, end, limit.
GOALS = {
    "qm9_gicnn_approximate": [
        ("reconstruction_exact", "at least", 0.99),
        ("property_mae", "at most", 4.5),
        ("invariance_mae", "at most", 0.3),
    ],
    "fashion_mnist_gicnn_approximate": [
        ("property_mae", "at most", 1.5),
        ("invariance_mae", "at most", 1.0),
    ],
}


@pytest.mark.parametrize(
    ("model", "number", "end", "limit"),
    [(model, *goal) for model, goals in GOALS.items() for goal in goals],
)
def test_numbers_on_the_test_split(model, number, end, limit):
    metrics = json.loads((REFERENCE / f"metrics/{model}.json").read_text("utf-8"))
    value = metrics["splits"]["test"][number]
    assert value >= limit if end == "at least" else value <= limit
