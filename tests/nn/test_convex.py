"""Input-convex networks lie below their chords and never lose a positive weight."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gicnn.nn.convex import InputConvexNetwork, PositiveLinear


def chord_gap(f, x, y, t):
    """How far the chord from x to y lies above f: never negative if f is convex."""
    return t * f(x) + (1 - t) * f(y) - f(t * x + (1 - t) * y)


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32 - 1),
    dim=st.integers(1, 6),
    t=st.floats(0, 1),
    scale=st.sampled_from([0.1, 1.0, 10.0, 100.0]),
)
def test_network_lies_below_its_chords(seed, dim, t, scale):
    torch.manual_seed(seed)
    f = InputConvexNetwork(dim, hidden_features=[8, 8], curvature=0.01).double()
    with torch.no_grad():
        for parameter in f.parameters():
            parameter.mul_(scale)
    x, y = 10 * torch.randn(2, 64, dim, dtype=torch.float64)

    size = 1 + f(x).abs().max() + f(y).abs().max()
    assert chord_gap(f, x, y, t).min() >= -1e-12 * size


def test_chord_gap_sees_a_negative_weight():
    f = InputConvexNetwork(2, hidden_features=[8, 8], curvature=0.01).double()
    f.convex[-1].forward = lambda hidden: -hidden.sum(-1, keepdim=True)
    x, y = 10 * torch.randn(2, 64, 2, dtype=torch.float64)

    assert chord_gap(f, x, y, 0.5).min() < -1e-3


def test_hessian_is_positive_definite():
    f = InputConvexNetwork(3, hidden_features=[16, 16], curvature=0.0).double()
    for z in torch.randn(5, 3, dtype=torch.float64):
        hessian = torch.autograd.functional.hessian(f, z)
        assert torch.linalg.eigvalsh(hessian).min() > 0


def test_no_zero_row_alone_does_not_make_a_network_strictly_convex():
    """The printed theorem's condition: one unit has a non-zero row, yet f is flat across it."""
    f = InputConvexNetwork(2, hidden_features=[1], curvature=0.0).double()
    across = torch.stack([-f.skip[0].weight[0, 1], f.skip[0].weight[0, 0]])
    across = across - (across @ f.skip[1].weight[0]) / 1e300  # stays orthogonal to the first row
    chord = chord_gap(f, across[None], -across[None], 0.5)

    assert f.skip[0].weight.abs().min() > 0
    assert chord.abs().max() < 1e-12


@pytest.mark.parametrize("value", [-1e4, -104.0, 0.0, 1e4])
def test_weights_stay_positive_at_any_parameter(value):
    layer = PositiveLinear(512, 4)
    torch.nn.init.constant_(layer.free, value)

    assert (layer.weight > 0).all()
    assert layer.weight.isfinite().all()


def test_softplus_alone_would_lose_its_weights():
    assert torch.nn.functional.softplus(torch.tensor(-1e4)) == 0


@pytest.mark.parametrize(("hidden", "curvature"), [([], 0.1), ([4], -0.1)])
def test_impossible_settings_are_refused(hidden, curvature):
    with pytest.raises(ValueError, match=r"hidden_features|curvature"):
        InputConvexNetwork(2, hidden, curvature)
