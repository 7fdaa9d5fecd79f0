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


def test_the_latent_landscape_is_kept_about_the_curve_only(numbers, curves, landscape):
    reach = curves.query("level == 1")[["z_1", "z_2"]].abs().to_numpy().max()
    dots = of(numbers, panel="latent", series="landscape")
    farthest = dots[["horizontal", "vertical"]].abs().to_numpy().max()

    assert 0 < farthest <= 2 * reach
    assert len(of(numbers, panel="input", series="landscape")) == 144


def test_a_large_landscape_is_thinned_evenly(curves, minima, landscape_of):
    fine = landscape_of(100)
    numbers = parameterisation.numbers(curves, minima, fine, level=1.0, rays=8)
    rows = of(numbers, panel="input", series="landscape")["row"].unique()

    assert rows.tolist() == list(range(0, 100, 3))


def test_a_curve_far_from_all_codes_is_drawn_without_dots(curves, minima, landscape):
    far = landscape.assign(z_1=landscape["z_1"] + 1e6)
    numbers = parameterisation.numbers(curves, minima, far, level=1.0, rays=8)

    assert of(numbers, panel="latent", series="landscape").empty
    assert len(parameterisation.draw(numbers).axes[0].lines) == 1 + 8


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
