"""A few searched rays foretell the others."""

import pytest
import torch
from torch.nn import functional as F

from gicnn.levelset import find_minimum, find_radii
from gicnn.levelset.forecast import Forecast, Pilots, pilot_count


def directions(count, dim, seed=0):
    draw = torch.Generator().manual_seed(seed)
    return F.normalize(torch.randn(count, dim, generator=draw, dtype=torch.float64), dim=-1)


def foretold(pilot_rays, rays, log_radius):
    """Forecast the radii of rays whose logarithm is a known function of the direction."""
    one = torch.ones(len(pilot_rays), dtype=torch.float64)
    pilots = Pilots(pilot_rays, one, log_radius(pilot_rays), 2 * one, -one)
    return pilots.forecast(rays, torch.ones(len(rays), dtype=torch.float64))


def quadratic(u):
    return 1 + 0.1 * u[:, 0] - 0.3 * u[:, 0] * u[:, 1] + 0.2 * u[:, 2] ** 2


def test_many_pilots_foretell_what_is_quadratic_in_the_direction():
    rays = directions(50, 3, seed=1)
    forecast = foretold(directions(200, 3), rays, quadratic)

    assert (forecast.first.log() - quadratic(rays)).abs().max() < 1e-4
    assert (forecast.slope - 2).abs().max() < 1e-9
    assert (forecast.bend + 1).abs().max() < 1e-9


def test_radii_may_depend_on_the_rise_of_the_level():
    rise = 10 ** torch.linspace(-2, 2, 200, dtype=torch.float64)
    one = torch.ones_like(rise)
    pilots = Pilots(directions(200, 3), rise, 0.5 * rise.log(), 2 * one, 0 * one)
    forecast = pilots.forecast(directions(3, 3, seed=1), rise.new_tensor([0.01, 1.0, 50.0]))

    torch.testing.assert_close(
        forecast.first.square(), rise.new_tensor([0.01, 1.0, 50.0]), rtol=1e-3, atol=0
    )


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


def test_a_draft_saves_a_third_of_the_rest(network):
    function, rays = network(4), directions(20_000, 4)
    minimum = find_minimum(function, torch.zeros(1, 4).double())
    given = (function, minimum.point, rays, minimum.value.item() + 1)

    def rounded(z):
        return function(z).float()

    assert evaluations(*given, draft=rounded) < 2 / 3 * evaluations(*given)


MISLEADING = {
    "none": lambda z: torch.full_like(z[..., 0], torch.nan),
    "infinite": lambda z: torch.full_like(z[..., 0], torch.inf),
    "constant": lambda z: torch.zeros_like(z[..., 0]),
    "upside down": lambda z: -z.square().sum(-1),
    "a thousand times as high": lambda z: 1e3 * z.square().sum(-1),
    "noise": lambda z: (1e6 * z[..., 0]).sin(),
}


@pytest.mark.parametrize("draft", MISLEADING.values(), ids=MISLEADING)
def test_a_misleading_draft_changes_no_result(draft):
    rays, centre = directions(500, 3), torch.zeros(3).double()
    radii = find_radii(lambda z: z.square().sum(-1), centre, rays, 2.0, draft=draft)

    assert radii.reached.all()
    assert (radii.radius - 2**0.5).abs().max() < 1e-9


def test_rays_that_never_reach_the_level_have_no_radius_with_a_draft_either():
    rays, centre = directions(500, 2), torch.zeros(2).double()

    def bounded(z):
        return 1 - (-z.square().sum(-1)).exp() + 0.1 * z[..., 0].relu()

    plain, drafted = (
        find_radii(bounded, centre, rays, 1.1, limit=1e3, draft=draft)
        for draft in (None, lambda z: bounded(z).float())
    )

    assert 0 < plain.reached.sum() < 500
    assert torch.equal(plain.status, drafted.status)
