"""Formulas of level curves against the functions themselves."""

import pytest
import torch

from gicnn.data.grids import FUNCTIONS
from gicnn.data.true_curves import TRUE_CURVES


@pytest.mark.parametrize("level", [0.5, 2.0, 10.0])
@pytest.mark.parametrize("name", TRUE_CURVES)
def test_a_true_curve_is_at_its_level_everywhere(name, level):
    y = FUNCTIONS[name](torch.as_tensor(TRUE_CURVES[name](level, 999)))

    assert y.shape == (999,)
    assert (y - level).abs().max() < 1e-6 * level


@pytest.mark.parametrize("name", TRUE_CURVES)
def test_a_true_curve_goes_all_the_way_round(name):
    """The valley's ends, where the first coordinate is farthest to either side, are both there."""
    across = TRUE_CURVES[name](2.0, 1000)[:, 0]

    assert across.max() == pytest.approx(0.1 + 0.4)
    assert across.min() == pytest.approx(0.1 - 0.4)


def test_the_curve_of_one_form_is_not_that_of_the_other():
    wrong = FUNCTIONS["rosenbrock"](torch.as_tensor(TRUE_CURVES["rosenbrock_printed"](2.0, 100)))
    assert (wrong - 2).abs().max() > 1
