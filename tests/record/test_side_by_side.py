"""Models side by side."""

import csv
import math

from gicnn.record.side_by_side import compare_models, save_rows


def metrics(model, **numbers):
    return {"dataset": "qm9", "model": model, "splits": {"test": numbers}}


def test_seeds_of_a_model_are_one_row_with_mean_and_deviation(tmp_path):
    rows = compare_models(
        [
            metrics("plain", property_mae=4.0, invariance_mae=0.1, count=9),
            metrics("plain-less", property_mae=6.0),
            metrics("plain", property_mae=5.0, invariance_mae=0.3, count=9),
        ]
    )
    save_rows(tmp_path / "table.csv", rows)
    with (tmp_path / "table.csv").open() as stream:
        plain, less = csv.DictReader(stream)

    assert (plain["model"], plain["seeds"], plain["property_mae"]) == ("plain", "2", "4.5")
    assert math.isclose(float(plain["property_mae_sd"]), 0.5**0.5, rel_tol=1e-3)
    assert plain["invariance_mae"] == "0.2"
    assert (less["model"], less["seeds"], less["property_mae"]) == ("plain-less", "1", "6")
    assert less["property_mae_sd"] == less["invariance_mae"] == ""
    assert "count" not in plain


def test_one_seed_has_the_ends_of_its_interval_and_several_the_outermost():
    ends = ([3.9, 4.2], [4.8, 5.1])
    first, second = (
        metrics("both", property_mae=sum(pair) / 2)
        | {"intervals": {"test": {"property_mae": pair}}}
        for pair in ends
    )
    (single,) = compare_models([first])
    (several,) = compare_models([second, first])
    (without,) = compare_models([metrics("both", property_mae=4.0)])
    assert (single["property_mae_low"], single["property_mae_high"]) == (3.9, 4.2)
    assert (several["property_mae_low"], several["property_mae_high"]) == (3.9, 5.1)
    assert "property_mae_low" not in without
