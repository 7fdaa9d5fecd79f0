"""Each way of tampering with a model is caught by the check that is meant for it."""

import json
from dataclasses import replace

import pytest
import torch

from gicnn.evaluation.certificates.certify import certify
from gicnn.nn.convex import PositiveLinear

PLAN = {"pairs": 500, "hessians": 20, "rays": 100, "starts": 16, "seed": 0}


def failed(model, split):
    """The checks that fail; the certificate must be fit for a file all the same."""
    certificate = certify(model, split, **PLAN)
    assert json.loads(json.dumps(certificate, allow_nan=False)) == certificate
    return {check["id"] for check in certificate["checks"] if not check["holds"]}


def overwrite(layer, place, value):
    """Give a layer of positive weights one that its parameterisation would not allow."""

    class Overwritten(PositiveLinear):
        @property
        def weight(self):
            weight = super().weight.clone()
            weight[place] = value
            return weight

    layer.__class__ = Overwritten


class Bent(torch.nn.Module):
    """Falls between two rises."""

    def forward(self, t):
        return t + torch.sin(5 * t)


class Off(torch.nn.Module):
    """The identity, with an inverse that misses by a little beyond some radius."""

    def __init__(self, error, beyond):
        super().__init__()
        self.error, self.beyond = error, beyond

    def forward(self, x):
        return x

    def inverse(self, z):
        return z + self.error * (z.abs() > self.beyond)


def test_untampered_model_passes(convex, split):
    assert failed(convex, split) == set()


class Between(torch.nn.Module):
    """The identity up to some value, then something else for a while."""

    def __init__(self, start, slope):
        super().__init__()
        self.start, self.slope = start, slope

    def forward(self, t):
        beyond = (t - self.start).clamp(0, 0.1)
        return t + (self.slope - 1) * beyond


@pytest.mark.parametrize("slope", [-0.5, 0.0])
def test_g_that_falls_or_rests_above_the_level_looked_at_is_found(convex, split, slope):
    values = convex.convex.double()(convex.double().encode(split.x.double()))
    convex.monotone = Between(values.quantile(0.8).item(), slope)
    assert "increasing" in failed(convex, split)


def test_layer_that_applies_other_weights_than_it_shows_is_found(convex, split):
    class Turned(PositiveLinear):
        def forward(self, x):
            return -super().forward(x)

    convex.convex.convex[-1].__class__ = Turned
    assert "positive_weights" in failed(convex, split)


class Squashed(torch.nn.Module):
    """Injective, but into the square (-1, 1) alone."""

    def forward(self, x):
        return x / (1 + x.abs())

    def inverse(self, z):
        return z / (1 - z.abs())


def test_encoder_that_is_not_onto_is_found(convex, split):
    convex.encoder = Squashed()
    assert "onto" in failed(convex, split)


class Rounded(torch.nn.Module):
    """Forgets a coordinate that is small beside the other."""

    def forward(self, x):
        return torch.stack([x[:, 0], (1e9 * x[:, 1]).round() / 1e9], -1)

    def inverse(self, z):
        return z


def test_small_coordinate_that_is_forgotten_is_found(convex, split):
    convex.encoder = Rounded()
    scaled = replace(split, x=split.x * torch.tensor([1.0, 1e-9]))
    assert "bijection" in failed(convex, scaled)


def test_one_negative_weight_is_found(convex, split):
    overwrite(convex.convex.convex[-1], (0, 0), -0.01)
    assert failed(convex, split) == {"positive_weights"}


def test_negative_weight_that_outweighs_the_rest_bends_the_function(convex, split):
    overwrite(convex.convex.convex[-1], (0, 0), -10.0)
    assert {"positive_weights", "chord_gap", "hessian"} <= failed(convex, split)


def test_zeroed_row_is_found(convex, split):
    overwrite(convex.convex.convex[0], 3, 0.0)
    assert failed(convex, split) == {"positive_weights", "nonzero_rows"}


@pytest.mark.parametrize(("curvature", "bent"), [(0.0, True), (1e-2, False)])
def test_rows_that_do_not_span_the_space_are_found(convex, split, curvature, bent):
    """With a quadratic the function stays strictly convex, and only its premise is missing."""
    with torch.no_grad():
        for layer in convex.convex.skip:
            layer.weight[:, 1] = 0
    convex.convex.curvature = curvature
    found = failed(convex, split)
    assert "full_rank" in found
    assert ("hessian" in found) == bent


def test_bent_g_is_found(convex, split):
    convex.monotone = Bent()
    assert failed(convex, split) == {"increasing", "far_increasing", "one_crossing_per_ray"}


def test_g_that_falls_far_beyond_the_codes_is_found(convex, split):
    class Hill(torch.nn.Module):
        def forward(self, t):
            return t - 2 * torch.relu(t - 50)

    convex.monotone = Hill()
    certificate = certify(convex, split, **PLAN)

    assert not certificate["guaranteed"]
    assert failed(convex, split) == {"far_increasing"}


