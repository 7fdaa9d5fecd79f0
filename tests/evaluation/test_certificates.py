"""A certificate passes what is guaranteed and fails what was tampered with."""

import pytest
import torch

from gicnn.evaluation.certificates import certify
from gicnn.nn.dense import DenseProperty
from gicnn.types import Split

PLAN = {"pairs": 500, "rays": 50, "starts": 4, "seed": 0}


@pytest.fixture
def split():
    x = torch.randn(100, 2)
    return Split(x, x.square().sum(-1), torch.arange(100))


def failed(certificate):
    return {check["id"] for check in certificate["checks"] if not check["holds"]}


def test_input_convex_model_passes_every_check(convex, split):
    certificate = certify(convex, split, **PLAN)
    assert certificate["guaranteed"]
    assert certificate["holds"], failed(certificate)


def test_negative_weight_is_found(convex, split):
    layer = convex.convex.convex[-1]
    layer.floor = -1.0
    certificate = certify(convex, split, **PLAN)
    assert "positive_weights" in failed(certificate)
    assert "chord_gap" in failed(certificate)


def test_rows_that_do_not_span_the_space_are_found(convex, split):
    with torch.no_grad():
        for layer in convex.convex.skip:
            layer.weight[:, 1] = 0
    convex.convex.curvature = 0.0
    assert "full_rank" in failed(certify(convex, split, **PLAN))


def test_inverse_that_is_none_is_found(convex, split):
    convex.encoder.inverse = lambda z: z
    assert "bijection" in failed(certify(convex, split, **PLAN))


def test_start_that_runs_off_is_not_passed_over(convex, split):
    convex.convex.forward = lambda z: torch.minimum(z.square().sum(-1), 4 - z[..., 0])
    assert "unique_minimum" in failed(certify(convex, split, **(PLAN | {"starts": 64})))


def test_convexity_without_an_exact_bijection_is_no_guarantee(convex, split):
    convex.decoder = torch.nn.Linear(2, 2)
    certificate = certify(convex, split, **PLAN)
    assert certificate["convex"]
    assert not certificate["guaranteed"]


def test_unconstrained_model_is_seen_to_lack_the_guarantee(convex, split):
    convex.convex = DenseProperty(2, [16, 16], "relu")
    certificate = certify(convex, split, **PLAN)
    assert not certificate["guaranteed"]
    assert {"positive_weights", "chord_gap"} <= failed(certificate)


def test_same_seed_gives_the_same_certificate(convex, split):
    assert certify(convex, split, **PLAN) == certify(convex, split, **PLAN)
