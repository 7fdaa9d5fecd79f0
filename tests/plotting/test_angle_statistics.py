"""Many paths between pictures summed up: every level, kind and position has its place."""

import numpy as np
import pytest

from gicnn.plotting import angle_statistics as picture
from gicnn.plotting.save import save

WAYS = ("level_set", "great_circle", "straight")


def way(shift):
    return {
        "deviation": 2.0 + shift,
        "interval": [1.5 + shift, 2.5 + shift],
        "by_position": [1.0, 3.0 + shift, 1.0],
        "outside_by_position": [0.0, 0.2, 0.0],
    }


@pytest.fixture
def summary():
    ways = {kind: way(place) for place, kind in enumerate(WAYS)}
    levels = [{"level": level, "judge_mae_near": 1.0} | ways for level in (-36.0, 36.0)]
    return {"judge_test_mae": 1.1, "judge_reconstruction_mae": 1.3, "levels": levels}


def test_the_table_has_each_level_kind_and_position(summary):
    numbers = picture.numbers(summary)

    assert len(numbers) == 2 * 3 * 3
    row = numbers.query("level == 36 and kind == 'straight' and t == 0.5")
    assert row[["deviation", "outside", "path_deviation", "high"]].to_numpy().tolist() == [
        [5.0, 0.2, 4.0, 4.5]
    ]


def test_curves_are_means_over_levels_and_bands_the_judge_s_errors(summary):
    summary["levels"][0]["level_set"] = way(2.0)
    along, levels, outside = picture.draw(picture.numbers(summary)).axes

    assert along.lines[0].get_ydata().tolist() == [1.0, 4.0, 1.0]
    assert [band.get_height() for band in along.patches] == [1.3, 1.1]
    assert outside.lines[0].get_ydata().tolist() == [0.0, 20.0, 0.0]
    assert levels.lines[0].get_ydata().tolist() == [4.0, 2.0]
    assert [label.get_text() for label in levels.get_xticklabels()] == ["-36°", "36°"]


def test_what_no_path_reached_leaves_a_gap(summary, tmp_path):
    nothing = {"deviation": None, "interval": None}
    nothing |= {"by_position": [None] * 3, "outside_by_position": [None] * 3}
    summary["levels"][0] |= dict.fromkeys(WAYS, nothing)
    numbers = picture.numbers(summary)
    paths = {form: tmp_path / f"a.{form}" for form in ("svg", "png")}
    save(picture.draw(numbers), numbers, **paths, table=tmp_path / "a.parquet")

    assert np.isnan(numbers.query("level == -36")["deviation"]).all()
    assert paths["png"].stat().st_size > 0