@pytest.mark.parametrize(
    ("error", "beyond", "caught"),
    [
        (0.0, 0.0, set()),
        (1e-6, 0.0, {"bijection"}),
        (1e-6, 5.0, {"bijection"}),  # three times the data, not the data themselves
        (1e-2, 20.0, {"far_bijection"}),
    ],
)
def test_inverse_that_is_off_is_found(convex, split, error, beyond, caught):
    convex.encoder = Off(error, beyond)
    assert failed(convex, split) == caught


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("convex.skip.0.weight", {"finite_weights", "bounded_radius"}),
        ("convex.convex.0.free", {"finite_weights", "bounded_radius"}),
        ("offset", {"finite_weights"}),
    ],
)
def test_numbers_that_are_none_fail_without_an_error(convex, split, name, expected):
    convex.state_dict()[name].fill_(torch.nan)
    found = failed(convex, split)
    assert expected <= found
    assert ("positive_weights" in found) == name.endswith("free")
    assert ("full_rank" in found) == (name == "convex.skip.0.weight")


def test_codes_that_are_no_numbers_fail_without_an_error(convex, split):
    convex.encoder.matrix.data.fill_(torch.nan)
    assert {"chord_gap", "hessian", "unique_minimum", "bijection"} <= failed(convex, split)


def test_second_minimum_is_found(convex, split):
    def two_wells(z):
        return (z - 1).square().sum(-1) * (z + 1).square().sum(-1)

    convex.convex.forward = two_wells
    assert {"unique_minimum", "minimum_spread", "chord_gap", "hessian"} <= failed(convex, split)


def test_start_that_runs_off_is_not_passed_over(convex, split):
    convex.convex.forward = lambda z: torch.minimum(z.square().sum(-1), 4 - z[..., 0])
    found = failed(convex, split)
    assert {"unique_minimum", "stationary_minimum", "minimum_spread", "chord_gap"} <= found


def test_function_that_is_flat_at_its_lowest_is_found(convex, split):
    convex.convex.forward = lambda z: torch.relu(z.square().sum(-1) - 1)
    assert {"unique_minimum", "chord_gap", "hessian"} <= failed(convex, split)


def test_function_that_levels_off_is_found(convex, split):
    """Quasi-convex with one minimum, but without convexity."""
    convex.convex.forward = lambda z: torch.tanh(z.square().sum(-1))
    assert {"chord_gap", "hessian"} <= failed(convex, split)


def test_function_that_is_convex_only_near_the_codes_is_found(convex, split):
    def slackens(z):
        squares = z.square().sum(-1)
        return torch.where(squares < 400, squares, 380 + squares.clamp(min=400).sqrt())

    convex.convex.forward = slackens
    assert failed(convex, split) == {"far_chord_gap"}


def test_level_that_no_ray_reaches_is_found(convex, split):
    convex.convex.forward = lambda z: z.square().sum(-1).clamp(max=1e-3)
    assert "bounded_radius" in failed(convex, split)


def test_hole_in_the_function_fails_without_an_error(convex, split):
    def hole(z):
        squares = z.square().sum(-1)
        return torch.where((squares > 2) & (squares < 3), torch.nan, squares)

    convex.convex.forward = hole
    assert {"chord_gap", "one_crossing_per_ray"} <= failed(convex, split)


def test_level_set_beyond_all_measure_is_found(convex, split):
    """Bounded, but a hundred million times as far as the codes."""
    convex.convex.forward = lambda z: torch.relu(z[..., 0] + 1) + 1e-16 * z.square().sum(-1)
    found = failed(convex, split)
    assert "largest_radius" in found
    assert "bounded_radius" not in found


def test_point_that_is_not_on_its_level_when_looked_at_again_is_found(convex, split):
    """The value of a point depends on what is evaluated beside it."""
    convex.convex.forward = lambda z: z.square().sum(-1) + z[..., 0].exp() + 1e-6 * len(z)
    assert "level_residual" in failed(convex, split)


class Turned(torch.nn.Module):
    """Undoes the quarter turn of the encoder, but for a factor."""

    def __init__(self, encoder, factor):
        super().__init__()
        self.inverse, self.factor = encoder.inverse, factor

    def forward(self, z):
        return self.factor * self.inverse(z)


@pytest.mark.parametrize(("factor", "caught"), [(1.0, set()), (2.0, {"cycle"})])
def test_decoder_that_does_not_lead_back_is_found(convex, split, factor, caught):
    convex.decoder = Turned(convex.encoder, factor)
    assert failed(convex, split) == caught


def test_the_unit_of_the_property_decides_nothing(convex, split):
    """A loose level set in a tiny unit, in which every value lies near 0."""
    convex.convex.forward = lambda z: z.square().sum(-1) + z[..., 0].exp() + 1e-6 * len(z)
    convex.offset.fill_(0.0)
    convex.scale.fill_(1e-12)
    assert "level_residual" in failed(convex, split)
