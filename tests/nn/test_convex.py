"""Input-convex networks lie below their chords and never lose a positive weight."""

import copy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gicnn.nn.convex import InputConvexNetwork, PositiveLinear

DTYPES = [torch.float32, torch.float64]
SEEDS = st.integers(0, 2**32 - 1)
# Of a sum, relative to the sum of sizes. In float64 torch's softplus is the coarser: above 20 it
# leaves out exp(-20) = 2e-9.
ROUNDING = {torch.float32: 1e-5, torch.float64: 1e-9}


def chord_gap(f, x, y, t):
    """How far the chord from x to y lies above f: never negative if f is convex."""
    return t * f(x) + (1 - t) * f(y) - f(t * x + (1 - t) * y)


def magnitude(f, z):
    """What f would be if nothing cancelled: the size that rounding is relative to."""
    sizes = copy.deepcopy(f).double()
    with torch.no_grad():
        for parameter in sizes.skip.parameters():
            parameter.abs_()
        return sizes(z.double().abs())


def drawn(seed, dim, scale, curvature, dtype):
    """A network whose parameters have any sign and the given size."""
    torch.manual_seed(seed)
    f = InputConvexNetwork(dim, hidden_features=[8, 8], curvature=curvature).to(dtype)
    with torch.no_grad():
        for parameter in f.parameters():
            parameter.copy_(scale * torch.randn_like(parameter))
    return f


def smallest_excess(f, modulus, t, reach):
    """Smallest gap of random chords over what a quadratic's would be, rounding granted.

    f is strictly convex with that modulus if it is never negative.
    """
    weight = f.skip[0].weight
    x, y = reach * torch.randn(2, 64, f.skip[0].in_features, dtype=weight.dtype)
    share = modulus / 2 * t * (1 - t) * (x - y).double().square().sum(-1)
    rounding = ROUNDING[weight.dtype] * (magnitude(f, x) + magnitude(f, y))
    return (chord_gap(f, x, y, t) - share + rounding).min()


@settings(max_examples=30)
@given(
    seed=SEEDS,
    dim=st.integers(1, 6),
    t=st.floats(0, 1, width=32),
    scale=st.sampled_from([0.1, 1.0, 10.0, 100.0]),
    reach=st.sampled_from([1e-3, 1.0, 1e2, 1e5]),
    dtype=st.sampled_from(DTYPES),
)
def test_network_lies_below_its_chords_by_the_quadratic_at_least(
    seed, dim, t, scale, reach, dtype
):
    assert smallest_excess(drawn(seed, dim, scale, 0.5, dtype), 0.5, t, reach) >= 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_chords_see_a_negative_weight(dtype):
    f = drawn(0, 2, 1.0, 0.01, dtype)
    f.convex[-1].floor = -10.0
    assert smallest_excess(f, 0.01, 0.5, 1.0) < 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_chords_see_a_quadratic_that_is_not_there(dtype):
    assert smallest_excess(drawn(0, 2, 1.0, 0.0, dtype), 0.5, 0.5, 1e2) < 0


@settings(max_examples=30)
@given(
    seed=SEEDS,
    scale=st.sampled_from([0.1, 1.0, 10.0, 100.0]),
    reach=st.sampled_from([1.0, 1e2, 1e5]),
    dtype=st.sampled_from(DTYPES),
)
def test_hessian_is_no_less_than_the_quadratic_s(seed, scale, reach, dtype):
    f = drawn(seed, 3, scale, 0.5, dtype)
    for z in reach * torch.randn(3, 3, dtype=dtype):
        eigenvalues = torch.linalg.eigvalsh(torch.autograd.functional.hessian(f, z))
        assert eigenvalues.min() >= 0.5 - 1e-5 * eigenvalues.max()


def test_hessian_far_out_is_lost_without_the_quadratic():
    f = drawn(0, 3, 1.0, 0.0, torch.float64)
    hessian = torch.autograd.functional.hessian(f, torch.full((3,), 1e5, dtype=torch.float64))
    assert hessian.abs().max() == 0


def test_hessian_is_positive_definite_near_the_origin_without_the_quadratic():
    f = InputConvexNetwork(3, hidden_features=[16, 16], curvature=0.0).double()
    for z in torch.randn(5, 3, dtype=torch.float64):
        hessian = torch.autograd.functional.hessian(f, z)
        assert torch.linalg.eigvalsh(hessian).min() > 0


def test_no_zero_row_alone_does_not_make_a_network_strictly_convex():
    """The printed theorem's condition: one unit has a non-zero row, yet f is flat across it."""
    f = InputConvexNetwork(2, hidden_features=[1], curvature=0.0).double()
    across = torch.stack([-f.skip[0].weight[0, 1], f.skip[0].weight[0, 0]])
    chord = chord_gap(f, across[None], -across[None], 0.5)

    assert f.skip[0].weight.abs().min() > 0
    assert chord.abs().max() < 1e-12


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("value", [-1e30, -1e4, -104.0, 0.0, 1e4, 1e30])
def test_weights_stay_positive_at_any_parameter(value, dtype):
    layer = PositiveLinear(512, 4).to(dtype)
    torch.nn.init.constant_(layer.free, value)

    assert (layer.weight > 0).all()
    assert layer.weight.isfinite().all()


def test_without_its_floor_a_layer_would_lose_its_weights():
    layer = PositiveLinear(3, 2)
    torch.nn.init.constant_(layer.free, -1e4)
    assert (layer.weight > 0).all()

    layer.floor = 0.0
    assert (layer.weight == 0).all()


@pytest.mark.parametrize(
    ("hidden", "curvature", "sharpness"),
    [([], 0.1, 1.0), ([4], -0.1, 1.0), ([4], torch.nan, 1.0), ([4], 0.1, torch.nan)],
)
def test_impossible_settings_are_refused(hidden, curvature, sharpness):
    with pytest.raises(ValueError, match=r"hidden_features|curvature"):
        InputConvexNetwork(2, hidden, curvature, sharpness)


def test_without_the_linear_term_the_function_is_bounded_below_and_stays_so():
    f = InputConvexNetwork(3, [16, 16], curvature=0.0, linear=False).double()
    free = InputConvexNetwork(3, [16, 16], curvature=0.0).double()
    far = 1e4 * torch.randn(500, 3, dtype=torch.float64)
    optimiser = torch.optim.Adam([p for p in f.parameters() if p.requires_grad], lr=0.1)
    for _ in range(20):
        optimiser.zero_grad()
        f(torch.randn(50, 3, dtype=torch.float64)).sum().backward()
        optimiser.step()

    assert (f(far) >= f.skip[-1].bias).all()
    assert not f.skip[-1].weight.any()
    assert (free(far) < free.skip[-1].bias).any()
