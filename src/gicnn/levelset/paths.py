"""Ways from one direction to another."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.levelset.hyperspherical import to_directions, to_spherical

__all__ = ["interpolate_angles", "interpolate_great_circle"]


def interpolate_angles(
    start: Float[Tensor, "a"], end: Float[Tensor, "a"], t: Float[Tensor, "steps"], dim: int
) -> Float[Tensor, "steps a"]:
    r"""Interpolate each angle linearly, as the paper does (section 3.3).

    .. math:: \varphi(t) = \varphi_0 + t\,(\varphi_1 - \varphi_0)

    The azimuth, which the paper lets run through up to :math:`2\pi`, goes the short way round;
    of two equally long ways, the one with growing angle. On the line the two directions are not
    connected: the path jumps half-way.

    Shapes:
        start: (a,), end: (a,), t: (steps,), returns: (steps, a)

    Example:
        >>> t = torch.tensor([0.0, 0.5, 1.0])
        >>> interpolate_angles(torch.tensor([0.5]), torch.tensor([6.0]), t, dim=2).squeeze()
        tensor([0.5000, 0.1084, 6.0000])
    """
    turn = end - start
    if dim > 1:
        half_turns = torch.ceil((turn[-1:] - math.pi) / (2 * math.pi))
        turn = torch.cat([turn[:-1], turn[-1:] - 2 * math.pi * half_turns])
    angles = torch.lerp(start.expand(len(t), -1), start + turn, t.unsqueeze(-1))
    return angles if dim == 1 else _wrap_azimuth(angles)


def interpolate_great_circle(
    start: Float[Tensor, "a"], end: Float[Tensor, "a"], t: Float[Tensor, "steps"], dim: int
) -> Float[Tensor, "steps a"]:
    r"""Follow the great circle at constant speed: the shortest way between two directions.

    .. math::
        u(t) = \cos(t\omega)\, u + \sin(t\omega)\, w, \quad
        \omega = 2 \operatorname{atan2}(\lVert v - u \rVert, \lVert v + u \rVert)

    with w the unit vector across u towards v. Between opposite directions every way is as short,
    and w lies in the plane of u and the axis of its smallest coordinate, so that repeated calls agree.

    Shapes:
        start: (a,), end: (a,), t: (steps,), returns: (steps, a)

    Example:
        >>> t = torch.tensor([0.0, 0.5, 1.0])
        >>> interpolate_great_circle(torch.tensor([0.5]), torch.tensor([6.0]), t, dim=2).squeeze()
        tensor([0.5000, 0.1084, 6.0000])
    """
    u, v = to_directions(start, dim), to_directions(end, dim)
    omega = 2 * torch.atan2((v - u).norm(), (v + u).norm())
    phase = (t * omega).unsqueeze(-1)
    return to_spherical(torch.cos(phase) * u + torch.sin(phase) * _across(u, v)).angles


def _across(u: Tensor, v: Tensor) -> Tensor:
    """Give the unit vector across u that points to v, or any if v is along u (0 on the line)."""
    across = v - (v @ u) * u
    if across.norm() <= 8 * torch.finfo(u.dtype).eps:
        axis = torch.zeros_like(u)
        axis[u.abs().argmin()] = 1
        across = axis - (axis @ u) * u
    # Cancellation leaves some of u in the first difference.
    across = across - (across @ u) * u
    return across / across.norm().clamp_min(torch.finfo(u.dtype).tiny)


def _wrap_azimuth(angles: Tensor) -> Tensor:
    azimuth = torch.remainder(angles[..., -1:], 2 * math.pi)
    azimuth = torch.where(azimuth >= 2 * math.pi, torch.zeros_like(azimuth), azimuth)
    return torch.cat([angles[..., :-1], azimuth], dim=-1)
