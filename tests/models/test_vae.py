"""Terms of the evidence bound against torch's own distributions."""

import pytest
import torch
from torch.distributions import Normal, kl_divergence

from gicnn.models.likelihood import GaussianLikelihood
from gicnn.models.vae import SideInformationVAE


class Paraboloid(torch.nn.Module):
    """z -> |z|^2."""

    def forward(self, z):
        return z.square().sum(-1)


def make(scale=1.0):
    return SideInformationVAE(
        encoder=torch.nn.Linear(3, 2),
        decoder=torch.nn.Linear(2, 3),
        likelihood=GaussianLikelihood(floor=0.01),
        convex=Paraboloid(),
        monotone=None,
        offset=0.0,
        scale=scale,
    )


def test_divergence_is_that_of_two_normals():
    model, mean = make(), torch.randn(6, 2)
    posterior = Normal(mean, model.posterior_scale())
    expected = kl_divergence(posterior, Normal(0.0, 1.0)).sum(-1)

    assert torch.allclose(model.divergence(mean), expected, atol=1e-5)


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan")])
def test_scale_must_be_positive(scale):
    with pytest.raises(ValueError, match="scale must be positive"):
        make(scale)
