"""The flow is a bijection, also far outside the training range."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gicnn.nn.flow import MaskedAutoregressiveFlow

DTYPES = [torch.float32, torch.float64]
SEEDS = st.integers(0, 2**32 - 1)
LAYERS = 4


def drawn(seed, dim, smallest_scale, dtype):
    """A flow as training finds it."""
    torch.manual_seed(seed)
    flow = MaskedAutoregressiveFlow((dim,), dim, LAYERS, [16], "elu", smallest_scale)
    return flow.to(dtype).requires_grad_(False)


def error(there, back, x):
    """Round-trip error in units of rounding of the largest coordinate."""
    return (back(there(x)) - x).abs().max() / x.abs().max() / torch.finfo(x.dtype).eps


@pytest.fixture
def flow():
    return MaskedAutoregressiveFlow((2,), 2, 4, [16], "elu", 0.1).double()


@settings(max_examples=30)
@given(
    seed=SEEDS,
    dim=st.integers(1, 6),
    smallest_scale=st.sampled_from([0.001, 0.01, 0.1]),
    dtype=st.sampled_from(DTYPES),
)
def test_inverse_is_exact_to_rounding_near_the_data(seed, dim, smallest_scale, dtype):
    flow = drawn(seed, dim, smallest_scale, dtype)
    x = torch.randn(200, dim, dtype=dtype)
    assert error(flow, flow.inverse, x) < 100
    assert error(flow.inverse, flow, x) < 100


@settings(max_examples=30)
@given(
    seed=SEEDS,
    reach=st.sampled_from([1e2, 1e4, 1e6]),
    kind=st.sampled_from([(0.01, torch.float64), (0.1, torch.float64), (0.3, torch.float32)]),
)
def test_rounding_far_out_grows_by_the_layers_smallest_scales(seed, reach, kind):
    """The docstring's bound in two dimensions, with room to spare: 2e-5, 2e-9 and 1e-2."""
    smallest_scale, dtype = kind
    flow = drawn(seed, 2, smallest_scale, dtype)
    x = reach * torch.randn(200, 2, dtype=dtype)
    assert error(flow, flow.inverse, x) < 1000 * smallest_scale**-LAYERS


@pytest.mark.parametrize("reach", [1.0, 1e2, 1e4, 1e6])
def test_inverse_holds_a_million_times_the_range_in_float64(reach):
    flow = drawn(0, 2, 0.1, torch.float64)
    x = reach * torch.randn(500, 2, dtype=torch.float64)
    assert (flow.inverse(flow(x)) - x).abs().max() < 1e-9 * reach


def worst_error(dtype):
    """Of ten flows, a long way out, relative to the largest coordinate."""
    x = 1e4 * torch.randn(200, 2, dtype=dtype)
    flows = [drawn(seed, 2, 0.01, dtype) for seed in range(10)]
    return max(error(flow, flow.inverse, x) for flow in flows) * torch.finfo(dtype).eps


def test_float32_cannot_follow_far_out():
    """Why certificates and level sets use float64."""
    assert worst_error(torch.float64) < 1e-5
    assert worst_error(torch.float32) > 1e-2


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_inverse_that_is_slightly_off_is_seen(dtype):
    flow = drawn(0, 2, 0.1, dtype)
    x = torch.randn(200, 2, dtype=dtype)
    off = 1000 * torch.finfo(dtype).eps
    assert error(flow, lambda z: flow.inverse(z) + off, x) > 100
    assert error(flow, lambda z: flow.inverse(z + off), x) > 100


def test_an_inverse_that_leaves_out_a_layer_is_seen_far_out():
    flow = drawn(0, 2, 0.1, torch.float64)
    shorter = drawn(0, 2, 0.1, torch.float64)
    shorter.transform.transforms = shorter.transform.transforms[:-1]
    x = 1e4 * torch.randn(200, 2, dtype=torch.float64)
    assert error(flow, shorter.inverse, x) > 1000 * 0.1**-LAYERS


def log_determinants(flow, x):
    """By autograd, and the flow's own, at each point."""
    jacobians = torch.func.vmap(torch.func.jacrev(flow))(x)
    return jacobians.det().abs().log(), flow.transform().call_and_ladj(x)[1]


@settings(max_examples=15)
@given(
    seed=SEEDS,
    dim=st.integers(1, 4),
    reach=st.sampled_from([1.0, 1e2, 1e4]),
)
def test_log_determinant_is_the_jacobian_s(seed, dim, reach):
    flow = drawn(seed, dim, 0.3, torch.float64)
    by_autograd, own = log_determinants(flow, reach * torch.randn(5, dim, dtype=torch.float64))
    assert torch.allclose(by_autograd, own, rtol=0, atol=1e-8)


@settings(max_examples=15)
@given(seed=SEEDS, dim=st.integers(1, 4))
def test_log_determinant_holds_in_float32_near_the_data(seed, dim):
    flow = drawn(seed, dim, 0.3, torch.float32)
    by_autograd, own = log_determinants(flow, torch.randn(5, dim))
    assert torch.allclose(by_autograd, own, rtol=0, atol=1e-4)


def test_log_determinant_of_another_flow_is_seen():
    x = torch.randn(5, 2, dtype=torch.float64)
    by_autograd, _ = log_determinants(drawn(0, 2, 0.3, torch.float64), x)
    _, other = log_determinants(drawn(1, 2, 0.3, torch.float64), x)
    assert not torch.allclose(by_autograd, other, rtol=0, atol=1e-4)


@settings(max_examples=15)
@given(seed=SEEDS, dim=st.integers(1, 4))
def test_inverse_has_the_opposite_log_determinant(seed, dim):
    flow = drawn(seed, dim, 0.1, torch.float64)
    x = torch.randn(20, dim, dtype=torch.float64)
    z, there = flow.transform().call_and_ladj(x)
    _, back = flow.transform().inv.call_and_ladj(z)
    assert torch.allclose(there, -back, rtol=0, atol=1e-9)
    assert not torch.allclose(there, back, rtol=0, atol=1e-9)


def test_gradients_reach_every_parameter_through_the_inverse(flow):
    flow.inverse(torch.randn(50, 2, dtype=torch.float64)).square().sum().backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in flow.parameters())


def test_other_dimensions_are_refused():
    with pytest.raises(ValueError, match="latent_features is 3"):
        MaskedAutoregressiveFlow((2,), 3, 4, [16], "elu", 0.1)


@pytest.mark.parametrize("settings", [(0.0, 1.0), (1.5, 1.0), (math.nan, 1.0), (0.1, math.inf)])
def test_impossible_settings_are_refused(settings):
    with pytest.raises(ValueError, match="smallest_scale"):
        MaskedAutoregressiveFlow((2,), 2, 4, [16], "elu", *settings)


@pytest.mark.parametrize(("start", "bent"), [(0.0, False), (1.0, True)])
def test_from_start_0_the_flow_is_affine(start, bent):
    torch.manual_seed(0)
    flow = MaskedAutoregressiveFlow((2,), 2, 4, [16], "elu", 0.1, start).double()
    x, y = torch.randn(2, 50, 2, dtype=torch.float64)
    gap = flow((x + y) / 2) - (flow(x) + flow(y)) / 2

    assert (gap.abs().max() > 1e-3) == bent
    assert bent or gap.abs().max() < 1e-12
