"""Networks that are strictly convex in their input."""

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.nn.precise import PreciseLinear

__all__ = ["InputConvexNetwork", "PositiveLinear"]


class PositiveLinear(nn.Module):
    r"""Linear map without bias whose weights are positive for every value of its parameters.

    .. math:: W = \mathrm{softplus}(V) + 10^{-6} / n_\mathrm{in}

    The floor keeps a weight above zero where softplus underflows (below about -103 in float32,
    -745 in float64), so no row is ever all zero.

    Shapes:
        x: (*batch, in_features), returns: (*batch, out_features)
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.floor = 1e-6 / in_features
        self.free = nn.Parameter(torch.empty(out_features, in_features))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Start near 1 / in_features, so that a layer averages what it gets."""
        centre = math.log(math.expm1(1 / self.free.shape[1]))
        nn.init.normal_(self.free, mean=centre, std=0.5)

    @property
    def weight(self) -> Float[Tensor, "out_features in_features"]:
        """The positive weights."""
        return F.softplus(self.free) + self.floor

    def forward(self, x: Float[Tensor, "*batch in_features"]) -> Float[Tensor, "*batch out"]:
        return F.linear(x, self.weight)


class InputConvexNetwork(nn.Module):
    r"""Scalar network that is strictly convex in its input (Theorem 3.4 of the paper).

    .. math::
        c_1 = \sigma(A_0 z + b_0), \quad
        c_{i+1} = \sigma(W_i c_i + A_i z + b_i), \quad
        f(z) = W_k c_k + A_k z + b_k + \tfrac{\gamma}{2} \lVert z \rVert^2

    with :math:`\sigma` the softplus, which is strictly convex and increasing, and every
    :math:`W_i` positive by parameterisation. The printed theorem asks for no more, yet
    :math:`\sigma(a^\top z)` is constant across directions orthogonal to :math:`a`: f is strictly
    convex only if the rows of :math:`A_0, A_1, \dots` together span the input space, or if
    :math:`\gamma > 0`, which also makes every level set bounded.

    Strictness ends where floats no longer resolve it. A unit is flat once softplus underflows
    (arguments below -103 in float32, -745 in float64), and straight once it equals its argument
    (above 15 in float32, 20 in float64). At 20, torch's softplus drops a remainder of
    :math:`e^{-20} = 2 \cdot 10^{-9}`, so that in float64 a chord across that argument may lie
    below f by as much, times the weights that follow. What is left far out is the quadratic. It
    shows on chords longer than about :math:`\sqrt{8 \varepsilon |f| / \gamma}`, with
    :math:`\varepsilon` the spacing of floats at 1; where it dominates f, that is
    :math:`7 \cdot 10^{-4} \lVert z \rVert` in float32 and :math:`3 \cdot 10^{-8} \lVert z \rVert`
    in float64. With it f is infinite once the square of a coordinate overflows: beyond
    :math:`1.8 \cdot 10^{19}` and :math:`1.3 \cdot 10^{154}`.

    Shapes:
        z: (*batch, in_features), returns: (*batch,)

    Args:
        in_features: The input dimension.
        hidden_features: The widths of c_1, ..., c_k.
        curvature: The constant gamma, not negative; 0 is the network as printed.
        sharpness: The weights from the input into activated layers start this many times as
            large as usual: the larger, the more sharply f can bend at its minimum.
        linear: Whether the output has the term :math:`A_k z`. With it, f may fall for ever beyond
            the data, and only the quadratic, if any, brings its minimum to a finite place. Without
            it (A_k stays 0) f is nowhere below :math:`b_k`.

    References:
        | Input Convex Neural Networks (Amos et al., 2017)
        | https://arxiv.org/abs/1609.07152

    Example:
        >>> f = InputConvexNetwork(2, hidden_features=[8, 8], curvature=1e-3)
        >>> f(torch.zeros(5, 2)).shape
        torch.Size([5])
    """

    def __init__(
        self,
        in_features: int,
        hidden_features: Sequence[int],
        curvature: float,
        sharpness: float = 1.0,
        linear: bool = True,
    ) -> None:
        super().__init__()
        if not (0 <= curvature < math.inf and 0 < sharpness < math.inf):
            raise ValueError(
                f"curvature must not be negative, sharpness be positive and both be finite, "
                f"got {curvature} and {sharpness}"
            )
        if not hidden_features:
            raise ValueError("hidden_features must name at least one layer, got none")

        widths = [*hidden_features, 1]
        self.skip = nn.ModuleList(PreciseLinear(in_features, width) for width in widths)
        self.convex = nn.ModuleList(PositiveLinear(*ends) for ends in pairwise(widths))
        self.curvature = curvature
        with torch.no_grad():
            for layer in self.skip[:-1]:
                layer.weight.mul_(sharpness)
            if not linear:
                self.skip[-1].weight.requires_grad_(False).zero_()

    def forward(self, z: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch"]:
        hidden = self.skip[0](z)
        for convex, skip in zip(self.convex[:-1], self.skip[1:-1], strict=True):
            hidden = skip(z) + convex(F.softplus(hidden))
        with torch.autocast(z.device.type, enabled=False):
            value = (self.skip[-1](z) + self.convex[-1](F.softplus(hidden))).squeeze(-1)
        return value + 0.5 * self.curvature * z.square().sum(-1) if self.curvature else value
