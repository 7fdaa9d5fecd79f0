"""Figure 1: one curve in both spaces, with its pointer."""

import numpy as np
import pytest

from gicnn.plotting import single_curve
from gicnn.plotting.plane import of


@pytest.fixture
def numbers(curves, two_minima):
    return single_curve.numbers(curves, two_minima, level=1.9, angle=0.75)


def test_the_numbers_are_one_curve_one_minimum_and_one_pointer_in_each_space(numbers):
    counts = numbers.groupby(["panel", "series"]).size()

    assert counts.to_dict() == {
        (space, kind): count
        for space in ("input", "latent")
        for kind, count in (("curve", 40), ("minimum", 1), ("pointer", 1))
    }
    assert set(of(numbers, series="curve")["level"]) == {2.0}


def test_the_pointer_is_the_point_of_the_curve_nearest_to_the_angle(numbers, curves):
    pointer = of(numbers, series="pointer")
    step = np.diff(curves["angle"].head(2)).item()

    assert pointer["angle"].nunique() == 1
    assert abs(pointer["angle"].iloc[0] - 0.75) <= step / 2


def test_the_angle_of_the_pointer_may_be_any_turn(curves, minima):
    tips = [
        of(single_curve.numbers(curves, minima, level=2, angle=angle), series="pointer")["angle"]
        for angle in (0.75, 0.75 + 2 * np.pi, 0.75 - 2 * np.pi)
    ]
    assert len({tip.iloc[0] for tip in tips}) == 1


def test_the_picture_has_the_input_space_first_and_the_pointer_in_the_other(numbers):
    left, right = single_curve.draw(numbers).axes

    assert left.get_title(loc="left") == "(a)  input space, $y$ = 2"
    assert right.get_title(loc="left") == "(b)  latent space, $y$ = 2"
    assert len(left.lines) == 1
    assert len(right.lines) == 4  # curve, zero direction, arc, pointer
    assert [text.get_text() for text in right.texts] == [r"$\theta$", r"$\gamma(\theta)$"]
