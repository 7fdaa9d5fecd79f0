"""Likelihoods of the input given what the decoder says."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.nn.scale import TrainableScale

__all__ = ["CategoricalLikelihood", "GaussianLikelihood", "Likelihood"]


class Likelihood(nn.Module, ABC):
    """What a likelihood offers, given the decoder's outputs.

    Attributes:
        discrete: Whether inputs are categories, which the mode can hit exactly.

    Shapes:
        x, outputs: (batch, *shape); log_prob: (batch,); mean and mode: (batch, *shape)
    """

    discrete: bool

    @abstractmethod
    def log_prob(self, outputs: Tensor, x: Tensor) -> Tensor:
        """Logarithm of p(x | z), summed over the features."""

    @abstractmethod
    def mean(self, outputs: Tensor) -> Tensor:
        """Expected input, differentiable: what the cycle feeds back to the encoder."""

    @abstractmethod
    def mode(self, outputs: Tensor) -> Tensor:
        """Most likely input."""


class GaussianLikelihood(Likelihood):
    r"""Isotropic Gaussian with a trainable scale (section 4 of the paper).

    .. math:: p(x | z) = \mathcal{N}(x; \mu_x(z), \sigma_x^2 I)

    The scale is kept above ``floor``, so that the density of a perfect fit stays finite.

    Args:
        floor: The smallest scale, in units of the input.
    """

    discrete = False

    def __init__(self, floor: float) -> None:
        super().__init__()
        self.scale = TrainableScale(start=1.0, floor=floor)

    def log_prob(
        self, outputs: Float[Tensor, "b *shape"], x: Float[Tensor, "b *shape"]
    ) -> Float[Tensor, "b"]:
        normal = torch.distributions.Normal(outputs, self.scale(), validate_args=False)
        return normal.log_prob(x).flatten(1).sum(-1)

    def mean(self, outputs: Float[Tensor, "b *shape"]) -> Float[Tensor, "b *shape"]:
        return outputs

    def mode(self, outputs: Float[Tensor, "b *shape"]) -> Float[Tensor, "b *shape"]:
        return outputs


class CategoricalLikelihood(Likelihood):
    """Independent categorical variables, one-hot encoded side by side.

    Args:
        groups: Pairs (variables, categories), in the order of the features; molecules have
            (9, 5) for atoms, then (36, 4) for bonds.

    Example:
        >>> likelihood = CategoricalLikelihood([(2, 3), (1, 2)])
        >>> likelihood.mean(torch.zeros(1, 8)).sum()
        tensor(3.)
    """

    discrete = True

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self.groups = [tuple(group) for group in groups]
        self.sizes = [count * categories for count, categories in self.groups]

    def log_prob(
        self, outputs: Float[Tensor, "b d"], x: Float[Tensor, "b d"]
    ) -> Float[Tensor, "b"]:
        log_probabilities = [F.log_softmax(part, -1).flatten(1) for part in self._split(outputs)]
        return (torch.cat(log_probabilities, -1) * x).sum(-1)

    def mean(self, outputs: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
        return torch.cat([part.softmax(-1).flatten(1) for part in self._split(outputs)], -1)

    def mode(self, outputs: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
        hard = [F.one_hot(part.argmax(-1), part.shape[-1]) for part in self._split(outputs)]
        return torch.cat([part.flatten(1) for part in hard], -1).to(outputs.dtype)

    def _split(self, features: Tensor) -> list[Tensor]:
        if features.shape[-1] != sum(self.sizes):
            raise ValueError(
                f"groups {self.groups} describe {sum(self.sizes)} features, "
                f"the input has {features.shape[-1]}"
            )
        parts = features.split(self.sizes, -1)
        return [part.unflatten(-1, group) for part, group in zip(parts, self.groups, strict=True)]
