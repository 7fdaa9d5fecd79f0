"""Many paths summed up: every level and kind has its marks, and nothing met leaves a gap."""

import numpy as np
import pytest

from gicnn.plotting import path_statistics as picture
from gicnn.plotting.save import save

WAYS = ("level_set", "great_circle", "straight")


def way(shift):
    deviation = {"mean": 5.0 + shift, "median": 4.0 + shift, "p10": 1.0, "p90": 9.0 + shift}
    shares = {"valid_share": 0.8, "found_share": 0.6, "paths_all_found_share": 0.4}
    parts = {"prediction_error": 2.0, "prediction_deviation": 6.0 + shift}
    return {**shares, **parts, "deviation": deviation}


def entry(name, level, shift):
    ways = {kind: way(shift + place) for place, kind in enumerate(WAYS)}
    others = {
        kind: {"deviation": way(far)["deviation"]}
        for kind, far in (("model", 0.0), ("random", 30.0))
    }
    return {"id": name, "level": level, **ways, **others}


@pytest.fixture
def summary():
    levels = [entry("cluster", 138.0, 0.0), entry("q10", 120.0, 1.0), entry("q90", 200.0, 2.0)]
    return {"model_mae": 4.5, "levels": levels}


def draw(summary):
    return picture.draw(picture.numbers(summary), quantity="gap, kcal/mol")


def test_the_table_has_each_level_and_kind_from_low_to_high(summary):
    numbers = picture.numbers(summary)

    assert numbers["level"].tolist() == [120.0] * 5 + [138.0] * 5 + [200.0] * 5
    assert numbers["kind"].tolist() == [*WAYS, "model", "random"] * 3
    assert numbers.query("level_id == 'q10' and kind == 'straight'")["median"].item() == 7.0
    assert numbers.query("kind == 'random'")["valid_share"].isna().all()


def test_medians_stand_in_the_rows_of_their_levels(summary):
    left, right, parts = draw(summary).axes
    medians = {line.get_label(): line for line in left.lines if line.get_label()[0] != "_"}
    means = [line for line in left.lines if line.get_marker() == "|"]

    assert len(medians) == len(means) == 5
    assert means[0].get_xdata().tolist() == [6.0, 5.0, 7.0]
    assert medians["level set by angles"].get_xdata().tolist() == [5.0, 4.0, 6.0]
    assert np.round(medians["level set by angles"].get_ydata()).tolist() == [0, 1, 2]
    assert [label.get_text() for label in left.get_yticklabels()] == ["120", "138", "200"]
    assert len(right.lines) == 9
    assert all(np.all(np.diff(line.get_xdata()) > 0) for line in right.lines)
    assert [bar.get_width() for bar in parts.patches] == [2.0, 2.0, 2.0, 7.0, 6.0, 8.0]


def test_the_band_reaches_to_the_error_of_the_model(summary):
    (band,) = draw(summary).axes[0].patches
    assert band.get_x() + band.get_width() == 4.5


def test_a_model_that_meets_nothing_has_its_figure_all_the_same(summary, tmp_path):
    for kind in WAYS:
        nothing = dict.fromkeys(
            ("found_share", "paths_all_found_share", "deviation", "prediction_error")
        )
        summary["levels"][0][kind] = {"valid_share": 0.0, **nothing}
    numbers = picture.numbers(summary)
    paths = {form: tmp_path / f"a.{form}" for form in ("svg", "png")}
    save(draw(summary), numbers, **paths, table=tmp_path / "a.parquet")

    assert numbers.query("level_id == 'cluster' and kind == 'level_set'")["median"].isna().all()
    assert paths["png"].stat().st_size > 0
