"""The library gives on a GPU what it gives on the CPU, there and not on the CPU."""

import pytest
import torch

from gicnn.levelset import Ball, LevelSet, find_minimum, find_radii, to_cartesian, to_spherical

DEVICES = [
    "cpu",
    pytest.param(
        "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
    ),
]
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}


def bowl(z):
    """Strictly convex, with its minimum at (1, ..., 1)."""
    return torch.logsumexp(torch.cat([z - 1, 1 - z], dim=-1), dim=-1) + 0.1 * (z - 1).square().sum(
        -1
    )


@pytest.fixture(params=DEVICES)
def device(request):
    return torch.device(request.param)


@pytest.fixture(params=list(TOLERANCE), ids=str)
def points(request, device):
    generator = torch.Generator().manual_seed(0)
    drawn = torch.randn(500, 22, generator=generator, dtype=torch.float64)
    return drawn.to(device, request.param)


def test_spherical_coordinates_survive_the_round_trip(points):
    spherical = to_spherical(points)
    again = to_cartesian(spherical.radius, spherical.angles)
    assert again.device == points.device
    assert again.dtype == points.dtype
    torch.testing.assert_close(again, points, rtol=0, atol=8 * TOLERANCE[points.dtype])


def test_radii_meet_the_level(points):
    centre = torch.ones_like(points[0])
    directions = torch.nn.functional.normalize(points, dim=-1)
    found = find_radii(bowl, centre, directions, 8.0)
    assert found.radius.device == points.device
    assert found.reached.all()
    values = bowl(centre + found.radius.unsqueeze(-1) * directions)
    bound = 8.0 * {torch.float32: 1e-5, torch.float64: 1e-10}[points.dtype]
    assert ((values - 8.0).abs() <= bound).all()


def test_the_minimum_is_found_within_a_region_or_without(points):
    free = find_minimum(bowl, points[:4])
    assert free.attained
    assert free.point.device == points.device
    torch.testing.assert_close(free.point, torch.ones_like(free.point), rtol=0, atol=1e-3)

    ball = Ball(torch.zeros_like(points[0]), 1.0)
    confined = find_minimum(bowl, points[:4], region=ball)
    assert confined.attained
    assert confined.point.norm() <= 1 + 1e-5


def test_points_of_a_level_set_are_on_their_device(points):
    level_set = LevelSet(bowl, 8.0, torch.ones_like(points[0]))
    sampled = level_set.sample(100, torch.Generator(points.device).manual_seed(0))
    assert sampled.point.device == points.device
    path = level_set.path(*sampled.point[:2], steps=10)
    assert path.point.device == points.device
    assert (
        path.residual.abs() <= 8.0 * {torch.float32: 1e-5, torch.float64: 1e-10}[points.dtype]
    ).all()
