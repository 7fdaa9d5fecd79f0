"""Minima: known ones, constrained ones, several, and none."""

import pytest
import torch
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from gicnn.levelset import Ball, Box, find_minimum

QUIET = settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def draw_starts(count, dim, seed=0, scale=3.0):
    draw = torch.Generator().manual_seed(seed)
    return scale * torch.randn(count, dim, generator=draw, dtype=torch.float64)


def improvement(function, region, point, count=500):
    """How far the function falls at the best of many feasible points near and far."""
    draw = torch.Generator().manual_seed(1)
    sizes = 10.0 ** (-6 * torch.rand(count, 1, generator=draw, dtype=torch.float64))
    others = point + sizes * torch.randn(count, len(point), generator=draw, dtype=torch.float64)
    others = others if region is None else region.project(others)
    return (function(point) - function(others)).max()


@pytest.mark.parametrize("dim", [1, 2, 3, 22, 200])
def test_known_minima_are_found_from_near_and_far(known, dim):
    shift = torch.linspace(-1, 1, dim, dtype=torch.float64)
    starts = torch.cat([draw_starts(2, dim, scale=1.0), shift + draw_starts(2, dim, scale=0.05)])
    found = find_minimum(lambda z: known(dim).function(z - shift), starts)

    assert found.attained
    assert found.outcomes[2:] == ["minimum"] * 2
    assert found.starts_per_minimum.tolist() == [found.outcomes.count("minimum")]
    torch.testing.assert_close(found.point, shift, rtol=0, atol=1e-6)


@QUIET
@given(
    seed=st.integers(0, 2**32 - 1),
    dim=st.integers(1, 12),
    gain=st.floats(-1, 1.5).map(lambda power: 10**power),
    kind=st.sampled_from(["none", "box", "ball"]),
)
@example(seed=24, dim=4, gain=0.1, kind="box")  # where the projected gradient is exactly 0
def test_nothing_near_a_minimum_is_lower(network, seed, dim, gain, kind):
    function = network(dim, width=32, gain=gain, seed=seed)
    regions = {
        "none": None,
        "box": Box(0.5, 2.0),
        "ball": Ball(torch.ones(dim, dtype=torch.float64), 0.5),
    }
    found = find_minimum(function, draw_starts(3, dim, seed), region=regions[kind])

    assert found.attained
    assert improvement(function, regions[kind], found.point) <= 1e-12 * (1 + found.value.abs())


def test_improvement_sees_a_point_beside_the_minimum():
    bowl = lambda z: z.square().sum(-1)

    assert improvement(bowl, None, torch.full((3,), 1e-3).double()) > 1e-9
    assert improvement(bowl, None, torch.zeros(3).double()) <= 0


@pytest.mark.parametrize("top", [lambda y: y, lambda y: 0.1 * y + torch.tanh(y - 2), torch.tanh])
def test_an_increasing_function_on_top_keeps_the_minimum(network, top):
    function, starts = network(8, gain=0.5), draw_starts(6, 8)
    plain = find_minimum(function, starts)
    topped = find_minimum(lambda z: top(function(z)), starts)

    assert topped.attained
    torch.testing.assert_close(topped.point, plain.point, rtol=1e-8, atol=1e-8)
    assert topped.gradient_norm < 1e-12


def test_starts_on_a_saturated_plateau_are_told_apart_from_minima():
    starts = torch.tensor([[0.5, 0.5], [30.0, 0.0]], dtype=torch.float64)
    found = find_minimum(lambda z: torch.tanh(z.square().sum(-1)), starts)

    assert found.attained
    assert found.outcomes == ["minimum", "flat"]
    assert found.starts_per_minimum.tolist() == [1]


@pytest.mark.parametrize(
    "function",
    [
        lambda z: z.exp().sum(-1),
        lambda z: F.softplus(z).sum(-1),
        lambda z: z.sum(-1),
        lambda z: F.softplus(z[..., 0]) + z[..., 1].square(),
        lambda z: torch.sqrt(1 + z[..., 0].square()) + z[..., 0] + z[..., 1].square(),
    ],
)
def test_an_infimum_at_infinity_is_not_attained_but_is_within_a_box(function):
    starts = draw_starts(4, 2)
    found = find_minimum(function, starts)

    assert not found.attained
    assert "away from its start" in found.reason
    assert not len(found.distinct)
    with pytest.raises(ValueError, match="no minimum was attained"):
        found.require_attained()
    assert find_minimum(function, starts, region=Box(-1.0, 1.0)).attained


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_slope_across_the_way_from_the_start_is_still_seen_to_run_off(dtype):
    """The way from the start to the end climbs out of the valley that falls to infinity."""
    starts = draw_starts(4, 2).to(dtype)
    found = find_minimum(lambda z: z[..., 0].square() + torch.exp(-z[..., 1]), starts)

    assert set(found.outcomes) == {"running off"}
    assert "keeps falling" in found.reason


@pytest.mark.parametrize(
    "function",
    [
        lambda z: z.detach().square().sum(-1),
        lambda z: torch.from_numpy(z.detach().numpy()[..., 0]),
    ],
)
def test_a_function_that_autograd_does_not_reach_is_refused(function):
    with pytest.raises(ValueError, match="cannot be differentiated"):
        find_minimum(function, draw_starts(2, 2))


def test_lower_ways_between_the_axes_of_a_kink_are_seen():
    def crease(z):
        return (z[..., 0] - z[..., 1]).abs() + 0.1 * z.sum(-1)

    found = find_minimum(crease, torch.ones(1, 2, dtype=torch.float64), iterations=1)

    assert "minimum" not in found.outcomes


