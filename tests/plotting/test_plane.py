"""Layers hold what is drawn, and drawing adds nothing to them."""

import numpy as np
import pandas as pd
import pytest

from gicnn.plotting.plane import (
    corners,
    draw_curves,
    draw_mesh,
    layer,
    look_at,
    lowest,
    nearest_level,
    of,
)
from gicnn.plotting.style import new_figure


@pytest.fixture
def axes():
    return new_figure(3, 3).subplots()


@pytest.mark.parametrize(
    ("space", "names"), [("input", ["x_1", "x_2"]), ("latent", ["z_1", "z_2"])]
)
def test_a_layer_takes_the_coordinates_of_its_space(curves, space, names):
    points = layer(curves, "here", "curve", space)

    np.testing.assert_array_equal(points[["horizontal", "vertical"]], curves[names])
    np.testing.assert_array_equal(points["level"], curves["level"])
    assert set(points["panel"]) == {"here"}


def test_a_layer_without_curve_or_level_says_so(minima):
    points = layer(minima, "here", "minimum", "input")

    assert points["curve"].tolist() == [-1]
    assert points["level"].isna().all()


def test_layers_of_all_kinds_fit_under_each_other(curves, minima, landscape):
    kinds = [layer(part, "here", "any", "input") for part in (curves, minima, landscape)]
    assert len({tuple(kind.columns) for kind in kinds}) == 1


def test_the_nearest_level_is_taken(curves):
    assert set(nearest_level(curves, 2.4)["level"]) == {2.0}


def test_of_no_level_curve_none_is_taken(curves):
    assert nearest_level(curves.iloc[:0], 1.0).empty


def test_the_lowest_minimum_is_one(two_minima):
    assert lowest(two_minima)["minimum"].tolist() == [0]


def test_corners_go_round_the_training_square(landscape):
    border = corners(landscape, "input")

    assert border[["x_1", "x_2"]].abs().to_numpy() == pytest.approx(0.4)
    assert border.iloc[0][["x_1", "x_2"]].equals(border.iloc[-1][["x_1", "x_2"]])


def drawn_lines(axes, curves):
    draw_curves(axes, layer(curves, "here", "curve", "latent"))
    return [line.get_xydata() for line in axes.lines]


def test_each_curve_is_one_closed_line(axes, curves):
    lines = drawn_lines(axes, curves.sample(frac=1, random_state=0))

    assert len(lines) == curves["curve"].nunique()
    for line in lines:
        np.testing.assert_array_equal(line[0], line[-1])
        assert np.isfinite(line).all()


@pytest.mark.parametrize("last", [9, 39])
def test_a_curve_is_broken_where_it_does_not_go_on(axes, curves, last):
    one = curves[curves["curve"] == 0]
    (line,) = drawn_lines(axes, one.assign(goes_on=one["point"] != last))

    holes = np.isnan(line).all(axis=1)
    assert np.flatnonzero(holes) == [last + 1]


def test_a_mesh_puts_each_value_at_its_place(axes, landscape):
    grid = layer(of(landscape, space="latent"), "here", "landscape", "latent")
    mesh = draw_mesh(axes, grid.sample(frac=1, random_state=0), scale=None)

    values = pd.Series(grid["value"].to_numpy(), index=[grid["row"], grid["column"]])
    np.testing.assert_array_equal(mesh.get_array()[3, 5], values[3, 5])


def test_the_view_is_a_square_around_the_box(axes):
    box = {"horizontal": [0.0, 1.0], "vertical": [5.0, 9.0]}
    look_at(axes, pd.DataFrame(box).loc[0], pd.DataFrame(box).loc[1])

    assert axes.get_xlim() == pytest.approx((0.5 - 2.08, 0.5 + 2.08))
    assert axes.get_ylim() == pytest.approx((7 - 2.08, 7 + 2.08))
