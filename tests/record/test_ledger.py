"""The ledgers in workflow/resources against their schemas and the files that a run makes."""

import copy
import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from gicnn.models.ablations import with_ablations
from gicnn.record.keys import look_up
from gicnn.record.sensitivity import sensitivities

WORKFLOW = Path(__file__).parents[2] / "workflow"
LEDGERS = ("claims", "deviations")
SYNTHETIC = "rosenbrock|rosenbrock_printed|gaussian_mixture"
DATASETS = f"{SYNTHETIC}|fashion_mnist|qm9"
KNOWN = re.compile(
    rf"data/({DATASETS})/card\.json"
    rf"|evaluation/({DATASETS})/(baseline|gicnn|gicnn_approximate)/seed-\{{seed\}}"
    r"/(metrics|certificate)\.json"
    rf"|evaluation/({SYNTHETIC})/connectedness/seed-\{{seed\}}\.json"
    rf"|levelsets/(({SYNTHETIC})/(baseline|gicnn|gicnn_approximate)"
    r"|(fashion_mnist|qm9)/gicnn_approximate)/seed-\{seed\}/summary\.json"
    r"|levelsets/(fashion_mnist|qm9)/gicnn_approximate/seed-\{seed\}/paths\.json"
    r"|levelsets/qm9/gicnn_approximate/seed-\{seed\}/samples\.json"
)
CHECKS = {
    "positive_weights",
    "full_rank",
    "chord_gap",
    "hessian",
    "unique_minimum",
    "stationary_minimum",
    "one_crossing_per_ray",
    "bounded_radius",
    "level_residual",
    "bijection",
    "cycle",
}


def load(path):
    """Read a YAML file below workflow/."""
    return yaml.safe_load((WORKFLOW / path).read_text(encoding="utf-8"))


def schema(name):
    """A validator of one ledger."""
    return Draft202012Validator(load(f"schemas/{name}.schema.yaml"))


def entries(name):
    """The entries of one ledger."""
    return load(f"resources/{name}.yaml")[name]


def measurements():
    """Every measurement of every claim."""
    return [item for claim in entries("claims") for item in claim["measurements"]]


def sources():
    """Every file pattern, with runs filled in, and its key."""
    for item in measurements():
        for source in [item, item.get("relative_to")]:
            for run in item.get("runs", [""]) if source else []:
                yield source["file"].replace("{run}", run), source["key"]


def objects(node):
    """Every object schema within a schema."""
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for child in node.values():
            yield from objects(child)


@pytest.mark.parametrize("name", LEDGERS)
def test_ledger_follows_its_schema(name):
    assert [
        error.message for error in schema(name).iter_errors(load(f"resources/{name}.yaml"))
    ] == []


@pytest.mark.parametrize("name", LEDGERS)
def test_schema_is_sound_and_strict_at_each_level(name):
    content = load(f"schemas/{name}.schema.yaml")
    Draft202012Validator.check_schema(content)

    for level in objects(content):
        assert level["additionalProperties"] is False
        assert all("description" in key or "$ref" in key for key in level["properties"].values())


@pytest.mark.parametrize(
    "path", [(), ("claims", 0), ("claims", 0, "measurements", 0), ("claims", 0, "evidence")]
)
def test_unknown_key_is_refused(path):
    ledger = copy.deepcopy(load("resources/claims.yaml"))
    level = ledger
    for step in path:
        level = level[step]
    level["tolerence"] = 1

    assert any("tolerence" in error.message for error in schema("claims").iter_errors(ledger))


@pytest.mark.parametrize(
    "change",
    [
        {"file": "/elsewhere/metrics.json"},
        {"file": "evaluation/qm9/gicnn/seed-{sed}/metrics.json"},
        {"key": "splits..test"},
        {"band": {}},
        {"band": {"max": 1}},
        {"printed": "97"},
        {"premise": False},
    ],
)
def test_bad_value_is_refused(change):
    ledger = copy.deepcopy(load("resources/claims.yaml"))
    ledger["claims"][0]["measurements"][0] |= change

    assert list(schema("claims").iter_errors(ledger))


@pytest.mark.parametrize("name", LEDGERS)
def test_ids_are_unique(name):
    ids = [entry["id"] for entry in entries(name)]

    assert sorted(set(ids)) == sorted(ids)


def test_claims_look_only_into_files_that_a_run_makes():
    assert [file for file, _ in sources() if KNOWN.fullmatch(file) is None] == []


def test_known_files_do_not_take_in_a_misspelt_one():
    assert KNOWN.fullmatch("evaluation/qm9/gicn/seed-{seed}/metrics.json") is None


def test_claims_ask_only_for_checks_that_a_certificate_has():
    asked = {match[1] for _, key in sources() if (match := re.match(r"checks\[(\w+)\]", key))}

    assert asked
    assert asked <= CHECKS


