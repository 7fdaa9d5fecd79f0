"""Strictly increasing functions of one variable, with their inverses."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

__all__ = ["BoundedTanh", "TanhSum"]

_FLOOR = 1e-6
_LARGEST = 30.0  # of a logarithm


class TanhSum(nn.Module):
    r"""Positive sum of the identity and of hyperbolic tangents (section 3.4 of the paper).

    .. math:: g(t) = c + a t + \sum_i w_i \tanh(s_i (t - m_i)), \quad a, w_i, s_i > 0

    It is strictly increasing and onto, since :math:`g' \ge a > 0`. The printed sum has no
    constant; it changes nothing but where training begins. Training moves the middles m_i of
    steep and of gentle terms alike, so that a cusp can follow the minimum of f.

    Numerically it is strict while one step of the argument moves a t: at least 1e-6 times the
    spacing of floats at t.

    Shapes:
        t: (*batch,), returns: (*batch,)

    Args:
        terms: The number of hyperbolic tangents.
        steepest: The largest of the s_i at the start; the others lie evenly, in ratio, between
            1 and it, and their w_i fall with the fourth root. Well above 1, g starts out with a
            cusp at 0, so that a property with a cusp at its minimum is within reach.
        lowest: c at the start, in standard units: about where the property is least.

    Raises:
        ValueError: There is no term, or ``steepest`` is below 1.
    """

    def __init__(self, terms: int, steepest: float, lowest: float) -> None:
        super().__init__()
        if not (terms >= 1 and 1 <= steepest < math.inf and math.isfinite(lowest)):
            raise ValueError(
                f"terms and steepest must be at least 1, and all finite, "
                f"got terms {terms}, steepest {steepest}, lowest {lowest}"
            )
        scales = torch.logspace(0, math.log10(steepest), terms)
        weights = scales**-0.25
        self.constant = nn.Parameter(torch.tensor(float(lowest)))
        self.slope = nn.Parameter(torch.tensor(0.0))
        self.weights = nn.Parameter((2 * weights / weights.sum()).log())
        self.scales = nn.Parameter(scales.log())
        self.middles = nn.Parameter(torch.zeros(terms))

    def forward(self, t: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
        inner = torch.tanh(_positive(self.scales) * (t[..., None] - self.middles))
        return self.constant + _positive(self.slope) * t + inner @ _positive(self.weights)

    @torch.no_grad()
    def inverse(self, y: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
        """Find t with g(t) = y, by halving a bracket until its ends are neighbours.

        Where y is NaN or infinite, or t too large for its type, t is too.

        Shapes:
            y: (*batch,), returns: (*batch,)
        """
        # The tangents together stay within their weights' sum.
        reach = _positive(self.weights).sum()
        low = (y - self.constant - reach) / _positive(self.slope)
        high = (y - self.constant + reach) / _positive(self.slope)
        middle = low + (high - low) / 2
        while bool(((low < middle) & (middle < high)).any()):
            below = self(middle) < y
            low, high = torch.where(below, middle, low), torch.where(below, high, middle)
            middle = low + (high - low) / 2
        return torch.where(middle.isfinite(), middle, low)


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
        self.scale = nn.Parameter(torch.tensor(0.0))

    def forward(self, t: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
        return torch.tanh(_positive(self.scale) * t)

    @torch.no_grad()
    def inverse(self, y: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
        """Give t with g(t) = y; infinite at the bounds, NaN beyond.

        Shapes:
            y: (*batch,), returns: (*batch,)
        """
        return torch.atanh(y) / _positive(self.scale)


def _positive(free: Tensor) -> Tensor:
    """Positive numbers whose size an optimiser changes by ratio; finite at any parameter."""
    return free.clamp(max=_LARGEST).exp() + _FLOOR
