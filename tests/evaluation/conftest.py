"""Small models whose behaviour is known exactly."""

import pytest
import torch

from gicnn.models.likelihood import CategoricalLikelihood, GaussianLikelihood
from gicnn.models.vae import SideInformationVAE
from gicnn.nn.convex import InputConvexNetwork
from gicnn.types import Split


class Rotation(torch.nn.Module):
    """A quarter turn: an exact bijection of the plane that is no identity."""

    def __init__(self):
        super().__init__()
        self.matrix = torch.nn.Parameter(torch.tensor([[0.0, -1.0], [1.0, 0.0]]))

    def forward(self, x):
        return x @ self.matrix.T

    def inverse(self, z):
        return z @ self.matrix


class Paraboloid(torch.nn.Module):
    """z -> |z|^2."""

    def forward(self, z):
        return z.square().sum(-1)


@pytest.fixture
def exact():
    """Y = 1 + 2 |x|^2 by way of a rotation."""
    likelihood = GaussianLikelihood(floor=0.01)
    return SideInformationVAE(Rotation(), None, likelihood, Paraboloid(), None, 1.0, 2.0).eval()


@pytest.fixture
def convex(exact):
    """The same with an untrained input-convex network."""
    exact.convex = InputConvexNetwork(2, [16, 16], curvature=1e-2)
    return exact


class Identity(torch.nn.Module):
    """Logits that name the input itself."""

    def forward(self, x):
        return 20 * x


@pytest.fixture
def graphs():
    """Two categorical variables of two kinds, reconstructed perfectly."""
    likelihood = CategoricalLikelihood([(2, 2)])
    return SideInformationVAE(
        torch.nn.Identity(), Identity(), likelihood, Paraboloid(), None, 0.0, 1.0
    ).eval()


@pytest.fixture
def split():
    """A hundred normal points of the plane and their squared distance from the origin."""
    x = torch.randn(100, 2)
    return Split(x, x.square().sum(-1), torch.arange(100))
