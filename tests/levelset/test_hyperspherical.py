"""Angles and back, everywhere."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gicnn.levelset import to_cartesian, to_directions, to_spherical

DIMS = (1, 2, 3, 22, 200)


def round_trip_error(x, angles=lambda x: to_spherical(x)):
    """Largest distance between points and what comes back, relative to their norm."""
    spherical = angles(x)
    back = to_cartesian(spherical.radius, spherical.angles, x.shape[-1])
    scale = x.abs().amax(-1, keepdim=True).clamp_min(torch.finfo(x.dtype).tiny)
    gap = torch.linalg.vector_norm((back - x) / scale, dim=-1)
    return (gap / torch.linalg.vector_norm(x / scale, dim=-1)).max()


def with_arccos(x):
    """The paper's printed formula."""
    spherical = to_spherical(x)
    tails = x.square().flip(-1).cumsum(-1).flip(-1).sqrt()
    latitudes = torch.acos(x / tails)[..., :-2]
    angles = torch.cat([latitudes, spherical.angles[..., -1:]], dim=-1)
    return type(spherical)(spherical.radius, angles)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    dim=st.integers(1, 200),
    exponent=st.integers(-300, 300),
    spread=st.integers(0, 20),
)
def test_points_come_back_within_a_trillionth(seed, dim, exponent, spread):
    torch.manual_seed(seed)
    sizes = 10.0 ** (spread * (torch.rand(16, dim, dtype=torch.float64) - 1))
    x = torch.randn(16, dim, dtype=torch.float64) * sizes * 10.0**exponent

    assert round_trip_error(x) <= 1e-12


def test_round_trip_error_sees_arccos_lose_digits_near_a_pole():
    x = torch.tensor([[1.0, 1e-6, 1e-6, 1e-6], [-1.0, 1e-7, 1e-8, 1e-9]], dtype=torch.float64)

    assert round_trip_error(x, with_arccos) > 1e-12
    assert round_trip_error(x) <= 1e-12


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("dim", DIMS)
def test_axes_and_poles_come_back(dim, dtype):
    axes = torch.cat([torch.eye(dim, dtype=dtype), -torch.eye(dim, dtype=dtype)])

    assert round_trip_error(axes) <= dim**0.5 * torch.finfo(dtype).eps


@pytest.mark.parametrize("dim", DIMS)
def test_the_origin_has_radius_and_angles_zero(dim):
    spherical = to_spherical(-torch.zeros(3, dim))

    assert torch.equal(spherical.radius, torch.zeros(3))
    assert torch.equal(spherical.angles, torch.zeros(3, max(dim - 1, 1)))


@pytest.mark.parametrize("size", [5e-324, 1e-320, 1e-160, 1e160, 1.7e308])
def test_the_radius_neither_overflows_nor_vanishes(size):
    x = torch.tensor([0.0, 0.6, -0.8], dtype=torch.float64)
    spherical = to_spherical(torch.tensor([0.0, size, 0.0], dtype=torch.float64))

    assert spherical.radius == size
    assert to_spherical(x * 1e300).radius == pytest.approx(1e300, rel=1e-15)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), dim=st.integers(2, 40))
def test_angles_come_back_and_keep_to_their_ranges(seed, dim):
    torch.manual_seed(seed)
    latitudes = math.pi * (0.1 + 0.8 * torch.rand(8, dim - 2, dtype=torch.float64))
    azimuth = 2 * math.pi * torch.rand(8, 1, dtype=torch.float64)
    angles = torch.cat([latitudes, azimuth], dim=-1)
    back = to_spherical(to_directions(angles)).angles

    torch.testing.assert_close(back, angles, rtol=0, atol=1e-9)
    assert (back >= 0).all()
    assert (back[..., :-1] <= math.pi).all()
    assert (back[..., -1] < 2 * math.pi).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_azimuth_stays_below_a_full_turn(dtype):
    just_below = torch.tensor([1.0, -1e-30], dtype=dtype)

    assert to_spherical(just_below).angles.item() < 2 * math.pi


def test_the_paper_s_order_of_axes():
    first, second = torch.tensor(0.3), torch.tensor(5.0)
    expected = torch.stack([first.cos(), first.sin() * second.cos(), first.sin() * second.sin()])

    torch.testing.assert_close(to_directions(torch.stack([first, second])), expected)


@pytest.mark.parametrize("batch", [(), (0,), (3,), (2, 3, 4)])
@pytest.mark.parametrize("dim", DIMS)
def test_any_batch_shape(batch, dim):
    x = torch.randn(*batch, dim)
    spherical = to_spherical(x)

    assert spherical.radius.shape == batch
    assert spherical.angles.shape == (*batch, max(dim - 1, 1))
    assert to_cartesian(spherical.radius, spherical.angles, dim).shape == x.shape


def test_a_wrong_number_of_angles_is_named():
    with pytest.raises(ValueError, match="3 dimensions take 2 angles, got 5"):
        to_directions(torch.zeros(5), dim=3)


def test_nan_stays_nan():
    assert to_spherical(torch.tensor([1.0, torch.nan])).radius.isnan()
    assert to_directions(torch.tensor([torch.nan]), dim=1).isnan().all()
