"""Models from configuration."""

import copy

import pytest
import torch

from gicnn.models.build import build_model, load_model, property_units
from gicnn.models.preflight import check_graphs, check_models, check_paths
from gicnn.models.registry import component_modules
from gicnn.tensors import save_tensors

DENSE = {"kind": "dense", "hidden_features": [8], "activation": "relu", "dropout": 0.0}
SETTINGS = {
    "latent_features": 2,
    "encoder": DENSE,
    "decoder": DENSE,
    "likelihood": {"kind": "gaussian", "floor": 0.01},
    "property_decoder": {"kind": "input_convex", "hidden_features": [8], "curvature": 0.0},
    "monotone": {"kind": "tanh_sum", "terms": 2, "steepest": 10.0, "lowest": 0.0},
    "property_units": None,
}


def test_seed_decides_the_weights():
    models = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        models.append(build_model(SETTINGS, (3,)).encoder.layers[0].weight)
    assert torch.equal(models[0], models[1])
    assert not torch.equal(models[0], models[2])


def test_property_is_predicted_in_its_own_unit():
    model = build_model(SETTINGS, (3,), {"offset": 100.0, "scale": 5.0})
    z = torch.randn(4, 2)
    assert torch.allclose(model.predict(z), 100 + 5 * model.monotone(model.convex(z)))


def test_units_come_from_the_training_split_or_from_the_settings():
    y = torch.tensor([1.0, 3.0])
    assert property_units(SETTINGS, y) == pytest.approx({"offset": 2.0, "scale": 2**0.5})
    fixed = SETTINGS | {"property_units": {"offset": 0.0, "scale": 45.0}}
    assert property_units(fixed, y) == {"offset": 0.0, "scale": 45.0}


def test_weights_come_back_from_their_file(tmp_path):
    model = build_model(SETTINGS, (3,), {"offset": 100.0, "scale": 5.0}).eval()
    save_tensors(tmp_path / "weights.safetensors", model.state_dict())
    again = load_model(SETTINGS, tmp_path / "weights.safetensors", (3,))
    x = torch.randn(5, 3)

    assert torch.equal(again.predict(again.encode(x)), model.predict(model.encode(x)))


def test_weights_of_another_model_are_refused(tmp_path):
    save_tensors(tmp_path / "weights.safetensors", build_model(SETTINGS, (3,)).state_dict())
    with pytest.raises(ValueError, match="does not fit"):
        load_model(SETTINGS, tmp_path / "weights.safetensors", (4,))


def test_unknown_kind_is_named():
    settings = copy.deepcopy(SETTINGS)
    settings["encoder"]["kind"] = "dens"
    with pytest.raises(ValueError, match="unknown encoder kind 'dens'; known: masked"):
        build_model(settings, (3,))


def test_model_without_decoder_needs_an_invertible_encoder():
    with pytest.raises(ValueError, match="no inverse"):
        build_model(SETTINGS | {"decoder": None}, (3,))


def test_exact_model_decodes_with_the_encoder_s_inverse():
    flow = {"kind": "masked_autoregressive_flow", "transforms": 2, "hidden_features": [8]}
    flow |= {"activation": "elu", "smallest_scale": 0.1}
    settings = SETTINGS | {"encoder": flow, "decoder": None}
    model = build_model(settings, (2,)).double()
    x = torch.randn(10, 2, dtype=torch.float64)

    assert model.exact
    assert torch.allclose(model.reconstruct(model.encode(x)), x)
    assert torch.allclose(model.cycle(model.encode(x)), model.predict(model.encode(x)))


def test_only_modules_in_use_count():
    assert component_modules(SETTINGS) == [
        "gicnn.models.likelihood",
        "gicnn.nn.convex",
        "gicnn.nn.dense",
        "gicnn.nn.monotone",
    ]


def test_model_that_cannot_be_built_is_refused_before_anything_runs():
    check_models({"qm9": {"baseline": SETTINGS}})
    with pytest.raises(ValueError, match=r"models\.qm9\.baseline: decoder is null"):
        check_models({"qm9": {"baseline": SETTINGS | {"decoder": None}}})


def test_groups_that_do_not_fit_the_graphs_are_named():
    datasets = {"qm9": {"build": {"elements": ["C", "O"], "max_atoms": 4}}, "grid": {"seed": 1}}
    fit, unfit = {"groups": [[4, 3], [6, 4]]}, {"groups": [[9, 5], [36, 4]]}

    check_graphs(datasets, {"qm9": {"baseline": {"likelihood": fit, "encoder": fit}}})
    check_graphs(datasets, {"qm9": {"baseline": {"likelihood": fit, "encoder": {}}}})
    for role in ("likelihood", "encoder"):
        model = {"likelihood": fit, "encoder": fit} | {role: unfit}
        message = rf"qm9\.baseline\.{role}\.groups.*ask for \[\[4, 3\], \[6, 4\]\]"
        with pytest.raises(ValueError, match=message):
            check_graphs(datasets, {"qm9": {"baseline": model}})


@pytest.mark.parametrize(
    ("path", "paths", "message"),
    [
        (9, {"candidates": 9, "pairs": 36}, None),
        (11, {"candidates": 9, "pairs": 36}, "path.candidates: 11 are more than the 10"),
        (9, {"candidates": 11, "pairs": 36}, "paths.candidates: 11 are more than the 10"),
        (9, {"candidates": 9, "pairs": 37}, "make 36 pairs, 37 are wanted"),
    ],
)
def test_paths_are_not_looked_for_among_more_molecules_than_there_are(path, paths, message):
    datasets = {"qm9": {"build": {"test": 10}}, "grid": {}}
    levelsets = {"qm9": {"samples": {}, "path": {"candidates": path}, "paths": paths}, "grid": {}}
    if message is None:
        check_paths(datasets, levelsets)
    else:
        with pytest.raises(ValueError, match=message):
            check_paths(datasets, levelsets)
