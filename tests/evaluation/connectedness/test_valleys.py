"""Valleys are counted where a barrier keeps them apart, and only there."""

import math

import pytest
import torch

from gicnn.data.grids import gaussian_mixture, rosenbrock
from gicnn.evaluation.connectedness.neighbours import Sample, Tube
from gicnn.evaluation.connectedness.passes import lower_path, path_height
from gicnn.evaluation.connectedness.valleys import find_valleys

PLAN = {"neighbours": 10, "support": 5}


def grid(side, extent=0.4):
    axis = torch.linspace(-extent, extent, side, dtype=torch.float64)
    return torch.cartesian_prod(axis, axis)


def cloud(count, dim):
    return torch.randn(count, dim, dtype=torch.float64)


def wells(*centres):
    """About 0 at each centre on the first axis, 1 or more far from all of them."""

    def function(z):
        bumps = [torch.exp(-4 * (z[..., 0] - centre).square()) for centre in centres]
        return 1 - sum(bumps) + 0.01 * z.square().mean(-1)

    return function


def find(function, points, rise, measured=None, **plan):
    measured = function(points) if measured is None else measured
    return find_valleys(function, points, measured, rise=rise, **(PLAN | plan))


def test_mixture_has_two_and_the_barrier_is_the_saddle():
    valleys = find(gaussian_mixture, grid(30), rise=0.1)
    saddle = gaussian_mixture(torch.zeros(2, dtype=torch.float64)).item()

    assert len(valleys) == 2
    assert valleys[1].barrier == pytest.approx(saddle, abs=0.04)
    assert valleys[0].barrier is None


def test_bowl_has_one_however_small_the_rise():
    assert len(find(lambda z: z.square().sum(-1), grid(30), rise=1e-9, support=1)) == 1


def test_banana_has_one_though_the_grid_shows_it_in_pieces():
    rise = 0.02 * rosenbrock(grid(40)).std().item()
    valleys = find(rosenbrock, grid(40), rise)
    assert len(valleys) == 1


def test_pieces_of_the_banana_count_where_no_path_is_lowered(monkeypatch):
    monkeypatch.setattr("gicnn.evaluation.connectedness.valleys.lower_path", lambda *_: math.inf)
    rise = 0.02 * rosenbrock(grid(40)).std().item()
    assert len(find(rosenbrock, grid(40), rise)) > 1


@pytest.mark.parametrize("dim", [1, 2, 35])
@pytest.mark.parametrize("centres", [(0.0,), (-2.5, 0.0, 2.5)])
def test_each_well_is_counted_once_in_any_dimension(dim, centres):
    points = cloud(600, dim)
    points[:, 0] = torch.empty(600).uniform_(-4, 4)
    valleys = find(wells(*centres), points, rise=0.3)
    found = sorted(points[valley.bottom, 0].item() for valley in valleys)

    assert found == pytest.approx(centres, abs=0.3)


def test_a_slope_in_many_dimensions_has_one():
    assert len(find(lambda z: z[..., 0], cloud(1000, 35), rise=0.1)) == 1


@pytest.mark.parametrize(("rise", "count"), [(0.15, 2), (0.35, 1)])
def test_barrier_counts_only_above_the_rise(rise, count):
    """A bowl with a well in its side, 0.23 below the pass between them."""

    def dimpled(z):
        side = (z - z.new_tensor([1.0, 0.0])).square().sum(-1)
        return z.square().sum(-1) - 1.5 * torch.exp(-16 * side)

    assert len(find(dimpled, grid(30, 2.0), rise)) == count


def test_kinks_are_no_valleys():
    torch.manual_seed(0)
    weight, shift = torch.randn(2, 40).double(), torch.randn(40).double()

    def ridden(z):
        creases = (z @ weight + shift).abs().mean(-1)
        return z.square().sum(-1) + 0.3 * torch.sin(40 * creases)

    points = grid(25, 2.0)
    assert len(find(ridden, points, rise=0.7)) == 1
    assert len(find(ridden, points, rise=0.2)) > 1


