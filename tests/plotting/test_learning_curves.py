"""Learning curves: every epoch of every model, on the scale that is printed."""

import numpy as np
import pandas as pd
import pytest

from gicnn.plotting import learning_curves as picture
from gicnn.plotting.save import save

PRINTED = {"not_reconstructed": 0.03, "property_mae": 4.5, "invariance_mae": 0.4}


def history(epochs, exact):
    return pd.DataFrame(
        {
            "epoch": np.arange(1.0, epochs + 1),
            "loss": 1.0,
            "beta": 0.05,
            "learning_rate": 1e-3,
            "validation_reconstruction_exact": exact,
            "validation_property_mae": np.linspace(9, 5, epochs),
            "validation_invariance_mae": np.linspace(1, 0.2, epochs),
        }
    )


@pytest.fixture
def numbers():
    models = {"gicnn_approximate": history(60, 0.99), "baseline": history(7, 1.0)}
    return picture.numbers(models)


def draw(numbers):
    return picture.draw(
        numbers, quantity="gap, kcal/mol", printed=PRINTED, where="validation split, 9 molecules"
    )


def test_the_table_has_each_model_and_epoch(numbers):
    assert numbers["model"].value_counts().to_dict() == {"gicnn_approximate": 60, "baseline": 7}
    convex = numbers.query("model == 'gicnn_approximate'")
    assert convex["epoch"].tolist() == list(range(1, 61))
    assert convex["not_reconstructed"].to_numpy() == pytest.approx(0.01)
    assert convex["property_mae"].iloc[[0, -1]].tolist() == [9, 5]


def test_curves_and_printed_numbers_share_a_unit(numbers):
    panels = draw(numbers).axes
    for axes, scale, column in zip(panels, (100, 1, 1), PRINTED, strict=True):
        curves = {line.get_label(): np.asarray(line.get_ydata()) for line in axes.lines}
        rows = numbers.query("model == 'gicnn_approximate'")
        assert curves["input-convex"] == pytest.approx(scale * rows[column].to_numpy())
        assert set(curves["printed, test split"]) == {scale * PRINTED[column]}
    assert [axes.get_ylabel() for axes in panels[1:]] == [
        "MAE, kcal/mol",
        "change in one cycle, kcal/mol",
    ]


def test_a_model_without_an_error_leaves_a_gap_and_no_warning(numbers, tmp_path, recwarn):
    baseline = draw(numbers).axes[0].lines[1]
    assert np.isnan(baseline.get_ydata()).all()
    paths = {form: tmp_path / f"a.{form}" for form in ("svg", "png")}
    save(draw(numbers), numbers, **paths, table=tmp_path / "a.parquet")
    assert not recwarn
