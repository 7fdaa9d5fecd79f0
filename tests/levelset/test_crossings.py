"""Counting how often rays cross a level."""

import math

import pytest
import torch

from gicnn.levelset import count_crossings, find_minimum


def draw_directions(count, dim):
    return torch.nn.functional.normalize(torch.randn(count, dim, dtype=torch.float64), dim=-1)


def test_rays_from_a_minimum_cross_once(network):
    function = network(4)
    centre = find_minimum(function, torch.randn(3, 4, dtype=torch.float64)).point
    level = function(centre).item() + 1
    counts = count_crossings(function, centre, draw_directions(200, 4), level, far=50, steps=300)

    assert (counts == 1).all()


def test_a_function_that_is_not_quasi_convex_is_found_out():
    def ring(z):
        return (z.square().sum(-1) - 1).square()

    counts = count_crossings(
        ring, torch.zeros(3).double(), draw_directions(100, 3), 0.5, far=3.0, steps=200
    )

    assert (counts == 2).all()


@pytest.mark.parametrize("far", [1.0, 4.0, 20.0])
@pytest.mark.parametrize("rows", [1, 10, 100_000])
def test_the_count_on_a_wave_is_the_known_one(far, rows):
    rays = draw_directions(5, 2)
    counts = count_crossings(
        lambda z: torch.sin(torch.linalg.vector_norm(z, dim=-1)),
        torch.zeros(2).double(),
        rays,
        0.5,
        far=far,
        steps=500,
        rows=rows,
    )
    roots = [math.pi / 6 + 2 * math.pi * k for k in range(4)]
    roots += [math.pi - root for root in roots[:1]] + [
        5 * math.pi / 6 + 2 * math.pi * k for k in (1, 2, 3)
    ]

    assert (counts == sum(root < far for root in roots)).all()


def test_a_level_and_an_end_for_each_ray():
    rays = torch.eye(2).view(1, 2, 2)
    level, far = torch.tensor([[1.0, 1.0]]), torch.tensor([[0.5, 2.0]])
    counts = count_crossings(
        lambda z: z.square().sum(-1), torch.zeros(2), rays, level, far=far, steps=10
    )

    assert counts.tolist() == [[0, 1]]


def test_nan_and_empty_grids_are_refused():
    broken = lambda z: torch.where(z[..., 0] > 1, torch.nan, z[..., 0])
    with pytest.raises(ValueError, match=r"NaN at radius 1\.2 in direction \[1\.0, 0\.0\]"):
        count_crossings(broken, torch.zeros(2), torch.eye(2), 3.0, far=2.0, steps=10)
    with pytest.raises(ValueError, match="steps must be at least 1, got 0"):
        count_crossings(broken, torch.zeros(2), torch.eye(2), 3.0, far=2.0, steps=0)


def test_what_does_not_fit_is_named(unchecked):
    def bowl(z):
        return z.square().sum(-1)

    rays = torch.eye(2)
    with pytest.raises(ValueError, match=r"do not fit a centre of shape \(1,\)"):
        count_crossings(bowl, torch.zeros(1), rays, 1.0, far=2.0, steps=5)
    with pytest.raises(ValueError, match="level is NaN on 2 of 2 rays"):
        count_crossings(bowl, torch.zeros(2), rays, torch.nan, far=2.0, steps=5)
    with pytest.raises(ValueError, match="far is NaN on 2 of 2 rays"):
        count_crossings(bowl, torch.zeros(2), rays, 1.0, far=torch.nan, steps=5)
