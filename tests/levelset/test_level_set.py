"""Level sets as a person uses them."""

import math

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gicnn.levelset import Ball, Box, LevelSet, interpolate_great_circle, to_directions

QUIET = settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def bowl(z):
    return z.square().sum(-1)


def off_level(level_set, points):
    """Largest deviation from the level, evaluated afresh."""
    return (level_set.function(points.point) - level_set.level).abs().max()


def make(network, dim, rise=1.0, seed=0):
    starts = torch.randn(3, dim, dtype=torch.float64)
    function = network(dim, seed=seed)
    return LevelSet.about_minimum(function, function(starts).max().item() + rise, starts)


@QUIET
@given(seed=st.integers(0, 2**20), dim=st.integers(2, 22))
def test_all_ways_to_points_end_on_the_level(network, seed, dim):
    torch.manual_seed(seed)
    level_set = make(network, dim, seed=seed)
    start, end = torch.randn(2, dim, dtype=torch.float64)
    families = [
        level_set.sample(40),
        level_set.along(torch.randn(4, 3, dim, dtype=torch.float64)),
        level_set.path(start, end, steps=9),
        level_set.path(start, end, steps=9, interpolate=interpolate_great_circle),
        level_set.distance(torch.stack([start, end])).foot,
    ]
    for points in families:
        assert points.reached.all()
        assert off_level(level_set, points) <= 2e-10 * max(1, abs(level_set.level))


def test_off_level_sees_points_of_another_level(network):
    level_set = make(network, 3)
    other = LevelSet(level_set.function, level_set.level + 1e-3, level_set.centre)

    assert off_level(level_set, other.sample(10)) > 1e-4


def test_angles_and_points_agree(network):
    level_set = make(network, 5)
    points = level_set.sample(50)
    again = level_set.at(points.angles)
    u = to_directions(points.angles)

    torch.testing.assert_close(again.point, points.point)
    torch.testing.assert_close(
        points.point, level_set.centre + points.radius.unsqueeze(-1) * u, rtol=1e-12, atol=1e-12
    )


def test_a_grid_goes_once_around_evenly():
    points = LevelSet(bowl, 4.0, torch.zeros(2).double()).grid(8)

    torch.testing.assert_close(points.angles.squeeze(-1), torch.arange(8).double() * math.pi / 4)
    torch.testing.assert_close(points.radius, torch.full((8,), 2.0).double())
    with pytest.raises(ValueError, match="a grid needs 2 dimensions, got 3"):
        LevelSet(bowl, 4.0, torch.zeros(3)).grid(8)


def test_a_sample_is_uniform_in_direction_and_follows_its_generator():
    level_set = LevelSet(bowl, 1.0, torch.zeros(3).double())
    points = level_set.sample(20_000, torch.Generator().manual_seed(3)).point
    again = level_set.sample(20_000, torch.Generator().manual_seed(3)).point

    assert torch.equal(points, again)
    assert points.mean(0).abs().max() < 0.02
    # Archimedes: each coordinate is uniform on [-1, 1].
    assert (points.square().mean(0) - 1 / 3).abs().max() < 0.01


def test_a_path_joins_the_rays_of_its_ends(network):
    level_set = make(network, 4)
    start, end = level_set.sample(2).point
    path = level_set.path(start, end, steps=200)

    torch.testing.assert_close(path.point[0], start, rtol=1e-8, atol=1e-8)
    torch.testing.assert_close(path.point[-1], end, rtol=1e-8, atol=1e-8)
    steps = torch.linalg.vector_norm(path.point.diff(dim=0), dim=-1)
    assert steps.max() < 0.2 * torch.linalg.vector_norm(path.point, dim=-1).max()


def test_distances_are_signed_and_vanish_on_the_level():
    level_set = LevelSet(bowl, 4.0, torch.zeros(3).double())
    x = torch.eye(3, dtype=torch.float64) * torch.tensor([1.0, 2.0, 5.0]).double()

    torch.testing.assert_close(
        level_set.distance(x).distance, torch.tensor([-1.0, 0.0, 3.0]).double()
    )
    torch.testing.assert_close(level_set.distance(0 * x[0]).distance.item(), -2.0)


def test_points_map_back_through_an_inverse():
    level_set = LevelSet(bowl, 4.0, torch.zeros(2).double())
    points = level_set.at(torch.zeros(2, 3, 1).double())

    assert points.map_back(lambda z: 3 * z).shape == (2, 3, 2)
    assert points.map_back(lambda z: z.view(-1, 1, 2).expand(-1, 4, 2)).shape == (2, 3, 4, 2)
    torch.testing.assert_close(points.map_back(torch.exp), points.point.exp())


def test_rays_without_a_point_are_masked_and_named():
    half = LevelSet(lambda z: torch.tanh(z[..., 0]), 0.5, torch.zeros(2).double())
    points = half.at(torch.tensor([[0.0], [math.pi]]).double())

    assert points.reached.tolist() == [True, False]
    assert points.point.isnan().any(-1).tolist() == [False, True]
    assert points.map_back(torch.exp).isnan().any(-1).tolist() == [False, True]
    with pytest.raises(ValueError, match=r"1 of 2 rays .* ray 1 at angles .* stays below"):
        points.require_reached()


