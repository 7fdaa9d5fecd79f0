"""Ways between directions."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gicnn.levelset import (
    interpolate_angles,
    interpolate_great_circle,
    to_directions,
    to_spherical,
)


def draw_angles(seed, dim):
    torch.manual_seed(seed)
    return to_spherical(torch.randn(2, dim, dtype=torch.float64)).angles


def largest_turn(angles):
    """Largest change of the azimuth in one step, counted the short way."""
    turns = angles[:, -1].diff()
    return (torch.remainder(turns + math.pi, 2 * math.pi) - math.pi).abs().max()


@pytest.mark.parametrize("interpolate", [interpolate_angles, interpolate_great_circle])
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), dim=st.integers(1, 40))
def test_paths_join_their_ends(interpolate, seed, dim):
    start, end = draw_angles(seed, dim)
    path = interpolate(start, end, torch.tensor([0.0, 0.5, 1.0], dtype=torch.float64), dim)
    directions = to_directions(path, dim)

    torch.testing.assert_close(directions[0], to_directions(start, dim), rtol=0, atol=1e-12)
    torch.testing.assert_close(directions[-1], to_directions(end, dim), rtol=0, atol=1e-12)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), dim=st.integers(2, 10))
def test_the_azimuth_goes_the_short_way_round(seed, dim):
    start, end = draw_angles(seed, dim)
    t = torch.linspace(0, 1, 101, dtype=torch.float64)

    assert largest_turn(interpolate_angles(start, end, t, dim)) <= math.pi / 100 + 1e-12


def test_largest_turn_sees_the_long_way():
    straight = torch.linspace(0.1, 6.2, 101).unsqueeze(-1)

    assert largest_turn(straight) > math.pi / 100 + 1e-3


def test_of_two_equal_ways_the_growing_angle_is_taken():
    start, end = torch.tensor([0.5]), torch.tensor([0.5 + math.pi])
    middle = torch.tensor([0.5])

    assert interpolate_angles(start, end, middle, 2).item() == pytest.approx(0.5 + math.pi / 2)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), dim=st.integers(2, 40))
def test_great_circles_have_constant_speed_and_least_length(seed, dim):
    start, end = draw_angles(seed, dim)
    t = torch.linspace(0, 1, 201, dtype=torch.float64)
    straight = to_directions(interpolate_great_circle(start, end, t, dim), dim)
    bent = to_directions(interpolate_angles(start, end, t, dim), dim)
    steps = torch.linalg.vector_norm(straight.diff(dim=0), dim=-1)

    torch.testing.assert_close(steps, steps.mean().expand_as(steps), rtol=1e-6, atol=1e-12)
    detour = torch.linalg.vector_norm(bent.diff(dim=0), dim=-1).sum()
    assert steps.sum() <= detour * (1 + 1e-4)


@pytest.mark.parametrize("dim", [1, 2, 3, 22])
def test_great_circles_between_opposite_and_equal_directions(dim):
    u = to_spherical(torch.ones(dim, dtype=torch.float64)).angles
    v = to_spherical(-torch.ones(dim, dtype=torch.float64)).angles
    t = torch.linspace(0, 1, 11, dtype=torch.float64)

    assert interpolate_great_circle(u, v, t, dim).isfinite().all()
    still = to_directions(interpolate_great_circle(u, u, t, dim), dim)
    torch.testing.assert_close(still, to_directions(u, dim).expand_as(still))


def test_on_the_line_a_path_jumps_half_way():
    t = torch.tensor([0.0, 0.4, 0.6, 1.0])
    path = interpolate_angles(torch.tensor([0.0]), torch.tensor([math.pi]), t, 1)

    assert to_directions(path, 1).squeeze().tolist() == [1, 1, -1, -1]
