"""A picture's path is read by a judge of its own."""

import copy

import pytest
import torch

from gicnn.evaluation.images.path import follow_image_path
from gicnn.types import Split


def test_picture_path_is_judged_by_a_model_of_its_own(exact):
    x = torch.randn(200, 2)
    y = 1 + 2 * x.square().sum(-1)
    label = torch.arange(200) % 3
    split = Split(x, y, torch.arange(200), label)
    judge = copy.deepcopy(exact)
    judge.offset += 0.5
    tables, summary = follow_image_path(
        exact, judge, {"test": split, "validation": split},
        level=3.0, start_label=1, end_label=2, steps=7, starts=4,
    )  # fmt: skip
    references, path = tables

    assert references["label"].tolist() == [1, 2]
    assert references["index"][0] == (y - 3 + 1e6 * (label != 1)).abs().argmin()
    assert torch.allclose(path["y"], torch.full((7,), 3.0, dtype=torch.float64))
    assert summary["judge_deviation_mae"] == pytest.approx(0.5, abs=1e-5)
    assert summary["judge_test_mae"] == pytest.approx(0.5, abs=1e-5)
