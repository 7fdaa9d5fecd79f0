"""g increases strictly, whatever its parameters."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gicnn.nn.monotone import BoundedTanh, TanhSum


def smallest_rise(g, low, high):
    """The smallest step of g over an even grid."""
    return g(torch.linspace(low, high, 2001, dtype=torch.float64)).diff().min()


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), scale=st.sampled_from([0.1, 1.0, 10.0]))
def test_tanh_sum_rises_everywhere(seed, scale):
    torch.manual_seed(seed)
    g = TanhSum(terms=3).double()
    with torch.no_grad():
        for parameter in g.parameters():
            parameter.copy_(scale * torch.randn_like(parameter))

    assert smallest_rise(g, -1e3, 1e3) > 0


def test_rise_sees_a_negative_weight():
    g = TanhSum(terms=3).double()
    assert smallest_rise(lambda t: t - 5 * torch.tanh(t) + 0 * g(t), -10, 10) < 0


def test_tanh_sum_has_no_upper_bound():
    g = TanhSum(terms=2)
    assert g(torch.tensor(1e6)) > 1e5


@pytest.mark.parametrize("value", [-50.0, 0.0, 2.0])
def test_bounded_tanh_rises_within_its_bounds(value):
    g = BoundedTanh().double()
    torch.nn.init.constant_(g.scale, value)

    assert smallest_rise(g, -5.0, 5.0) > 0
    assert g(torch.tensor([-1e9, 1e9])).abs().max() <= 1
