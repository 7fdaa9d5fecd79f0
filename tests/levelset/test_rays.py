"""What a radius search accepts, and how it spreads its work."""

import pytest
import torch

from gicnn.levelset import find_radii


def draw_directions(count, dim, seed=0, dtype=torch.float64):
    draw = torch.Generator().manual_seed(seed)
    normal = torch.randn(count, dim, generator=draw, dtype=torch.float64)
    return (normal / torch.linalg.vector_norm(normal, dim=-1, keepdim=True)).to(dtype)


def test_a_level_for_each_ray_and_any_batch_shape():
    directions = draw_directions(6, 3).view(2, 3, 3)
    levels = torch.arange(1.0, 7.0, dtype=torch.float64).view(2, 3)
    radii = find_radii(
        lambda z: z.square().sum(-1), torch.zeros(3, dtype=torch.float64), directions, levels
    )

    torch.testing.assert_close(radii.radius, levels.sqrt(), rtol=1e-9, atol=0)


def test_the_level_at_the_centre_has_radius_zero():
    radii = find_radii(
        lambda z: z.square().sum(-1), torch.zeros(2), torch.eye(2), torch.tensor([0.0, 1.0])
    )

    assert radii.reached.all()
    torch.testing.assert_close(radii.radius, torch.tensor([0.0, 1.0]))


@pytest.mark.parametrize("size", [1e-100, 1e-30, 1e30, 1e100])
def test_levels_of_extreme_size(size):
    directions = draw_directions(20, 3)
    radii = find_radii(
        lambda z: z.square().sum(-1), torch.zeros(3).double(), directions, size, limit=1e200
    )

    assert radii.reached.all()
    assert (radii.radius.square() / size - 1).abs().max() < 1e-6


@pytest.mark.parametrize("limit", [-3.0, torch.nan])
def test_limits_behind_the_centre_are_refused(limit):
    with pytest.raises(ValueError, match=f"limits .* got {limit:g}"):
        find_radii(lambda z: z.square().sum(-1), torch.zeros(2), torch.eye(2), 9.0, limit=limit)


def test_rays_end_at_their_limit():
    limit = torch.tensor([1.0, 3.0])
    radii = find_radii(
        lambda z: z.square().sum(-1), torch.zeros(2), torch.eye(2), 4.0, limit=limit
    )

    assert radii.reached.tolist() == [False, True]
    assert radii.closest[0] == 1.0


def test_a_level_below_the_centre_is_refused_with_both_values():
    with pytest.raises(ValueError, match=r"level 0\.5 .* below 2\.25"):
        find_radii(lambda z: z.square().sum(-1) + 2.25, torch.zeros(2), torch.eye(2), 0.5)


def test_bad_centres_directions_and_functions_are_refused(unchecked):
    bowl = lambda z: z.square().sum(-1)
    with pytest.raises(ValueError, match="nan at the centre"):
        find_radii(bowl, torch.tensor([torch.nan, 0.0]), torch.eye(2), 1.0)
    with pytest.raises(ValueError, match=r"\(3, 3\) do not fit a centre of shape \(2,\)"):
        find_radii(bowl, torch.zeros(2), torch.eye(3), 1.0)
    with pytest.raises(ValueError, match="one value per point"):
        find_radii(lambda z: z, torch.zeros(2), torch.eye(2), 1.0)
    with pytest.raises(ValueError, match="level nan"):
        find_radii(bowl, torch.zeros(2), torch.eye(2), torch.nan)


def test_only_unfinished_rays_are_evaluated_in_bounded_portions(network):
    function, sizes = network(3), []

    def counted(z):
        sizes.append(len(z))
        return function(z)

    find_radii(counted, torch.zeros(3).double(), draw_directions(5000, 3), 3.0, rows=512)

    assert max(sizes) <= 512
    assert sum(sizes) <= 6 * 5000
