"""Fully connected networks."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from jaxtyping import Float
from torch import Tensor, nn

from gicnn.nn.precise import PreciseLinear

__all__ = ["ACTIVATIONS", "DenseDecoder", "DenseEncoder", "DenseProperty", "dense"]

ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "elu": nn.ELU,
    "relu": nn.ReLU,
    "softplus": nn.Softplus,
}


def dense(widths: Sequence[int], activation: str, dropout: float) -> nn.Sequential:
    """Linear layers of the given widths, input and output included, with a precise linear output.

    Args:
        widths: At least an input and an output width.
        activation: A key of ``ACTIVATIONS``, put after each hidden layer.
        dropout: The share of hidden units dropped while training.
    """
    layers: list[nn.Module] = []
    for before, after in pairwise(widths[:-1]):
        layers += [nn.Linear(before, after), ACTIVATIONS[activation](), nn.Dropout(dropout)]
    return nn.Sequential(*layers, PreciseLinear(*widths[-2:]))


class DenseEncoder(nn.Module):
    """Posterior mean by a dense network (appendix of the paper: synthetic data, molecules).

    Shapes:
        x: (batch, *in_shape), returns: (batch, latent_features)

    Args:
        in_shape: The shape of one input.
        latent_features: The latent dimension.
        hidden_features: The hidden widths, input side first.
        activation: A key of ``ACTIVATIONS``.
        dropout: The share of hidden units dropped while training.
    """

    def __init__(
        self,
        in_shape: Sequence[int],
        latent_features: int,
        hidden_features: Sequence[int],
        activation: str,
        dropout: float,
    ) -> None:
        super().__init__()
        widths = [math.prod(in_shape), *hidden_features, latent_features]
        self.layers = dense(widths, activation, dropout)

    def forward(self, x: Float[Tensor, "batch *shape"]) -> Float[Tensor, "batch latent"]:
        return self.layers(x.flatten(1))


class DenseDecoder(nn.Module):
    """What the likelihood needs, by a dense network.

    Shapes:
        z: (batch, latent_features), returns: (batch, *out_shape)

    Args:
        latent_features: The latent dimension.
        out_shape: The shape of one input.
        hidden_features: The hidden widths, latent side first.
        activation: A key of ``ACTIVATIONS``.
        dropout: The share of hidden units dropped while training.
    """

    def __init__(
        self,
        latent_features: int,
        out_shape: Sequence[int],
        hidden_features: Sequence[int],
        activation: str,
        dropout: float,
    ) -> None:
        super().__init__()
        self.out_shape = tuple(out_shape)
        widths = [latent_features, *hidden_features, math.prod(out_shape)]
        self.layers = dense(widths, activation, dropout)

    def forward(self, z: Float[Tensor, "batch latent"]) -> Float[Tensor, "batch *shape"]:
        return self.layers(z).unflatten(-1, self.out_shape)


class DenseProperty(nn.Module):
    """Property by a dense network without constraints: the baseline of section 5.

    Shapes:
        z: (*batch, in_features), returns: (*batch,)

    Args:
        in_features: The latent dimension.
        hidden_features: The hidden widths, latent side first.
        activation: A key of ``ACTIVATIONS``.
    """

    def __init__(self, in_features: int, hidden_features: Sequence[int], activation: str) -> None:
        super().__init__()
        self.layers = dense([in_features, *hidden_features, 1], activation, dropout=0.0)

    def forward(self, z: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch"]:
        return self.layers(z).squeeze(-1)
