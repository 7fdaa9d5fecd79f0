"""Figure 3: all levels, the border of the training data, and the errors by distance."""

import pytest

from gicnn.plotting import curve_family
from gicnn.plotting.plane import of


@pytest.fixture
def numbers(curves, minima, landscape, extrapolation, true_curve):
    return curve_family.numbers(curves, minima, landscape, extrapolation, true_curve)


@pytest.fixture
def figure(numbers):
    return curve_family.draw(numbers, window=3.0)


def texts(legend):
    return [text.get_text() for text in legend.get_texts()]


def test_every_level_is_in_both_spaces_and_the_square_in_one(numbers):
    for panel in ("latent", "input"):
        assert set(of(numbers, panel=panel, series="curve")["level"]) == {1.0, 2.0, 3.0}
    square = of(numbers, series="training square")
    assert set(square["panel"]) == {"input"}
    assert len(square) == 5


def test_true_curves_are_in_the_input_space_one_for_each_level(numbers, true_curve):
    true = of(numbers, series="true curve")

    assert set(true["panel"]) == {"input"}
    assert set(true["level"]) == {1.0, 2.0, 3.0}
    third = true[true["level"] == 3.0]
    assert third["horizontal"].tolist() == true_curve(3.0, len(third))[:, 0].tolist()


def test_the_legend_names_each_level_once_highest_first_and_the_truth(figure):
    levels, errors = (part.legends[0] for part in figure.subfigs)

    assert texts(levels) == ["3", "2", "1", "true", "minimum"]
    assert [text.split(",")[0] for text in texts(errors)] == [
        "error of $y$",
        "distance from the true curve",
    ]


def test_curves_have_the_colour_of_their_level_in_both_panels(figure):
    latent, plane, _ = figure.axes
    colours = [[tuple(line.get_color()) for line in axes.lines[-3:]] for axes in (latent, plane)]

    assert colours[0] == colours[1]
    assert len(set(colours[0])) == 3


@pytest.mark.parametrize("window", [2.0, 5.0])
def test_the_view_ends_at_the_window_and_holds_the_training_square(numbers, window):
    _, plane, _ = curve_family.draw(numbers, window=window).axes

    assert of(numbers, panel="input", series="curve")["vertical"].max() > 5
    assert plane.get_ylim()[1] == pytest.approx(0.4 * window)
    assert plane.get_ylim()[0] < -0.4
    assert plane.get_xlim()[0] < -0.4 < 0.4 < plane.get_xlim()[1]


def test_errors_are_shares_in_per_cent_by_distance(numbers, extrapolation):
    shown = of(numbers, panel="error", series="relative_error")
    table = extrapolation.query("quantity == 'relative_error' and points > 0")

    assert set(of(numbers, panel="error")["series"]) == {"relative_error", "displacement"}
    assert shown["horizontal"].tolist() == table["distance_from"].tolist()
    assert shown["vertical"].tolist() == pytest.approx((100 * table["median"]).tolist())
    assert (shown["low"] <= shown["vertical"]).all()
    assert (shown["vertical"] <= shown["high"]).all()


def test_the_last_range_has_an_end_to_be_drawn_to(numbers):
    until = of(numbers, panel="error", series="relative_error")["until"]
    assert until.tolist() == [1.0, 2.0, 6.0]


def test_error_steps_go_over_all_ranges_and_the_training_data_are_marked(figure):
    axes = figure.axes[2]
    error, displacement, border = axes.lines

    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert error.get_xdata().tolist() == [0.5, 1.0, 2.0, 6.0]
    assert error.get_ydata().tolist() == pytest.approx([1.0, 3.0, 30.0, 30.0])
    assert len(displacement.get_xdata()) == 4
    assert set(border.get_xdata()) == {1}
    assert [text.get_text() for text in axes.texts] == ["training data"]


def test_without_a_true_curve_its_distance_is_not_drawn(
    curves, minima, landscape, extrapolation, true_curve
):
    unknown = extrapolation["quantity"] == "displacement"
    blind = extrapolation.copy()
    blind.loc[unknown, ["low", "median", "high", "mean"]] = float("nan")
    numbers = curve_family.numbers(curves, minima, landscape, blind, true_curve)

    assert of(numbers, series="displacement").empty
    assert len(curve_family.draw(numbers, window=3.0).axes[2].lines) == 2
