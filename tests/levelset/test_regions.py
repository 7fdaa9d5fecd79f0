"""Boxes and balls."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gicnn.levelset import Ball, Box


def draw_region(kind, dim):
    if kind == "box":
        low = -torch.rand(dim, dtype=torch.float64) - 0.1
        return Box(low, low + 2)
    return Ball(0.3 * torch.rand(dim, dtype=torch.float64), 1.5)


def is_nearest(region, x, projected):
    """Whether no other point of the region lies on the outer side of the projection."""
    others = region.project(5 * torch.randn(200, x.shape[-1], dtype=x.dtype))
    return bool((((x - projected) * (others - projected)).sum(-1) <= 1e-9).all())


@pytest.mark.parametrize("kind", ["box", "ball"])
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), dim=st.integers(1, 30))
def test_projections_are_nearest_points(kind, seed, dim):
    torch.manual_seed(seed)
    region = draw_region(kind, dim)
    x = 4 * torch.randn(dim, dtype=torch.float64)
    projected = region.project(x)

    assert is_nearest(region, x, projected)
    torch.testing.assert_close(region.project(projected), projected)


def test_is_nearest_sees_a_shortened_projection():
    torch.manual_seed(0)
    ball = Ball(torch.zeros(3, dtype=torch.float64), 1.0)
    x = torch.tensor([2.0, 0.0, 0.0], dtype=torch.float64)

    assert not is_nearest(ball, x, 0.9 * ball.project(x))


@pytest.mark.parametrize("kind", ["box", "ball"])
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), dim=st.integers(1, 30))
def test_rays_leave_at_the_exit_radius(kind, seed, dim):
    torch.manual_seed(seed)
    region = draw_region(kind, dim)
    centre = region.project(torch.zeros(dim, dtype=torch.float64))
    directions = torch.randn(50, dim, dtype=torch.float64)
    directions = directions / torch.linalg.vector_norm(directions, dim=-1, keepdim=True)
    radius = region.exit_radius(centre, directions).unsqueeze(-1)

    for factor, stays in ((1 - 1e-9, True), (1 + 1e-6, False)):
        x = centre + factor * radius * directions
        moved = torch.linalg.vector_norm(region.project(x) - x, dim=-1)
        assert ((moved <= 1e-12) == stays).all()


def test_an_unbounded_side_lets_rays_go():
    box = Box(torch.tensor([-torch.inf, 0.0]), torch.tensor([torch.inf, 1.0]))
    rays = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])

    assert box.exit_radius(torch.tensor([3.0, 0.0]), rays).tolist() == [torch.inf, 1.0, 0.0]


def test_regions_without_points_are_refused():
    with pytest.raises(ValueError, match="low <= high"):
        Box(1.0, -1.0)
    with pytest.raises(ValueError, match="positive radius"):
        Ball(torch.zeros(2), 0.0)


@pytest.mark.parametrize("region", [Ball(torch.zeros(2).double(), 2.0), Box(-2.0, torch.ones(2))])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_regions_follow_the_type_of_the_points(region, dtype):
    point = torch.tensor([3.0, 0.0], dtype=dtype)

    assert region.project(point).dtype == dtype
    assert region.exit_radius(torch.zeros(2, dtype=dtype), point / 3).dtype == dtype
