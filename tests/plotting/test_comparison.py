"""Figure 4: two models side by side."""

import pytest

from gicnn.plotting import comparison
from gicnn.plotting.plane import of


@pytest.fixture
def numbers(curves, minima, two_minima, landscape):
    tables = {"curves": curves, "landscape": landscape.assign(true_y=landscape["y"] + 100)}
    return comparison.numbers(
        {"convex": {**tables, "minima": minima}, "free": {**tables, "minima": two_minima}}
    )


def test_panels_are_each_model_in_each_space(numbers):
    assert numbers["panel"].unique().tolist() == [
        "convex, latent space",
        "convex, input space",
        "free, latent space",
        "free, input space",
    ]


def test_landscapes_are_predicted_and_the_true_one_is_in_input_space_alone(numbers):
    true = of(numbers, series="true landscape")

    assert of(numbers, series="landscape")["value"].max() < 100
    assert true["value"].min() > 100
    assert set(true["panel"]) == {"convex, input space", "free, input space"}


def test_minima_of_each_model_are_all_drawn(numbers):
    axes = comparison.draw(numbers).axes[:4]
    dots = [panel.collections[-1].get_offsets() for panel in axes]

    assert [len(points) for points in dots] == [1, 1, 2, 2]
    assert [panel.get_title(loc="left")[:3] for panel in axes] == ["(a)", "(b)", "(c)", "(d)"]
    assert [len(panel.lines) for panel in axes] == [3, 3, 3, 3]


def test_a_model_without_level_curves_still_shows_its_landscape(curves, minima, landscape):
    tables = {"curves": curves, "minima": minima, "landscape": landscape}
    bare = {**tables, "curves": curves.iloc[:0]}
    axes = comparison.draw(comparison.numbers({"with": tables, "without": bare})).axes[:4]

    assert [len(panel.lines) for panel in axes] == [3, 3, 0, 0]
