"""Many paths: each pair of classes has its share, and what is summed up is what was walked."""

import copy

import numpy as np
import pytest
import torch

from gicnn.evaluation.images.statistics import draw_class_pairs, measure_image_paths
from gicnn.evaluation.images.support import Support
from gicnn.types import Split

SETTINGS = {
    "levels": [9.0, 19.0],
    "candidates": 20,
    "pairs": 5,
    "steps": 9,
    "starts": 4,
    "seed": 0,
}


@pytest.fixture
def pictures():
    """Points of the plane in three classes, y = 1 + 2 |x|^2."""
    x = 2 * torch.randn(600, 2)
    y = 1 + 2 * x.square().sum(-1)
    split = Split(x, y, torch.arange(600), torch.arange(600) % 3)
    return {"train": split, "validation": split, "test": split}


@pytest.fixture
def measured(exact, pictures):
    judge = copy.deepcopy(exact)
    judge.offset += 0.5
    return measure_image_paths(exact, judge, pictures, **SETTINGS)


def test_every_ordered_pair_of_classes_has_as_many_paths(measured):
    table = measured[0]
    paths = table.groupby(["level", "kind", "start_label", "end_label"])["pair"].nunique()

    assert len(paths) == 2 * 3 * 6
    assert set(paths) == {5}
    assert (table.groupby(["level", "kind", "start_label", "end_label", "pair"]).size() == 9).all()


def test_level_set_paths_keep_the_angle_and_straight_lines_do_not(measured):
    summary = measured[2]["all"]

    assert summary["level_set"]["deviation"] == pytest.approx(0.5, abs=1e-4)
    assert summary["level_set"]["interval"] == pytest.approx([0.5, 0.5], abs=1e-4)
    assert summary["level_set"]["cycle_deviation"] < 1e-4
    assert summary["straight"]["deviation"] > 1
    over = summary["level_set"]["over_straight"]
    assert over["value"] == pytest.approx(0.5 / summary["straight"]["deviation"], abs=1e-3)
    assert over["interval"][0] < over["value"] < over["interval"][1] < 1
    assert len(summary["level_set"]["by_classes"]) == 6
    assert all(
        pair["deviation"] == pytest.approx(0.5, abs=1e-4)
        for pair in summary["level_set"]["by_classes"]
    )
    assert summary["straight"]["by_position"][0] == pytest.approx(0.5, abs=1e-4)
    assert measured[2]["judge_test_mae"] == pytest.approx(0.5, abs=1e-5)
    assert measured[2]["judge_reconstruction_mae"] == pytest.approx(0.5, abs=1e-4)


def test_steps_are_measured_against_the_distance_of_the_ends(measured):
    table = measured[0]
    straight = table[table["kind"] == "straight"]

    assert straight["step"].dropna().to_numpy() == pytest.approx(1 / 8)
    assert straight["step"].isna().sum() == straight["pair"].count() / 9
    assert measured[2]["all"]["straight"]["largest_step"]["max"] == pytest.approx(1 / 8)
    assert measured[2]["all"]["level_set"]["largest_step"]["mean"] > 1 / 8


def test_the_pictures_of_each_class_pair_are_kept(measured, exact):
    pictures = measured[1]

    assert len(pictures) == 6 * 7
    assert pictures.groupby(["start_label", "end_label"])["t"].apply(list).map(len).eq(7).all()
    first = torch.tensor(np.stack(pictures["image"].tolist()))
    assert exact.predict(exact.encode(first)).detach() == pytest.approx(19.0, abs=1e-3)


def test_pairs_are_of_their_classes_and_near_the_level(pictures):
    generator = torch.Generator().manual_seed(0)
    test = pictures["test"]
    pairs = draw_class_pairs(test, 9.0, [(0, 2), (2, 0)], 20, 5, generator)

    assert test.label[pairs].tolist() == [[0, 2]] * 5 + [[2, 0]] * 5
    assert (test.y[pairs] - 9).abs().max() < 3
    assert len(pairs[:5, 0].unique()) == 5


def test_more_pairs_than_candidates_is_refused(pictures):
    with pytest.raises(ValueError, match="9 pairs are wanted of 8 candidates"):
        draw_class_pairs(pictures["test"], 9.0, [(0, 1)], 8, 9, torch.Generator())


def test_a_level_below_the_minimum_gives_nothing_and_says_so(exact, pictures):
    judge = copy.deepcopy(exact)
    plan = SETTINGS | {"levels": [-5.0]}
    _, _, summary = measure_image_paths(exact, judge, pictures, **plan)

    assert summary["all"]["level_set"]["deviation"] is None
    assert summary["all"]["level_set"]["outside_share"] is None


def test_the_region_holds_nearly_all_test_codes_and_nothing_far_away():
    codes, others = torch.rand(500, 2), torch.rand(400, 2)
    support = Support(codes, others)

    assert 0.985 <= (support.distance(others) <= support.radius).float().mean() <= 0.995
    assert support.distance(torch.tensor([[5.0, 5.0]])).item() > 10 * support.radius
    assert support.distance(torch.tensor([[torch.nan, 0.0]])).isnan().all()
