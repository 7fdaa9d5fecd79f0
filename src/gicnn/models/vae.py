"""The variational autoencoder with a second decoder for the property."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.models.likelihood import Likelihood
from gicnn.nn.scale import TrainableScale

__all__ = ["SideInformationVAE"]


class SideInformationVAE(nn.Module):
    r"""Beta-VAE whose latent point also predicts a property (section 4 of the paper).

    .. math::
        q(z | x) = \mathcal{N}(\mu_z(x), \sigma_z^2 I), \quad
        p(y | z) = \mathcal{N}(y; g(f(z)), \sigma_y^2)

    The encoder's mean :math:`\mu_z` is the map h. With an exact bijection as encoder,
    :math:`\mu_x` is its inverse and no decoder is given; otherwise the cycle loss ties the
    decoder to it. The property is modelled in standard units and reported in its own:
    ``offset + scale * g(f(z))``, again increasing in f.

    Args:
        encoder: h, a module from inputs to latent means.
        decoder: From latent points to likelihood parameters; None takes ``encoder.inverse``.
        likelihood: Of the input.
        convex: f, from (*batch, d) to (*batch,); input-convex, or anything for a baseline.
        monotone: g, strictly increasing; None is the identity.
        offset: Of the property, in its own unit.
        scale: Of the property, in its own unit, positive.
    """

    def __init__(
        self,
        encoder: nn.Module,
        decoder: nn.Module | None,
        likelihood: Likelihood,
        convex: nn.Module,
        monotone: nn.Module | None,
        offset: float,
        scale: float,
    ) -> None:
        super().__init__()
        if not scale > 0:
            raise ValueError(f"the property's scale must be positive, got {scale}")
        self.encoder = encoder
        self.decoder = decoder
        self.likelihood = likelihood
        self.convex = convex
        self.monotone = monotone
        self.register_buffer("offset", torch.tensor(float(offset)))
        self.register_buffer("scale", torch.tensor(float(scale)))
        self.posterior_scale = TrainableScale(start=0.1, floor=1e-6)
        self.property_scale = TrainableScale(start=1.0, floor=1e-3)  # in standard units

    @property
    def exact(self) -> bool:
        """Whether encoder and decoder are inverse to each other by construction."""
        return self.decoder is None

    def encode(self, x: Float[Tensor, "b *shape"]) -> Float[Tensor, "b d"]:
        """Posterior mean h(x)."""
        return self.encoder(x)

    def decode(self, z: Float[Tensor, "b d"]) -> Float[Tensor, "b *shape"]:
        """Likelihood parameters of the input."""
        return self.encoder.inverse(z) if self.decoder is None else self.decoder(z)

    def reconstruct(self, z: Float[Tensor, "b d"]) -> Float[Tensor, "b *shape"]:
        """Expected input at a latent point, differentiable."""
        return self.likelihood.mean(self.decode(z))

    def standard_property(self, z: Float[Tensor, "*b d"]) -> Float[Tensor, "*b"]:
        """g(f(z)) in standard units."""
        value = self.convex(z)
        return value if self.monotone is None else self.monotone(value)

    def predict(self, z: Float[Tensor, "*b d"]) -> Float[Tensor, "*b"]:
        """Property at a latent point, in its own unit."""
        return self.offset + self.scale * self.standard_property(z)

    def cycle(self, z: Float[Tensor, "b d"]) -> Float[Tensor, "b"]:
        """Property after one more pass through decoder and encoder, y' of section 4.1."""
        return self.predict(self.encode(self.reconstruct(z)))

    def property_log_prob(
        self, predicted: Float[Tensor, "b"], y: Float[Tensor, "b"]
    ) -> Float[Tensor, "b"]:
        """Logarithm of p(y | z), both in standard units."""
        normal = torch.distributions.Normal(predicted, self.property_scale(), validate_args=False)
        return normal.log_prob(y)

    def divergence(self, mean: Float[Tensor, "b d"]) -> Float[Tensor, "b"]:
        """Kullback-Leibler divergence of the posterior from the standard normal prior."""
        variance = self.posterior_scale().square()
        constant = variance - 1 - variance.log()
        return 0.5 * (mean.square() + constant).sum(-1)
