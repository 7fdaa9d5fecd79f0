"""The verdict follows from the evidence, and says what is missing where there is none."""

import json
import math

import pytest
import torch
from torch import nn

from gicnn.data.grids import gaussian_mixture, rosenbrock
from gicnn.evaluation.connectedness.detect import detect_disconnected
from gicnn.evaluation.connectedness.verdict import Losses, judge
from gicnn.models.likelihood import GaussianLikelihood
from gicnn.models.vae import SideInformationVAE
from gicnn.nn.convex import InputConvexNetwork
from gicnn.types import Split

PLAN = {
    "cost": 0.005,
    "unexplained": 0.1,
    "rise_in_errors": 3.0,
    "rise_in_deviations": 0.1,
    "support": 5,
    "neighbours": 10,
    "examples": 2000,
    "starts": 4,
    "seed": 0,
}


class Known(nn.Module):
    """Any function as a network."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, z):
        return self.function(z)


class KnownConvex(InputConvexNetwork):
    """A function known to be convex, where a network with that guarantee is asked for."""

    def __init__(self, function):
        nn.Module.__init__(self)
        self.function = function

    def forward(self, z):
        return self.function(z)


def model(encoder, f, g=None, decoder=None):
    likelihood = GaussianLikelihood(floor=0.01)
    g = None if g is None else Known(g)
    return SideInformationVAE(Known(encoder), decoder, likelihood, f, g, 0.0, 1.0)


def convex(f, encoder=lambda x: x, g=None):
    return model(encoder, KnownConvex(f), g)


def baseline(f, encoder=lambda x: x):
    return model(encoder, Known(f), decoder=nn.Identity())


def bowl(x):
    return x.square().sum(-1)


def flat(x):
    """The best that a bowl can do on the mixture, or near it."""
    return 2 + 8 * bowl(x)


def fold(x):
    return torch.stack([x[..., 0].abs(), x[..., 1]], -1)


def banana_to_cone(x):
    first, second = x.unbind(-1)
    return torch.stack([1 - 10 * first, 10 * (10 * second - 100 * first**2)], -1)


def splits(truth, noise=0.0, dim=2):
    parts = []
    for count in (700, 300):
        x = torch.empty(count, dim).uniform_(-0.4, 0.4)
        y = truth(x.double()) + noise * torch.randn(count)
        parts.append(Split(x, y.float(), torch.arange(count)))
    return parts


def detect(convex_model, baseline_model, truth, noise=0.0, **plan):
    parts = splits(truth, noise)
    found = detect_disconnected(convex_model, baseline_model, *parts, **(PLAN | plan))
    assert json.dumps(found, allow_nan=False)
    assert found["connected"] == (found["verdict"] == "connected")
    assert found["disconnected"] == (found["verdict"] == "disconnected")
    return found


def test_mixture_is_disconnected():
    found = detect(convex(flat), baseline(gaussian_mixture), gaussian_mixture)
    assert found["verdict"] == "disconnected"
    assert found["input"]["count"] == found["latent"]["count"] == found["latent"]["minima"] == 2
    assert found["input"]["valleys"][1]["barrier"] == pytest.approx(1.1, abs=0.1)
    assert found["cost"]["share"] > 0.1


def test_bowl_is_connected():
    found = detect(convex(bowl), baseline(bowl), bowl)
    assert found["verdict"] == "connected"
    assert found["input"]["count"] == found["latent"]["minima"] == 1
    assert found["cost"]["share"] == pytest.approx(0, abs=1e-9)


def test_banana_is_connected():
    def cone(z):
        return torch.linalg.vector_norm(z, dim=-1)

    fitted = convex(cone, banana_to_cone, torch.sqrt)
    found = detect(fitted, baseline(rosenbrock), rosenbrock)
    assert found["verdict"] == "connected"
    assert found["input"]["count"] == 1


def test_encoder_that_folds_two_valleys_onto_one_is_seen_through():
    found = detect(convex(flat), baseline(gaussian_mixture, fold), gaussian_mixture)
    assert found["latent"]["count"] == 1
    assert found["input"]["count"] == 2
    assert found["verdict"] == "disconnected"


def test_convex_fit_by_way_of_a_folding_encoder_decides_nothing():
    def folded(z):
        return gaussian_mixture(z)  # one valley for positive z_1

    cheat = model(fold, KnownConvex(folded), decoder=nn.Identity())
    found = detect(cheat, baseline(gaussian_mixture), gaussian_mixture)
    assert found["verdict"] == "undecided"
    assert "folds" in found["reason"]


def test_poor_baseline_leaves_it_undecided():
    found = detect(convex(flat), baseline(lambda z: 3 + 0 * z[..., 0]), gaussian_mixture)
    assert found["verdict"] == "undecided"
    assert "the baseline leaves" in found["reason"]


def test_poor_convex_model_beside_one_valley_leaves_it_undecided():
    found = detect(convex(lambda z: 0 * z[..., 0]), baseline(bowl), bowl)
    assert found["verdict"] == "undecided"
    assert "one valley" in found["reason"]


@pytest.mark.parametrize(("noise", "verdict"), [(0.0, "disconnected"), (0.02, "undecided")])
def test_second_valley_shallower_than_the_error_is_ignored(noise, verdict):
    """Two wells, the higher one 0.03 below the pass, in the same baseline with and without noise."""

    def wells(x):
        first, second = x.unbind(-1)
        return 25 * (first.square() - 0.04).square() + second.square() + 0.03 * first

    found = detect(convex(flat), baseline(wells), wells, noise, unexplained=0.5)
    assert found["input"]["count"] == (2 if noise == 0 else 1)
    assert found["verdict"] == verdict


def test_predictions_that_are_not_finite_leave_it_undecided():
    def torn(x):
        return torch.where(x[..., 0] > 0.3, torch.nan, gaussian_mixture(x))

    found = detect(convex(flat), baseline(torn), gaussian_mixture)
    assert found["verdict"] == "undecided"
    assert "not finite" in found["reason"]
    assert found["unexplained"]["baseline"] is None
    assert found["input"] is None


def test_relu_kinks_do_not_make_a_bowl_disconnected():
    def facets(z):
        return torch.relu(z @ z.new_tensor([[3.0, -1, -2], [1.0, 2, -3]])).sum(-1)

    found = detect(convex(bowl), baseline(facets), facets)
    assert found["input"]["count"] == 1
    assert found["verdict"] != "disconnected"


def test_slope_has_a_valley_at_the_border_and_no_minimum():
    def slope(x):
        return x[..., 0]

    found = detect(convex(slope), baseline(slope), slope)
    assert found["latent"]["minima"] == 0
    assert found["latent"]["count"] == 1
    assert found["verdict"] == "connected"


def test_unconstrained_model_in_the_place_of_the_convex_one_is_refused():
    with pytest.raises(ValueError, match="f is a Known, whose fit says nothing"):
        detect(baseline(bowl), baseline(bowl), bowl)


def test_property_that_does_not_vary_is_refused():
    with pytest.raises(ValueError, match="variance 0"):
        detect(convex(bowl), baseline(bowl), lambda x: 1 + 0 * x[..., 0])


def test_too_few_examples_for_two_valleys_are_refused():
    train, held_out = splits(bowl, 0.0)
    few = Split(held_out.x[:9], held_out.y[:9], held_out.index[:9])
    with pytest.raises(
        ValueError, match="9 held-out examples cannot show two valleys that hold 5"
    ):
        detect_disconnected(convex(bowl), baseline(bowl), train, few, **PLAN)


def test_same_seed_gives_the_same_answer_and_the_sample_may_be_smaller():
    models = convex(flat), baseline(gaussian_mixture)
    parts = splits(gaussian_mixture)
    small = PLAN | {"examples": 200}
    first, second = (detect_disconnected(*models, *parts, **small) for _ in range(2))
    assert first == second
    assert first["verdict"] == "disconnected"


def test_pictures_may_be_the_inputs():
    def rows(x):
        return x.flatten(1)[:, :2]

    x = torch.empty(200, 1, 2, 3).uniform_(-0.4, 0.4)
    split = Split(x, bowl(rows(x)), torch.arange(200))
    found = detect_disconnected(convex(bowl, rows), baseline(bowl, rows), split, split, **PLAN)
    assert found["verdict"] == "connected"


def losses(convex_share, baseline_share, error=1e-4):
    return Losses(400, 1.0, convex_share, baseline_share, error)


@pytest.mark.parametrize(
    ("shares", "valleys", "exact", "verdict", "words"),
    [
        ((0.002, 0.001), 1, True, "connected", "fit"),
        ((0.002, 0.001), 1, False, "connected", "fit"),
        ((0.002, 0.500), 1, True, "connected", "fit"),
        ((0.002, 0.500), 1, False, "undecided", "the baseline leaves 50.00%"),
        ((0.002, 0.001), 2, True, "undecided", "2 valleys"),
        ((0.300, 0.001), 2, True, "disconnected", "2 valleys"),
        ((0.300, 0.200), 2, True, "undecided", "the baseline leaves 20.00%"),
        ((0.300, 0.001), 1, True, "undecided", "one valley"),
        ((0.105, 0.099), 2, True, "undecided", "leaves 10.50%"),
        ((math.inf, 0.001), 2, True, "undecided", "not finite"),
        ((math.inf, math.inf), 0, True, "undecided", "not finite"),
    ],
)
def test_verdict_for_each_state_of_the_evidence(shares, valleys, exact, verdict, words):
    found = judge(losses(*shares), valleys, exact, cost=0.01, unexplained=0.1)
    assert found.name == verdict
    assert words in found.reason


@pytest.mark.parametrize("share", [0.008, 0.016])
def test_cost_that_a_few_examples_cannot_tell_from_the_bound_decides_nothing(share):
    unsure = losses(share, 0.001, error=0.004)
    sure = losses(share, 0.001, error=0.0001)
    plan = {"cost": 0.01, "unexplained": 0.1}
    assert judge(unsure, 2, True, **plan).name == "undecided"
    assert "do not tell" in judge(unsure, 2, True, **plan).reason
    assert "do not tell" not in judge(sure, 2, True, **plan).reason


def test_losses_are_shares_of_the_variance():
    y = torch.tensor([0.0, 1.0, 2.0, 3.0], dtype=torch.float64)
    found = Losses.of(y, torch.full_like(y, 1.5), y)
    assert found.convex == pytest.approx(0.75)  # of the variance with n - 1
    assert found.baseline == 0
    assert found.cost == pytest.approx(0.75)
    assert Losses.of(y, y, y + 2).baseline_rmse == pytest.approx(2)
