"""Figure 3: all levels, and the border of the training data."""

import pytest

from gicnn.plotting import curve_family
from gicnn.plotting.plane import of


@pytest.fixture
def numbers(curves, minima, landscape):
    return curve_family.numbers(curves, minima, landscape)


def test_every_level_is_in_both_spaces_and_the_square_in_one(numbers):
    for panel in ("latent", "input"):
        assert set(of(numbers, panel=panel, series="curve")["level"]) == {1.0, 2.0, 3.0}
    square = of(numbers, series="training square")
    assert set(square["panel"]) == {"input"}
    assert len(square) == 5


def test_the_legend_names_each_level_once_highest_first(numbers):
    figure = curve_family.draw(numbers, window=3.0)
    (legend,) = figure.legends

    assert [text.get_text() for text in legend.get_texts()] == ["3", "2", "1"]


def test_curves_have_the_colour_of_their_level_in_both_panels(numbers):
    latent, plane = curve_family.draw(numbers, window=3.0).axes
    colours = [[tuple(line.get_color()) for line in axes.lines[-3:]] for axes in (latent, plane)]

    assert colours[0] == colours[1]
    assert len(set(colours[0])) == 3


def test_the_view_ends_at_the_window_and_holds_the_training_square(numbers):
    _, plane = curve_family.draw(numbers, window=2.0).axes

    assert of(numbers, panel="input", series="curve")["vertical"].max() > 5
    assert plane.get_ylim()[1] < 1.2
    assert plane.get_xlim()[0] < -0.4 < 0.4 < plane.get_xlim()[1]
