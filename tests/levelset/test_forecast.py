"""A few searched rays foretell the others."""

import pytest
import torch
from torch.nn import functional as F

from gicnn.levelset import find_minimum, find_radii
from gicnn.levelset.forecast import Forecast, Pilots, describe, pilot_count


def directions(count, dim, seed=0):
    draw = torch.Generator().manual_seed(seed)
    return F.normalize(torch.randn(count, dim, generator=draw, dtype=torch.float64), dim=-1)


def foretold(pilot_rays, rays, log_radius):
    """Forecast the radii of rays whose logarithm is a known function of the direction."""
    one = torch.ones(len(pilot_rays), dtype=torch.float64)
    known = log_radius(pilot_rays), 2 * one, -one
    pilots = Pilots(describe(pilot_rays, one), *known)
    return pilots.forecast(describe(rays, torch.ones(len(rays), dtype=torch.float64)))


def quadratic(u):
    return 1 + 0.1 * u[:, 0] - 0.3 * u[:, 0] * u[:, 1] + 0.2 * u[:, 2] ** 2


def test_many_pilots_foretell_what_is_quadratic_in_the_direction():
    rays = directions(50, 3, seed=1)
    forecast = foretold(directions(200, 3), rays, quadratic)

    assert (forecast.first.log() - quadratic(rays)).abs().max() < 1e-4
    assert (forecast.slope - 2).abs().max() < 1e-9
    assert (forecast.bend + 1).abs().max() < 1e-9


def test_few_pilots_foretell_their_mean():
    pilots, rays = directions(20, 3), directions(50, 3, seed=1)
    forecast = foretold(pilots, rays, quadratic)

    assert (forecast.first.log() - quadratic(pilots).mean()).abs().max() < 1e-12
    assert (forecast.first.log() - quadratic(rays)).abs().max() > 1e-2


@pytest.mark.parametrize(
    ("rays", "dim", "pilots"), [(100_000, 22, 1104), (5_000, 22, 64), (100_000, 200, 64)]
)
def test_a_regression_must_pay(rays, dim, pilots):
    assert pilot_count(rays, dim) == pilots


def test_nothing_is_known_at_first():
    forecast = Forecast.unknown(torch.tensor(1e-3), torch.zeros(4))
    assert forecast.first.tolist() == pytest.approx([1e-3] * 4)
    assert forecast.bend.tolist() == [0.0] * 4


def evaluations(function, centre, rays, level, **options):
    sizes = []

    def counted(z):
        sizes.append(len(z))
        return function(z)

    assert find_radii(counted, centre, rays, level, **options).reached.all()
    return sum(sizes) / len(rays)


def test_a_forecast_saves_most_evaluations(network):
    function, rays = network(4), directions(20_000, 4)
    minimum = find_minimum(function, torch.zeros(1, 4).double())
    given = (function, minimum.point, rays, minimum.value.item() + 1)

    assert evaluations(*given) < 4
    assert evaluations(*given, quasi_convex=False) > 10
