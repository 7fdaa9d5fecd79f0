"""A picture's path is read by a judge of its own."""

import copy

import pytest
import torch

from gicnn.evaluation.images.path import follow_image_path
from gicnn.files import write_json
from gicnn.types import Split


def follow(exact, level):
    x = torch.randn(200, 2)
    y = 1 + 2 * x.square().sum(-1)
    split = Split(x, y, torch.arange(200), torch.arange(200) % 3)
    judge = copy.deepcopy(exact)
    judge.offset += 0.5
    plan = {"level": level, "start_label": 1, "end_label": 2, "steps": 7, "starts": 4}
    tables, summary = follow_image_path(exact, judge, {"test": split, "validation": split}, **plan)
    return split, *tables, summary


def test_picture_path_is_judged_by_a_model_of_its_own(exact):
    split, references, path, summary = follow(exact, 3.0)

    assert references["label"].tolist() == [1, 2]
    away = (split.y - 3 + 1e6 * (split.label != 1)).abs()
    assert references["index"][0] == away.argmin()
    assert torch.allclose(path["y"], torch.full((7,), 3.0, dtype=torch.float64))
    assert summary["judge_deviation_mae"] == pytest.approx(0.5, abs=1e-5)
    assert summary["judge_test_mae"] == pytest.approx(0.5, abs=1e-5)


def test_a_level_that_is_not_reached_leaves_a_path_of_nothing(exact, tmp_path):
    _, references, path, summary = follow(exact, -2.0)
    write_json(tmp_path / "summary.json", summary)

    assert references["y"].isfinite().all()
    assert path["image"].isnan().all()
    assert summary["judge_deviation_mae"] is None
    assert summary["judge_test_mae"] == pytest.approx(0.5, abs=1e-5)