@pytest.mark.parametrize(("held_out", "count"), [(3, 1), (20, 2)])
def test_valley_needs_witnesses(held_out, count):
    points = grid(30)
    inside = (points[:, 0] > 0.1).nonzero().squeeze(-1)
    near = (points[inside] - torch.tensor([0.2, 0.0])).norm(dim=-1).argsort()
    measured = torch.where(points[:, 0] < 0, gaussian_mixture(points), torch.inf)
    witnesses = inside[near[:held_out]]
    measured[witnesses] = gaussian_mixture(points[witnesses])

    assert len(find(gaussian_mixture, points, 0.1, measured)) == count


def test_unsupported_pit_does_not_hide_the_valley_beside_it():
    """A pit that no measurement knows of is the deepest place, and is passed over."""

    def pitted(z):
        far = (z - z.new_tensor([0.3, 0.3])).square().sum(-1)
        return gaussian_mixture(z) - 9 * torch.exp(-far / 5e-4)

    points = grid(25)
    valleys = find(pitted, points, 0.1, gaussian_mixture(points))
    bottoms = sorted(points[valley.bottom, 0].item() for valley in valleys)
    assert bottoms == pytest.approx([-0.2, 0.2], abs=0.04)


def test_what_no_example_joins_is_not_kept_apart():
    points = cloud(400, 2)
    points[:200, 0] -= 20
    points[200:, 0] += 20

    def function(z):
        return (z[..., 0].abs() - 20).square() + z[..., 1].square()

    assert len(find(function, points, rise=1.0)) == 1


def test_values_that_are_not_finite_let_nothing_pass():
    def torn(z):
        value = gaussian_mixture(z)
        return torch.where(z[..., 1] > 0.15, torch.nan, value)

    valleys = find(torn, grid(20), 0.1, torch.nan_to_num(torn(grid(20)), nan=torch.inf))
    assert len(valleys) == 2
    assert all(math.isfinite(valley.value) for valley in valleys)


def test_function_that_is_nowhere_finite_is_refused():
    with pytest.raises(ValueError, match="finite at 0 different ones of 100 points"):
        find(lambda z: z[..., 0] * math.nan, grid(10), rise=0.1)


def test_path_slides_to_the_pass():
    """The chord runs over the hill between the ends; the way round it is level."""

    def hill(z):
        return 2 * torch.exp(-z.square().sum(-1) / 0.5)

    ends = torch.tensor([[-1.0, 0.05], [1.0, 0.05]], dtype=torch.float64)
    tube = Sample.of(grid(41, 2.0), 10).tube

    assert path_height(hill, ends) > 1.9
    assert lower_path(hill, ends, tube) < 0.5


def test_path_stays_in_the_tube():
    def slope(z):
        return -z[..., 1]

    points = torch.stack([torch.linspace(-1, 1, 50), torch.zeros(50)], dim=1).double()
    narrow = Tube(points, torch.full((50,), 0.1, dtype=torch.float64))
    ends = points[[0, -1]]
    wide = Tube(points, torch.full((50,), 10.0, dtype=torch.float64))

    assert lower_path(lambda z: slope(z) + 1, ends, narrow) >= 0.9 - 1e-9
    assert torch.equal(narrow.project(points), points)
    reach = narrow.project(points + torch.tensor([0.0, 5.0]))[:, 1]
    assert torch.allclose(reach, torch.full_like(reach, 0.1))
    assert torch.equal(wide.project(points + 5), points + 5)


def test_same_sample_gives_the_same_valleys():
    assert find(rosenbrock, grid(20), 0.1) == find(rosenbrock, grid(20), 0.1)


def test_repeated_points_hide_no_valley():
    x = torch.linspace(-2, 2, 41, dtype=torch.float64).unsqueeze(-1).repeat(12, 1)

    def wells(x):
        return (x[..., 0].square() - 1).square()

    found = find_valleys(wells, x, wells(x), neighbours=4, rise=0.1, support=5)
    assert sorted(round(x[valley.bottom].item(), 3) for valley in found) == [-1.0, 1.0]
