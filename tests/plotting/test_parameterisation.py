"""Figure 2: rays in latent space and the same points in input space."""

import numpy as np
import pytest

from gicnn.plotting import parameterisation
from gicnn.plotting.plane import of


@pytest.fixture
def numbers(curves, minima, landscape):
    return parameterisation.numbers(curves, minima, landscape, level=1.0, rays=8)


def test_rays_are_even_turns_in_both_spaces(numbers):
    for panel in ("latent", "input"):
        angles = of(numbers, panel=panel, series="ray")["angle"].to_numpy()
        turned = np.mod(angles, 2 * np.pi)
        np.testing.assert_allclose(turned, np.arange(8) * np.pi / 4, atol=1e-12)


@pytest.mark.parametrize("level", [1.0, 3.0])
def test_the_landscape_is_the_one_close_to_the_curve(curves, minima, landscape, level):
    numbers = parameterisation.numbers(curves, minima, landscape, level=level, rays=8)
    dots = of(numbers, panel="latent", series="landscape")

    assert dots[["horizontal", "vertical"]].abs().to_numpy().max() == pytest.approx(level**2)
    assert set(dots["level"]) == {level}


def test_the_input_space_has_the_same_dots_as_the_latent_one(numbers, input_point):
    place = ["row", "column"]
    latent, plane = (
        of(numbers, panel=panel, series="landscape").set_index(place)[["horizontal", "vertical"]]
        for panel in ("latent", "input")
    )
    assert 0 < len(plane) < len(latent)
    np.testing.assert_allclose(plane, input_point(latent.loc[plane.index].to_numpy()))


def test_the_input_panel_shows_the_whole_curve_and_little_more(numbers):
    axes = parameterisation.draw(numbers).axes[1]
    curve = of(numbers, panel="input", series="curve")

    for name, (low, high) in zip(
        ("horizontal", "vertical"), (axes.get_xlim(), axes.get_ylim()), strict=True
    ):
        assert low < curve[name].min() < curve[name].max() < high
        assert high - low < 1.5 * (curve[name].max() - curve[name].min())


def test_a_large_landscape_is_thinned_evenly(curves, minima, landscape_of):
    fine = landscape_of(100)
    numbers = parameterisation.numbers(curves, minima, fine, level=1.0, rays=8)
    rows = of(numbers, panel="input", series="landscape")["row"].unique()

    assert rows.tolist() == list(range(0, 100, 3))


def test_each_point_is_numbered_in_both_panels(numbers):
    latent, plane, _ = parameterisation.draw(numbers).axes

    for axes in (latent, plane):
        assert [text.get_text() for text in axes.texts] == [str(n) for n in range(1, 9)]
    assert len(latent.lines) == 1 + 8
    assert len(plane.lines) == 1


@pytest.mark.parametrize("turn", [1, -1])
def test_numbers_stand_outside_the_curve_whichever_way_it_goes(turn):
    angle = np.linspace(0, 2 * np.pi, 50, endpoint=False)[::turn]
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    for place in circle[::7]:
        outward = parameterisation._outward(circle, place)
        np.testing.assert_allclose(outward, place, atol=0.01)
