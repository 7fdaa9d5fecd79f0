"""The objective against its formula."""

import pytest
import torch

from gicnn.models.likelihood import CategoricalLikelihood, GaussianLikelihood
from gicnn.models.vae import SideInformationVAE
from gicnn.training.objectives import objective

CYCLE = {"weight": 0.5, "on": "property", "through": "mean", "observed": 1.0, "sampled": 0.5}


class Square(torch.nn.Module):
    """A property without weights."""

    def forward(self, z):
        return z.square().sum(-1)


@pytest.fixture
def perfect():
    """An encoder and a decoder that are inverse to each other, hidden behind two modules."""
    encoder = torch.nn.Linear(2, 2, bias=False, dtype=torch.float64)
    decoder = torch.nn.Linear(2, 2, bias=False, dtype=torch.float64)
    with torch.no_grad():
        decoder.weight.copy_(encoder.weight.inverse())
    return SideInformationVAE(
        encoder, decoder, GaussianLikelihood(0.01), Square(), None, 0.0, 1.0
    ).double()


@pytest.mark.parametrize("on", ["property", "input"])
def test_cycle_loss_of_a_perfect_pair_is_zero(perfect, on):
    x = torch.randn(20, 2, dtype=torch.float64)
    terms = objective(perfect, x, x[:, 0], 1.0, 1.0, CYCLE | {"on": on})
    assert terms.cycle.item() < 1e-10


@pytest.mark.parametrize("on", ["property", "input"])
def test_cycle_loss_sees_a_pair_that_is_not(perfect, on):
    with torch.no_grad():
        perfect.decoder.weight.add_(0.3)
    x = torch.randn(20, 2, dtype=torch.float64)
    terms = objective(perfect, x, x[:, 0], 1.0, 1.0, CYCLE | {"on": on})
    assert terms.cycle.item() > 1e-3


def test_loss_is_the_weighted_sum_of_its_terms(perfect):
    x = torch.randn(20, 2, dtype=torch.float64)
    with torch.no_grad():
        perfect.decoder.weight.add_(0.3)
    terms = objective(perfect, x, x[:, 0], beta=0.3, property_weight=7.0, cycle=CYCLE)
    expected = terms.input + 7 * terms.property + 0.3 * terms.divergence + 0.5 * terms.cycle

    assert torch.allclose(terms.loss, expected)


def test_drawn_points_alone_can_be_cycled(perfect):
    x = torch.randn(20, 2, dtype=torch.float64)
    terms = objective(perfect, x, x[:, 0], 1.0, 1.0, CYCLE | {"observed": 0.0})
    assert terms.cycle.isfinite()


def test_the_mode_goes_back_with_the_gradient_of_the_mean():
    torch.manual_seed(0)
    likelihood = CategoricalLikelihood([(2, 3)])
    decoder = torch.nn.Linear(2, 6)
    encoder = torch.nn.Linear(6, 2)
    seen = []
    encoder.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    graphs = SideInformationVAE(encoder, decoder, likelihood, Square(), None, 0.0, 1.0)
    x = likelihood.mode(torch.randn(20, 6))

    terms = objective(graphs, x, x[:, 0], 1.0, 1.0, CYCLE | {"through": "mode"})
    terms.cycle.backward()

    assert torch.equal(seen[-1], likelihood.mode(seen[-1]))
    assert decoder.weight.grad.abs().sum() > 0
