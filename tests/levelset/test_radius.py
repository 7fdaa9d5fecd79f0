"""Radii on rays: known ones, hard ones, and rays that have none."""

import math

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gicnn.levelset import find_minimum, find_radii

QUIET = settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def draw_directions(count, dim, seed=0, dtype=torch.float64):
    draw = torch.Generator().manual_seed(seed)
    normal = torch.randn(count, dim, generator=draw, dtype=torch.float64)
    return (normal / torch.linalg.vector_norm(normal, dim=-1, keepdim=True)).to(dtype)


def is_on_level(function, centre, directions, radius, level, tolerance=1e-10):
    """Whether points evaluated afresh lie on the level."""
    values = function(centre + radius.unsqueeze(-1) * directions)
    return bool(((values - level).abs() <= tolerance * max(1, abs(level))).all())


@pytest.mark.parametrize("dim", [1, 2, 3, 22, 200])
@pytest.mark.parametrize("level", [0.25, 3.0])
@pytest.mark.parametrize("quasi_convex", [True, False])
def test_radii_are_the_known_ones(known, dim, level, quasi_convex):
    example, directions = known(dim), draw_directions(300, dim)
    centre = torch.zeros(dim, dtype=torch.float64)
    radii = find_radii(example.function, centre, directions, level, quasi_convex=quasi_convex)

    assert radii.reached.all()
    assert is_on_level(example.function, centre, directions, radii.radius, level)
    torch.testing.assert_close(
        radii.radius, example.radius(directions, level), rtol=1e-7, atol=1e-12
    )


def test_is_on_level_sees_a_radius_moved_by_a_billionth(known):
    example, directions = known(3), draw_directions(50, 3)
    radius = example.radius(directions, 2.0)
    centre = torch.zeros(3, dtype=torch.float64)

    assert is_on_level(example.function, centre, directions, radius, 2.0)
    assert not is_on_level(example.function, centre, directions, radius * (1 + 1e-8), 2.0)


@QUIET
@given(
    seed=st.integers(0, 2**32 - 1),
    dim=st.integers(1, 30),
    gain=st.floats(-3, 3).map(lambda power: 10**power),
    rise=st.floats(-6, 6).map(lambda power: 10**power),
)
def test_rays_of_networks_of_any_size_meet_the_level_or_stay_below_it(
    network, seed, dim, gain, rise
):
    function = network(dim, gain=gain, seed=seed)
    directions = draw_directions(200, dim, seed)
    centre = 0.1 * directions[0]
    level = function(centre).item() + rise
    radii = find_radii(function, centre, directions, level, quasi_convex=False)
    met = radii.reached

    assert all("stays below" in reason for reason in radii.reasons() if reason)
    assert (function(centre + radii.closest.unsqueeze(-1) * directions)[~met] < level).all()
    assert is_on_level(function, centre, directions[met], radii.radius[met], level)


@pytest.mark.parametrize("gain", [1e-2, 1.0, 1e2])
@pytest.mark.parametrize("rise", [1e-6, 1e-2, 1.0, 1e4])
def test_networks_about_their_minimum(network, gain, rise):
    function = network(5, gain=gain)
    centre = find_minimum(function, torch.randn(4, 5, dtype=torch.float64)).point
    directions = draw_directions(300, 5)
    level = function(centre).item() + rise
    radii = find_radii(function, centre, directions, level)

    assert radii.reached.all()
    assert is_on_level(function, centre, directions, radii.radius, level)


def test_in_single_precision(known, network):
    directions = draw_directions(300, 4, dtype=torch.float32)
    for function in (known(4).function, network(4, dtype=torch.float32)):
        level = function(torch.zeros(4)).item() + 1.5
        radii = find_radii(function, torch.zeros(4), directions, level)

        assert radii.radius.dtype == torch.float32
        assert is_on_level(function, torch.zeros(4), directions, radii.radius, level, 1e-5)


def test_both_ways_to_begin_agree(network):
    function, centre = network(6), torch.zeros(6, dtype=torch.float64)
    directions = draw_directions(500, 6)
    ahead, outwards = (
        find_radii(function, centre, directions, 3.0, quasi_convex=way).radius
        for way in (True, False)
    )

    torch.testing.assert_close(ahead, outwards, rtol=1e-8, atol=0)


def test_rays_without_the_level_say_how_far_they_came():
    directions = torch.tensor([[1.0, 0.0], [-1.0, 0.0]], dtype=torch.float64)
    radii = find_radii(lambda z: torch.tanh(z[..., 0]), torch.zeros(2).double(), directions, 0.5)

    assert radii.reached.tolist() == [True, False]
    assert radii.radius[0].item() == pytest.approx(math.atanh(0.5))
    assert radii.radius[1].isnan()
    assert radii.reasons()[0] == ""
    assert "stays below the level" in radii.reasons()[1]
    assert "value" in radii.reasons()[1]


def test_a_bounded_function_never_reaches_a_level_above_it(known):
    rays = draw_directions(200, 3)
    radii = find_radii(
        lambda z: torch.tanh(known(3).function(z)), torch.zeros(3).double(), rays, 2
    )

    assert not radii.reached.any()


def test_nan_on_a_ray_is_reported_with_its_radius():
    def broken(z):
        return torch.where(z[..., 0] > 1.0, torch.nan, z.square().sum(-1))

    radii = find_radii(broken, torch.zeros(2).double(), torch.eye(2).double(), 9.0)

    assert radii.reached.tolist() == [False, True]
    assert "not finite" in radii.reasons()[0]
    assert "value nan at radius 1" in radii.reasons()[0]


@pytest.mark.parametrize("quasi_convex", [True, False])
@pytest.mark.parametrize("level", [0.1, 1.0, 3.0, 10.0])
def test_where_a_barrier_ends_in_nan_its_levels_are_found_before(quasi_convex, level):
    def barrier(z):
        return -torch.log(1 - z.square().sum(-1))

    centre, directions = torch.zeros(3).double(), draw_directions(300, 3)
    radii = find_radii(barrier, centre, directions, level, quasi_convex=quasi_convex)

    assert radii.reached.all()
    expected = math.sqrt(-math.expm1(-level))
    torch.testing.assert_close(radii.radius, torch.full_like(radii.radius, expected))


def test_overflow_beyond_the_level_does_not_hide_it():
    radii = find_radii(
        lambda z: torch.exp(z.square().sum(-1) * 1e4), torch.zeros(2), torch.eye(2), 10.0
    )

    assert radii.reached.all()
    assert radii.radius[0].item() == pytest.approx(math.sqrt(math.log(10) / 1e4), rel=1e-5)


def test_a_jump_over_the_level_is_not_a_crossing():
    radii = find_radii(
        lambda z: 10.0 * (z.square().sum(-1) > 2.0),
        torch.zeros(2).double(),
        torch.eye(2).double(),
        5,
    )

    assert not radii.reached.any()
    assert "too steep" in radii.reasons()[0]


def test_the_first_crossing_of_a_ray_that_crosses_often():
    def wave(z):
        return 1 - torch.cos(torch.linalg.vector_norm(z, dim=-1))

    rays = draw_directions(300, 3)
    radii = find_radii(wave, torch.zeros(3).double(), rays, 1.0, quasi_convex=False)

    torch.testing.assert_close(radii.radius, torch.full((300,), math.pi / 2).double())
