"""Hyperspherical coordinates in every dimension from 1 up."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["Spherical", "angle_count", "to_cartesian", "to_directions", "to_spherical"]


@dataclass(frozen=True)
class Spherical:
    """Hyperspherical coordinates of a batch of points."""

    radius: Float[Tensor, "*batch"]
    """Distance from the origin, not negative."""
    angles: Float[Tensor, "*batch a"]
    """Latitudes in [0, pi] and, last, the azimuth in [0, 2 pi)."""


def angle_count(dim: int) -> int:
    """Count the angles of a direction: one fewer than the dimension, but one on the line.

    Raises:
        ValueError: The dimension is below 1.

    Example:
        >>> [angle_count(dim) for dim in (1, 2, 3, 22)]
        [1, 1, 2, 21]
    """
    if dim < 1:
        raise ValueError(f"a space has at least one dimension, got {dim}")
    return max(dim - 1, 1)


def to_spherical(x: Float[Tensor, "*batch d"]) -> Spherical:
    r"""Express points by their radius and angles (appendix "Parameterisation of Level Sets").

    .. math::
        \varphi_i = \operatorname{atan2}(\lVert (x_{i+1}, \dots, x_n) \rVert, x_i), \quad
        \varphi_{n-1} = \operatorname{atan2}(x_n, x_{n-1}) \bmod 2\pi

    This equals the paper's arccos form, but keeps its precision near the poles, where arccos
    loses half of the digits. An angle that the point leaves open (all of its later coordinates
    are zero, as at a pole or at the origin) is zero. On the line, where the paper has no angle,
    there is one: 0 for the positive half and pi for the negative.

    Shapes:
        x: (\*batch, d), returns: radius (\*batch,) and angles (\*batch, max(d - 1, 1))

    Example:
        >>> to_spherical(torch.tensor([0.0, 0.0, -2.0]))
        Spherical(radius=tensor(2.), angles=tensor([1.5708, 4.7124]))
    """
    scale, unit = _split_scale(x)
    if x.shape[-1] == 1:
        return Spherical(scale.squeeze(-1), torch.atan2(torch.zeros_like(unit), unit))

    norms = _suffix_norms(unit)
    latitudes = torch.atan2(norms[..., 1:-1], unit[..., :-2])
    azimuth = _wrap(torch.atan2(unit[..., -1:], unit[..., -2:-1]))
    return Spherical(norms[..., 0] * scale.squeeze(-1), torch.cat([latitudes, azimuth], dim=-1))


def to_cartesian(
    radius: Float[Tensor, "*batch"], angles: Float[Tensor, "*batch a"], dim: int | None = None
) -> Float[Tensor, "*batch d"]:
    """Place points by their radius and angles; the inverse of :func:`to_spherical`.

    Shapes:
        radius: (*batch,), angles: (*batch, a), returns: (*batch, d)

    Args:
        radius: Distance from the origin.
        angles: One angle on the line and in the plane, else one fewer than the dimension.
        dim: The dimension d; a + 1 unless given. Only the line needs it: it has an angle too.

    Raises:
        ValueError: The number of angles does not fit the dimension.

    Example:
        >>> to_cartesian(torch.tensor(2.0), torch.tensor([0.0, 1.0]))
        tensor([2., 0., 0.])
    """
    return radius.unsqueeze(-1) * to_directions(angles, dim)


def to_directions(
    angles: Float[Tensor, "*batch a"], dim: int | None = None
) -> Float[Tensor, "*batch d"]:
    r"""Turn angles into unit vectors (appendix "Parameterisation of Level Sets").

    .. math::
        u_i = \sin\varphi_1 \cdots \sin\varphi_{i-1} \cos\varphi_i, \quad
        u_n = \sin\varphi_1 \cdots \sin\varphi_{n-1}

    On the line the direction is the sign of the cosine: it has no other unit vectors.

    Shapes:
        angles: (\*batch, a), returns: (\*batch, d)

    Raises:
        ValueError: The number of angles does not fit the dimension.

    Example:
        >>> to_directions(torch.tensor([[0.0], [math.pi]]), dim=1)
        tensor([[ 1.],
                [-1.]])
    """
    given = angles.shape[-1]
    dim = given + 1 if dim is None else dim
    if given != angle_count(dim):
        raise ValueError(f"{dim} dimensions take {angle_count(dim)} angles, got {given}")
    if dim == 1:
        return torch.where(torch.cos(angles) >= 0, 1.0, -1.0).to(angles) + 0 * angles

    one = torch.ones_like(angles[..., :1])
    sines = torch.cat([one, torch.cumprod(torch.sin(angles), dim=-1)], dim=-1)
    return sines * torch.cat([torch.cos(angles), one], dim=-1)


def _split_scale(x: Tensor) -> tuple[Tensor, Tensor]:
    """Divide by the largest coordinate, so that squares neither overflow nor vanish."""
    scale = x.abs().amax(dim=-1, keepdim=True)
    # Adding zero turns -0.0 into 0.0, of which atan2 would make pi.
    return scale, x / torch.where(scale > 0, scale, torch.ones_like(scale)) + 0.0


def _suffix_norms(x: Tensor) -> Tensor:
    """Give the norm of (x_i, ..., x_n) for each i."""
    norms = [x[..., -1].abs()]
    for column in reversed(x[..., :-1].unbind(dim=-1)):
        norms.append(torch.hypot(column, norms[-1]))
    return torch.stack(norms[::-1], dim=-1)


def _wrap(angle: Tensor) -> Tensor:
    """Bring angles from [-pi, pi] into [0, 2 pi)."""
    positive = torch.where(angle < 0, angle + 2 * math.pi, angle)
    # A tiny negative angle rounds to 2 pi itself.
    return torch.where(positive >= 2 * math.pi, torch.zeros_like(positive), positive)
