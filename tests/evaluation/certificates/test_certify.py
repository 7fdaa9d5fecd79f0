"""A certificate passes what is guaranteed and sees what a baseline lacks."""

import json

import pytest
import torch

from gicnn.evaluation.certificates.certify import certify
from gicnn.models.build import build_model, load_model
from gicnn.nn.dense import DenseProperty
from gicnn.tensors import load_tensors, save_tensors

PLAN = {"pairs": 500, "hessians": 20, "rays": 50, "starts": 4, "seed": 0}
FLOW = {"kind": "masked_autoregressive_flow", "transforms": 2, "hidden_features": [16]}
SETTINGS = {
    "latent_features": 2,
    "encoder": FLOW | {"activation": "elu", "smallest_scale": 0.1},
    "decoder": None,
    "likelihood": {"kind": "gaussian", "floor": 0.01},
    "property_decoder": {"kind": "input_convex", "hidden_features": [16, 16], "curvature": 0.1},
    "monotone": {"kind": "tanh_sum", "terms": 4, "steepest": 10.0, "lowest": -1.0},
    "property_units": None,
}
IDS = [
    "finite_weights",
    "positive_weights",
    "nonzero_rows",
    "full_rank",
    "chord_gap",
    "far_chord_gap",
    "hessian",
    "unique_minimum",
    "stationary_minimum",
    "minimum_spread",
    "increasing",
    "far_increasing",
    "one_crossing_per_ray",
    "bounded_radius",
    "largest_radius",
    "level_residual",
]


def failed(certificate):
    return {check["id"] for check in certificate["checks"] if not check["holds"]}


def ids(certificate):
    return [check["id"] for check in certificate["checks"]]


def test_fresh_model_passes_every_check(split):
    certificate = certify(build_model(SETTINGS, (2,)), split, **PLAN)
    assert ids(certificate) == [*IDS, "bijection", "onto", "far_bijection"]
    assert certificate["guaranteed"]
    assert certificate["holds"], failed(certificate)


def test_convexity_without_an_exact_bijection_is_no_guarantee(convex, split):
    convex.decoder = torch.nn.Linear(2, 2)
    certificate = certify(convex, split, **PLAN)
    assert ids(certificate) == [*IDS, "cycle"]
    assert certificate["convex"]
    assert not certificate["guaranteed"]


@pytest.mark.parametrize("activation", ["relu", "softplus"])
def test_unconstrained_model_is_seen_to_lack_the_guarantee(convex, split, activation):
    convex.convex = DenseProperty(2, [16, 16], activation)
    certificate = certify(convex, split, **PLAN)
    assert ids(certificate) == [*IDS, "bijection", "onto", "far_bijection"]
    assert not certificate["guaranteed"]
    assert {"positive_weights", "chord_gap", "far_chord_gap", "hessian"} <= failed(certificate)
    assert not {"finite_weights", "nonzero_rows", "full_rank", "bijection"} & failed(certificate)


def test_piecewise_linear_model_fails_for_want_of_curvature(convex, split):
    """Convex but not strictly: positive weights and ReLU."""
    convex.convex = DenseProperty(2, [16, 16], "relu")
    with torch.no_grad():
        for layer in convex.convex.layers[2:]:
            if isinstance(layer, torch.nn.Linear):
                layer.weight.abs_()
    assert {"chord_gap", "hessian"} <= failed(certify(convex, split, **PLAN))


def test_same_seed_gives_the_same_certificate(convex, split):
    assert certify(convex, split, **PLAN) == certify(convex, split, **PLAN)
    assert certify(convex, split, **PLAN) != certify(convex, split, **(PLAN | {"seed": 1}))


def fill(name, value):
    """An alteration that sets every number of a tensor."""
    return lambda tensors: tensors[name].fill_(value)


def blind(tensors):
    """No unit sees the second latent coordinate."""
    for name, tensor in tensors.items():
        if name.startswith("convex.skip") and name.endswith("weight"):
            tensor[:, 1] = 0


ALTERATIONS = {
    "not a number in f": (fill("convex.convex.0.free", torch.nan), "positive_weights"),
    "infinite bias in f": (fill("convex.skip.0.bias", torch.inf), "chord_gap"),
    "not a number in g": (fill("monotone.slope", torch.nan), "bounded_radius"),
    "not a number in h": (
        fill("encoder.transform.transforms.0.hyper.0.bias", torch.nan),
        "bijection",
    ),
    "not a number in the likelihood": (
        fill("likelihood.scale.theta", torch.nan),
        "finite_weights",
    ),
    "units blind to a coordinate": (blind, "full_rank"),
}


def altered(path, split, alteration):
    """The certificate of a model whose weights were saved, altered in the file and loaded."""
    settings = SETTINGS | {"property_decoder": SETTINGS["property_decoder"] | {"curvature": 0.0}}
    save_tensors(path, build_model(settings, (2,)).state_dict())
    tensors, _ = load_tensors(path)
    alteration(tensors)
    save_tensors(path, tensors)
    return certify(load_model(settings, path, (2,)), split, **PLAN)


@pytest.mark.parametrize(("alteration", "check"), ALTERATIONS.values(), ids=list(ALTERATIONS))
def test_weights_altered_in_their_file_are_found(tmp_path, split, alteration, check):
    certificate = altered(tmp_path / "weights", split, alteration)
    assert not certificate["holds"]
    assert check in failed(certificate)
    assert json.loads(json.dumps(certificate, allow_nan=False)) == certificate


@pytest.mark.parametrize("value", [-1e4, 0.0])
def test_no_number_in_the_file_makes_a_hidden_weight_negative(tmp_path, split, value):
    certificate = altered(tmp_path / "weights", split, fill("convex.convex.0.free", value))
    assert not {"positive_weights", "nonzero_rows", "full_rank"} & failed(certificate)