def test_ends_on_a_narrow_crease_are_no_minima():
    """Each start ends somewhere else on it, and the way on lies along the line between them."""

    def crease(z):
        return (z[..., 0] - 0.3).abs() + 100 * (z[..., 1] - z[..., 0]).abs()

    found = find_minimum(crease, draw_starts(8, 2))

    assert len(found.distinct) <= 1
    assert not found.attained or found.value < 1e-6


def test_a_slope_that_a_region_ends_does_not_run_off():
    def groove(z):
        return (z[..., 0] - z[..., 1]) ** 2 + 1e-6 * (z.sum(-1) - 9) ** 2

    found = find_minimum(groove, draw_starts(1, 2), region=Box(-1.0, 1.0), iterations=1)

    assert "infinity" not in found.reason


@pytest.mark.parametrize("slope", [1e-2, 1e-5, 1e-8])
@pytest.mark.parametrize(
    ("region", "corner"), [(Box(-1.0, 1.0), 1.0), (Ball(torch.zeros(2).double(), 2.0), 2**0.5)]
)
def test_a_groove_is_followed_to_the_border_of_a_region(slope, region, corner):
    """Its sides are up to a hundred million times as steep as its floor."""

    def groove(z):
        return (z[..., 0] - z[..., 1]) ** 2 + slope * (z.sum(-1) - 9) ** 2

    found = find_minimum(groove, draw_starts(4, 2), region=region)

    assert found.attained
    torch.testing.assert_close(found.point, torch.full((2,), corner).double(), rtol=0, atol=1e-6)


def test_starts_that_are_no_floats_are_refused(unchecked):
    with pytest.raises(ValueError, match=r"float32 or float64, got torch\.int64"):
        find_minimum(lambda z: z.square().sum(-1), torch.ones(2, 2, dtype=torch.int64))


def test_cancelled_terms_hide_no_slope_to_infinity():
    """Large terms cancel in f, so that far out its value is their rounding."""
    draw = torch.Generator().manual_seed(0)
    rate = torch.rand(20, generator=draw, dtype=torch.float64) + 0.1
    weight = torch.rand(20, generator=draw, dtype=torch.float64)

    def function(z):
        units = torch.nn.functional.softplus(-z * rate)
        return units @ weight + z.squeeze(-1) * (rate @ weight)  # sum of w softplus(rate z)

    found = find_minimum(function, torch.linspace(-2, 2, 16, dtype=torch.float64).unsqueeze(-1))

    assert not found.attained
    assert not len(found.distinct)


def test_an_abyss_is_called_one():
    def function(z):
        return z[..., 0].log() + z[..., 1].square()

    starts = torch.rand(4, 2, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    found = find_minimum(function, starts, region=Box(0.0, 1.0))

    assert not found.attained
    assert found.value == -torch.inf
    assert "minus infinity" in found.reason


def test_a_hollow_beside_an_abyss_is_a_minimum_but_not_the_lowest():
    starts = torch.tensor([[0.1], [-40.0]], dtype=torch.float64)
    found = find_minimum(lambda z: (z**3 + 3 * z.square()).sum(-1), starts)

    assert found.outcomes == ["minimum", "running off"]
    assert not found.attained
    assert found.starts_per_minimum.tolist() == [1]


def test_a_valley_without_one_lowest_point_is_called_flat():
    found = find_minimum(lambda z: z[..., 0].square(), draw_starts(4, 2))

    assert not found.attained
    assert set(found.outcomes) == {"flat"}


def test_all_minima_of_a_double_well_are_counted():
    wells = torch.tensor([[-0.2, 0.0], [0.2, 0.0]], dtype=torch.float64)

    def mixture(z):
        return -torch.exp(-(z.unsqueeze(-2) - wells).square().sum(-1) / 0.04).sum(-1)

    found = find_minimum(mixture, 0.3 * draw_starts(20, 2, scale=1.0))

    assert found.attained
    assert len(found.distinct) == 2
    assert found.starts_per_minimum.sum() == found.outcomes.count("minimum")
    torch.testing.assert_close(found.distinct[:, 0].sort().values, wells[:, 0], rtol=0, atol=0.02)
    assert find_minimum(lambda z: z.square().sum(-1), draw_starts(20, 2)).distinct.shape == (1, 2)


def test_the_rosenbrock_function_of_the_experiments():
    def rosenbrock(x):
        return (1 - 10 * x[..., 0]).square() + 100 * (
            10 * x[..., 1] - 100 * x[..., 0].square()
        ).square()

    found = find_minimum(rosenbrock, draw_starts(16, 2, scale=0.4))

    assert found.starts_per_minimum.tolist() == [16]
    torch.testing.assert_close(
        found.point, torch.tensor([0.1, 0.1], dtype=torch.float64), rtol=0, atol=1e-12
    )


def test_overflow_at_some_starts_is_survived_and_said():
    starts = torch.tensor([[1.0, 1.0], [1e200, 0.0]], dtype=torch.float64)
    found = find_minimum(lambda z: (z - 0.5).square().sum(-1), starts)

    assert found.attained
    assert found.outcomes == ["minimum", "not finite"]
    with pytest.raises(ValueError, match="not finite at any start"):
        find_minimum(lambda z: z.square().sum(-1), starts[1:])


def test_bad_starts_and_functions_are_refused(unchecked):
    with pytest.raises(ValueError, match=r"shape \(n, d\)"):
        find_minimum(lambda z: z.sum(-1), torch.zeros(3))
    with pytest.raises(ValueError, match="one value per point"):
        find_minimum(lambda z: z, torch.zeros(3, 2))


def test_single_precision():
    found = find_minimum(lambda z: (z - 1).square().sum(-1), torch.randn(4, 10))

    assert found.attained
    assert found.point.dtype == torch.float32
    torch.testing.assert_close(found.point, torch.ones(10))
