"""Strictly increasing functions of one variable."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

__all__ = ["BoundedTanh", "TanhSum"]

_FLOOR = 1e-6


class TanhSum(nn.Module):
    r"""Positive sum of the identity and of hyperbolic tangents (section 3.4 of the paper).

    .. math:: g(t) = a t + \sum_i w_i \tanh(s_i t + b_i), \quad a, w_i, s_i > 0

    It is strictly increasing and onto, since :math:`g' \ge a > 0`.

    Shapes:
        t: (*batch,), returns: (*batch,)

    Args:
        terms: The number of hyperbolic tangents.
    """

    def __init__(self, terms: int) -> None:
        super().__init__()
        self.slope = nn.Parameter(torch.tensor(_inverse_softplus(1.0)))
        self.weights = nn.Parameter(torch.full((terms,), _inverse_softplus(0.1)))
        self.scales = nn.Parameter(torch.full((terms,), _inverse_softplus(1.0)))
        self.shifts = nn.Parameter(torch.linspace(-2.0, 2.0, terms))

    def forward(self, t: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
        inner = torch.tanh(_positive(self.scales) * t[..., None] + self.shifts)
        return _positive(self.slope) * t + inner @ _positive(self.weights)


class BoundedTanh(nn.Module):
    r"""The hyperbolic tangent of a positive multiple, for properties that have two bounds.

    .. math:: g(t) = \tanh(s t), \quad s > 0

    Strictly increasing, with values in (-1, 1). In floating point it is flat once
    :math:`s |t|` passes about 9 in float32 and 19 in float64.

    Shapes:
        t: (*batch,), returns: (*batch,)
    """

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(_inverse_softplus(1.0)))

    def forward(self, t: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
        return torch.tanh(_positive(self.scale) * t)


def _positive(free: Tensor) -> Tensor:
    return F.softplus(free) + _FLOOR


def _inverse_softplus(value: float) -> float:
    return math.log(math.expm1(value))