@pytest.mark.parametrize("region", [Box(-1.0, 3.0), Ball(torch.zeros(2).double(), 1.0)])
def test_within_a_region_rays_end_at_its_border(region):
    level_set = LevelSet(bowl, 4.0, torch.zeros(2).double(), region=region)
    points = level_set.grid(4)

    assert (points.radii.closest <= 3).all()
    assert points.reached.tolist() == (
        [True, True, False, False] if isinstance(region, Box) else [False] * 4
    )


def test_in_one_dimension_the_level_set_is_two_points():
    level_set = LevelSet(lambda z: z[..., 0].exp() - z[..., 0], 2.0, torch.zeros(1).double())
    points = level_set.along(torch.tensor([[1.0], [-3.0]]).double())

    assert points.reached.all()
    assert points.point.flatten().tolist() == pytest.approx([1.146193, -1.841406], abs=1e-6)
    torch.testing.assert_close(
        level_set.path(points.point[0], points.point[1], steps=4).point[:, 0].sign(),
        torch.tensor([1.0, 1.0, -1.0, -1.0]).double(),
    )


def test_first_crossings_of_a_function_with_two_minima():
    wells = torch.tensor([[-1.0, 0.0], [1.0, 0.0]], dtype=torch.float64)

    def two_wells(z):
        return (z.unsqueeze(-2) - wells).square().sum(-1).amin(-1)

    curve = LevelSet(two_wells, 0.25, wells[0], quasi_convex=False).grid(400)

    assert curve.reached.all()
    torch.testing.assert_close(curve.radius, torch.full((400,), 0.5).double())


def test_mistakes_are_named_with_their_values(unchecked):
    level_set = LevelSet(bowl, 4.0, torch.zeros(2))
    with pytest.raises(ValueError, match=r"level -1 .* below 0"):
        LevelSet(bowl, -1.0, torch.zeros(2))
    with pytest.raises(ValueError, match=r"shape \(d,\), got \(1, 2\)"):
        LevelSet(bowl, 4.0, torch.zeros(1, 2))
    with pytest.raises(ValueError, match=r"lies 1\.9 outside the region Box"):
        LevelSet(bowl, 4.0, torch.tensor([0.1, 2.0]), region=Box(2.0, 3.0))
    with pytest.raises(ValueError, match="at least 1 points, got 0"):
        LevelSet(bowl, 4.0, torch.zeros(2)).grid(0)
    with pytest.raises(ValueError, match="nan at the centre"):
        LevelSet(lambda z: z.sum(-1) * torch.nan, 4.0, torch.zeros(2))
    with pytest.raises(ValueError, match=r"\(7,\) are not of dimension 2"):
        level_set.distance(torch.zeros(7))
    with pytest.raises(ValueError, match="2 dimensions take 1 angles, got 3"):
        level_set.at(torch.zeros(3))
    with pytest.raises(ValueError, match="at least 2 points, got 1"):
        level_set.path(torch.ones(2), torch.ones(2), steps=1)
    with pytest.raises(ValueError, match="no minimum was attained"):
        LevelSet.about_minimum(lambda z: z.exp().sum(-1), 1.0, torch.zeros(1, 2))


def test_single_precision_points():
    points = LevelSet(bowl, 4.0, torch.ones(3) / 4).sample(100)

    assert points.point.dtype == torch.float32
    assert (bowl(points.point) - 4).abs().max() < 1e-4


def test_the_function_may_compute_in_another_type():
    level_set = LevelSet(lambda z: z.double().square().sum(-1), 1.0, torch.zeros(2))
    points = level_set.along(torch.eye(2, dtype=torch.float64))

    assert points.point.dtype == torch.float32
    torch.testing.assert_close(points.point, torch.eye(2))


def test_what_has_no_direction_is_named(unchecked):
    level_set = LevelSet(bowl, 4.0, torch.zeros(3, dtype=torch.float64))
    given = torch.tensor([[0.0, 0.0, 0.0], [torch.nan, 1.0, 0.0], [0.0, 0.0, 2.0]])
    found = level_set.along(given)

    assert found.reached.tolist() == [False, False, True]
    assert ["no direction" in reason for reason in found.reasons()] == [True, True, False]
    for end in (given[0], given[1]):
        with pytest.raises(
            ValueError, match="the end of a path must be finite and not the centre"
        ):
            level_set.path(given[2], end, steps=3)


def test_a_side_at_infinity_limits_no_ray():
    """Neither function ever reaches the level."""
    centre = torch.zeros(2, dtype=torch.float64)
    free = Box(-torch.inf, torch.inf)
    for top in (lambda r: 1 - torch.exp(-r.square()), lambda r: r / (1 + r)):

        def function(z, top=top):
            return top(torch.linalg.vector_norm(z, dim=-1))

        reasons = LevelSet(function, 2.0, centre, region=free).grid(3).reasons()
        assert all("stays below the level" in reason for reason in reasons)


def test_types_and_dimensions_that_do_not_fit_are_named(unchecked):
    with pytest.raises(
        ValueError, match=r"a centre must be of float32 or float64, got torch\.int64"
    ):
        LevelSet(bowl, 4.0, torch.zeros(2, dtype=torch.int64)).grid(4)
    with pytest.raises(ValueError, match="3 dimensions does not fit points in 2"):
        LevelSet(bowl, 4.0, torch.zeros(2), region=Box(-torch.ones(3), torch.ones(3)))
    with pytest.raises(ValueError, match="level nan is not finite"):
        LevelSet(bowl, torch.nan, torch.zeros(2))
    with pytest.raises(ValueError, match="at least 0 points, got -1"):
        LevelSet(bowl, 4.0, torch.zeros(2)).sample(-1)
