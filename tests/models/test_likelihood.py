"""Likelihoods against torch's own distributions."""

import pytest
import torch
from torch.distributions import Categorical, Normal

from gicnn.models.likelihood import CategoricalLikelihood, GaussianLikelihood


def test_gaussian_sums_over_all_features():
    likelihood = GaussianLikelihood(floor=0.1)
    mean, x = torch.randn(2, 5, 3, 4)
    expected = Normal(mean, 1.0).log_prob(x).sum((1, 2))

    assert torch.allclose(likelihood.log_prob(mean, x), expected)


def test_gaussian_scale_never_falls_below_its_floor():
    likelihood = GaussianLikelihood(floor=0.1)
    torch.nn.init.constant_(likelihood.scale.theta, -1e4)
    assert likelihood.scale().item() == pytest.approx(0.1)


@pytest.fixture
def graphs():
    likelihood = CategoricalLikelihood([(2, 3), (1, 4)])
    logits = torch.randn(6, 10)
    choices = torch.stack([torch.randint(3, (6,)), torch.randint(3, (6,)), torch.randint(4, (6,))])
    one_hot = [torch.nn.functional.one_hot(c, n) for c, n in zip(choices, (3, 3, 4), strict=True)]
    return likelihood, logits, choices, torch.cat(one_hot, -1).float()


def test_categorical_agrees_with_independent_categoricals(graphs):
    likelihood, logits, choices, x = graphs
    parts = zip(logits.split([3, 3, 4], -1), choices, strict=True)
    expected = sum(Categorical(logits=part).log_prob(choice) for part, choice in parts)

    assert torch.allclose(likelihood.log_prob(logits, x), expected, atol=1e-5)


def test_mode_is_one_hot_at_the_largest_mean(graphs):
    likelihood, logits, _, _ = graphs
    mode, mean = likelihood.mode(logits), likelihood.mean(logits)

    assert torch.equal(mode.sum(-1), torch.full((6,), 3.0))
    for ours, theirs in zip(mode.split([3, 3, 4], -1), mean.split([3, 3, 4], -1), strict=True):
        assert torch.equal(ours.argmax(-1), theirs.argmax(-1))


def test_categorical_is_certain_of_what_it_is_told(graphs):
    likelihood, _, _, x = graphs
    assert torch.allclose(likelihood.log_prob(1e3 * x, x), torch.zeros(6))
    assert torch.equal(likelihood.mode(1e3 * x), x)


def test_groups_that_do_not_fit_are_named(graphs):
    with pytest.raises(ValueError, match="describe 10 features, the input has 11"):
        graphs[0].mean(torch.zeros(1, 11))