def test_claims_ask_only_for_verdicts_that_are_given():
    asked = {key for file, key in sources() if "/connectedness/" in file}

    assert asked == {"connected", "disconnected"}


def test_bands_are_in_order():
    for item in measurements():
        band = item["band"]
        assert band.get("minimum", 0) <= band.get("maximum", band.get("minimum", 0))


def test_each_claim_rests_on_more_than_premises():
    judged = [claim for claim in entries("claims") if claim["measurements"]]

    assert judged
    for claim in judged:
        assert not all(item.get("premise") for item in claim["measurements"]), claim["id"]


def test_claims_on_convex_networks_leave_none_of_them_out():
    config = yaml.safe_load((WORKFLOW.parent / "config.yaml").read_text(encoding="utf-8"))
    trained = {
        f"{dataset}/{model}"
        for dataset, models in config["models"].items()
        for model, parts in models.items()
        if parts["property_decoder"]["kind"] == "input_convex"
    }
    exact = {run for run in trained if run.endswith("/gicnn")}
    certified = [item for item in measurements() if "certificate" in item["file"]]

    assert len(trained) > len(exact) > 0
    assert certified
    for item in certified:
        assert set(item["runs"]) in (trained, exact), item["name"]


def test_runs_are_given_where_a_pattern_asks_for_them():
    for item in measurements():
        assert ("runs" in item) == ("{run}" in item["file"]), item["name"]


def test_settings_that_deviations_name_exist():
    config = yaml.safe_load((WORKFLOW.parent / "config.yaml").read_text(encoding="utf-8"))
    named = [entry["config"] for entry in entries("deviations") if entry["config"]]

    assert [key for key in named if look_up(config, key) is None] == []
    assert look_up(config, "models.rosenbrock.gicnn.curvature") is None


def test_deviations_that_claims_point_to_exist():
    known = {entry["id"] for entry in entries("deviations")}
    named = re.findall(r"deviation (\w+)", " ".join(c["statement"] for c in entries("claims")))

    assert named
    assert set(named) <= known


def test_sensitivities_name_models_of_the_recipe_ablations():
    config = load("../config.yaml") | {"ablations": load("recipes/ablations.yaml")["ablations"]}
    models = with_ablations(config)["models"]
    known = {f"{dataset}/{model}" for dataset in models for model in models[dataset]}
    wanted = [pair for item in entries("deviations") for pair in item.get("sensitivities", [])]
    assert wanted
    assert {pair[side] for pair in wanted for side in ("chosen", "other")} <= known


def test_the_other_choice_is_shown_beside_ours_where_a_run_has_both():
    deviation = {"sensitivities": [{"chosen": "qm9/plain", "other": "qm9/less"}]}

    def metrics(exact, error):
        return {"splits": {"test": {"reconstruction_exact": exact, "property_mae": error}}}

    files = {
        "evaluation/qm9/plain/seed-0/metrics.json": metrics(0.99, 4.0),
        "evaluation/qm9/plain/seed-1/metrics.json": metrics(0.97, 5.0),
        "evaluation/qm9/less/seed-0/metrics.json": metrics(0.5, 6.0),
        "evaluation/qm9/less/seed-1/metrics.json": metrics(0.5, 7.0),
    }
    exact, error = sensitivities(deviation, {"this run": (files.get, [0, 1])})
    assert (exact["chosen_value"], exact["other_value"]) == (98.0, 50.0)
    assert (error["chosen_value"], error["other_value"]) == (4.5, 6.5)
    assert error["run"] == "this run"
    lacking = {"this run": (files.get, [0, 2])}
    assert sensitivities(deviation, lacking) == []
    exact, _ = sensitivities(deviation, lacking | {"another": (files.get, [0])})
    assert (exact["run"], exact["chosen_value"]) == ("another", 99.0)
    assert sensitivities({}, {"this run": (files.get, [0])}) == []


def test_a_pair_may_be_compared_by_more_than_the_headline():
    number = {"name": "minimum", "file": "levelsets/{model}/{seed}.json", "key": "minimum.off"}
    pair = {"chosen": "grid/plain", "other": "grid/less", "numbers": [number]}
    files = {"levelsets/grid/plain/0.json": {"minimum": {"off": 0.1}}}
    runs = {"this run": (files.get, [0])}
    assert sensitivities({"sensitivities": [pair]}, runs) == []
    files["levelsets/grid/less/0.json"] = {"minimum": {"off": 0.3}}
    (found,) = sensitivities({"sensitivities": [pair]}, runs)
    assert (found["name"], found["chosen_value"], found["other_value"]) == ("minimum", 0.1, 0.3)
