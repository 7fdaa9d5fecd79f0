"""Where strict convexity ends in floating point, as the networks' docstring states it."""

import math

import pytest
import torch

from gicnn.nn.convex import InputConvexNetwork

DTYPES = [torch.float32, torch.float64]


def gap(f, x, y):
    """How far the middle of a chord lies above f."""
    return (f(x) + f(y)) / 2 - f((x + y) / 2)


def lone_unit(curvature, slope):
    """A network of one unit, whose argument is slope times z."""
    f = InputConvexNetwork(1, hidden_features=[1], curvature=curvature)
    with torch.no_grad():
        for parameter in f.skip.parameters():
            parameter.zero_()
        f.skip[0].weight.fill_(slope)
    return f


def sees_convexity(f, low, high, dtype):
    """Whether the gap half-way along a chord stands out from rounding."""
    x, y = torch.tensor([[[low]], [[high]]], dtype=dtype)
    f = f.to(dtype)
    return bool(gap(f, x, y) > 4 * torch.finfo(dtype).eps * f(x).maximum(f(y)))


@pytest.mark.parametrize(
    ("dtype", "low", "high", "seen"),
    [
        (torch.float32, -98.0, -94.0, True),
        (torch.float32, -120.0, -104.0, False),
        (torch.float64, -120.0, -104.0, True),
        (torch.float64, -760.0, -748.0, False),
        (torch.float32, 6.0, 10.0, True),
        (torch.float32, 15.0, 19.0, False),
        (torch.float64, 15.0, 19.0, True),
        (torch.float64, 21.0, 25.0, False),
    ],
)
def test_unit_alone_is_flat_or_straight_beyond_what_floats_resolve(dtype, low, high, seen):
    assert sees_convexity(lone_unit(0.0, 1.0), low, high, dtype) == seen


def test_unit_loses_two_billionths_at_twenty_in_float64():
    """The one place where a chord may lie below the function by more than rounding."""
    f = lone_unit(0.0, 1.0).double()
    x, y = torch.tensor([[[19.9]], [[20.1]]], dtype=torch.float64)
    assert -math.exp(-20) < gap(f, x, y) < -1e-10


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("factor", "seen"), [(4.0, True), (0.25, False)])
def test_quadratic_is_seen_on_chords_of_a_certain_length(dtype, factor, seen):
    f = lone_unit(0.5, 0.0)
    size = f(torch.tensor([[1e3]])).item()
    length = factor * math.sqrt(8 * torch.finfo(dtype).eps * size / 0.5)
    assert sees_convexity(f, 1e3, 1e3 + length, dtype) == seen


@pytest.mark.parametrize(("dtype", "largest"), [(torch.float32, 1.8e19), (torch.float64, 1.3e154)])
def test_squares_overflow_beyond_the_root_of_the_largest_number(dtype, largest):
    f = lone_unit(0.5, 0.0).to(dtype)
    inside, outside = torch.tensor([[[largest]], [[1.1 * largest]]], dtype=dtype)
    assert f(inside).isfinite()
    assert f(outside).isinf()


def test_without_the_quadratic_no_square_overflows():
    f = InputConvexNetwork(2, [4], curvature=0.0)
    assert f(torch.full((1, 2), 1e20)).isfinite().all()
