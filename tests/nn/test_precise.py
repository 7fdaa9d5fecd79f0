"""Outputs that keep their digits under autocast."""

import pytest
import torch

from gicnn.nn.convex import InputConvexNetwork
from gicnn.nn.dense import DenseProperty
from gicnn.nn.precise import PreciseLinear

AUTOCAST = torch.autocast("cpu", torch.bfloat16)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_it_is_linear_in_its_weights_precision(dtype):
    layer = PreciseLinear(3, 2).to(dtype)
    x = torch.randn(5, 3, dtype=dtype)
    with AUTOCAST:
        got = layer(x)
    assert got.dtype == dtype
    assert torch.equal(got, x @ layer.weight.T + layer.bias)


@pytest.mark.parametrize("network", [DenseProperty, InputConvexNetwork])
def test_a_property_decoder_rounds_within_and_not_at_its_end(network):
    torch.manual_seed(0)
    argument = "softplus" if network is DenseProperty else 0.1
    f, z = network(4, [64, 64], argument), torch.randn(100, 4)
    with AUTOCAST:
        rounded = f(z)
    exact = f(z)
    assert rounded.dtype == torch.float32
    assert not torch.equal(rounded, exact)
    assert (rounded - exact).abs().max() < 0.01 * exact.abs().max()
    assert not torch.equal(rounded, rounded.bfloat16().float())
