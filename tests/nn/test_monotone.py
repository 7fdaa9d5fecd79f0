"""g increases strictly, whatever its parameters, and is undone by its inverse."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gicnn.nn.monotone import BoundedTanh, TanhSum

SEEDS = st.integers(0, 2**32 - 1)


def smallest_rise(g, low, high):
    """The smallest step of g over an even grid."""
    return g(torch.linspace(low, high, 2001, dtype=torch.float64)).diff().min()


def drawn(seed, scale):
    """A sum of tangents whose parameters have any sign and the given size."""
    torch.manual_seed(seed)
    g = TanhSum(terms=3, steepest=10.0, lowest=0.0).double()
    with torch.no_grad():
        for parameter in g.parameters():
            parameter.copy_(scale * torch.randn_like(parameter))
    return g


@settings(max_examples=30)
@given(seed=SEEDS, scale=st.sampled_from([0.1, 1.0, 3.0]))
def test_tanh_sum_rises_everywhere(seed, scale):
    assert smallest_rise(drawn(seed, scale), -1e3, 1e3) > 0


def test_rise_sees_a_negative_weight(monkeypatch):
    monkeypatch.setattr("gicnn.nn.monotone._positive", lambda free: free)
    assert smallest_rise(drawn(0, 1.0), -1e3, 1e3) < 0


def test_inverse_passes_on_what_has_none():
    y = torch.tensor([torch.nan, torch.inf, -torch.inf, 1.0, 3e38])
    t = TanhSum(terms=3, steepest=10.0, lowest=0.0).inverse(y)

    assert t[0].isnan()
    assert t[1:3].tolist() == [torch.inf, -torch.inf]
    assert t[3].isfinite()


@pytest.mark.parametrize("value", [-1e4, -104.0, 1e4])
def test_extreme_parameters_leave_a_finite_rising_function(value):
    g = TanhSum(terms=3, steepest=10.0, lowest=0.0).double()
    for name in ("slope", "weights", "scales"):
        torch.nn.init.constant_(getattr(g, name), value)
    values = g(torch.linspace(-1.0, 1.0, 21, dtype=torch.float64))

    assert values.isfinite().all()
    assert values.diff().min() > 0


def test_without_its_floor_g_would_be_flat(monkeypatch):
    g = TanhSum(terms=2, steepest=1.0, lowest=0.0).double()
    for parameter in (g.slope, g.weights):
        torch.nn.init.constant_(parameter, -1e4)
    assert smallest_rise(g, -1.0, 1.0) > 0

    monkeypatch.setattr("gicnn.nn.monotone._FLOOR", 0.0)
    assert smallest_rise(g, -1.0, 1.0) == 0


def test_strictness_ends_where_floats_are_too_coarse():
    """The docstring's bound: with a slope near its floor, float32 cannot tell 1e3 from the next."""
    g = TanhSum(terms=1, steepest=1.0, lowest=1.0)
    torch.nn.init.constant_(g.slope, -1e4)
    t = torch.tensor([1e3, 1e3 + 1e-3])

    assert t.diff() > 0
    assert g(t).diff() == 0
    assert g.double()(t.double()).diff() > 0


@settings(max_examples=30)
@given(seed=SEEDS, scale=st.sampled_from([0.1, 1.0, 3.0]))
def test_inverse_undoes_tanh_sum(seed, scale):
    g = drawn(seed, scale)
    t = 100 * torch.randn(64, dtype=torch.float64)
    y = g(t)
    # Rounding of y by one part in 2^50, seen through g's slope.
    steepness = torch.func.vmap(torch.func.grad(lambda s: g(s)))(t)
    allowed = 2.0**-50 * (1 + y.abs() + t.abs() * steepness) / steepness

    assert ((g.inverse(y) - t).abs() <= allowed).all()


def test_a_wrong_inverse_is_seen():
    g = drawn(0, 1.0)
    t = torch.tensor([0.0, 5.0], dtype=torch.float64)
    assert (g.inverse(g(t) + 0.1) - t).abs().min() > 1e-3


def test_inverse_keeps_shape_and_type():
    g = TanhSum(terms=4, steepest=100.0, lowest=-2.0)
    y = torch.randn(2, 3)
    assert g.inverse(y).shape == y.shape
    assert g.inverse(y).dtype == torch.float32


def test_tanh_sum_has_no_bounds():
    g = TanhSum(terms=2, steepest=1.0, lowest=0.0)
    assert g(torch.tensor(1e6)) > 1e5
    assert g(torch.tensor(-1e6)) < -1e5


@pytest.mark.parametrize(("steepest", "low", "high"), [(1.0, 12, 17), (1000.0, 1, 6)])
def test_a_steep_start_has_a_cusp(steepest, low, high):
    """Sixteen times the argument: a line rises by 16, the fourth root by 2."""
    g = TanhSum(terms=16, steepest=steepest, lowest=0.0).double()
    start, near, far = g(torch.tensor([0.0, 0.001, 0.016], dtype=torch.float64))
    assert low < (far - start) / (near - start) < high


@pytest.mark.parametrize(
    "settings", [(0, 1.0, 0.0), (1, 0.5, 0.0), (1, math.nan, 0.0), (1, 1.0, math.inf)]
)
def test_impossible_settings_are_refused(settings):
    with pytest.raises(ValueError, match="at least 1"):
        TanhSum(*settings)


@pytest.mark.parametrize("value", [-50.0, 0.0, 2.0])
def test_bounded_tanh_rises_within_its_bounds(value):
    g = BoundedTanh().double()
    torch.nn.init.constant_(g.scale, value)

    assert smallest_rise(g, -2.0, 2.0) > 0
    assert g(torch.tensor([-1e9, 1e9])).abs().max() <= 1


def test_inverse_undoes_bounded_tanh():
    g = BoundedTanh().double()
    t = torch.linspace(-4.0, 4.0, 41, dtype=torch.float64)
    assert (g.inverse(g(t)) - t).abs().max() < 1e-11
    assert g.inverse(torch.tensor([1.0, 1.5])).tolist()[0] == float("inf")
    assert g.inverse(torch.tensor(1.5)).isnan()
