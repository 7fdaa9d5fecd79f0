"""The records in results/reference reach their goals, and README says what they say."""

import json
from pathlib import Path

import pytest
import yaml

from gicnn.provenance import file_digest
from gicnn.record.fill import fill
from gicnn.record.job_records import read_record, recorded_entries
from gicnn.record.manifest import load_manifest
from gicnn.record.markdown import to_markdown
from gicnn.record.side_by_side import read_models

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "results/reference"

# On the test split, of one seed: number, end, limit.
GOALS = {
    "qm9/gicnn_approximate": [
        ("reconstruction_exact", "at least", 0.99),
        ("property_mae", "at most", 4.5),
        ("invariance_mae", "at most", 0.3),
    ],
    "fashion_mnist/gicnn_approximate": [
        ("property_mae", "at most", 1.5),
        ("invariance_mae", "at most", 1.0),
    ],
}


@pytest.mark.parametrize(
    ("model", "number", "end", "limit"),
    [(model, *goal) for model, goals in GOALS.items() for goal in goals],
)
def test_numbers_on_the_test_split(model, number, end, limit):
    metrics = json.loads(
        (REFERENCE / f"default/evaluation/{model}/seed-0/metrics.json").read_text("utf-8")
    )
    value = metrics["splits"]["test"][number]
    assert value >= limit if end == "at least" else value <= limit


def test_three_seeds_of_the_recipe_record_beat_the_printed_numbers():
    """They reach the goals, about what a pilot study had."""
    (row,) = read_models(REFERENCE / "record")
    assert row["seeds"] == 3
    assert row["reconstruction_exact"] >= 0.993
    assert row["property_mae"] <= 4.3
    assert row["invariance_mae"] <= 0.2


def test_three_seeds_tell_connected_level_sets_from_others():
    document = json.loads((REFERENCE / "connectedness.json").read_text("utf-8"))
    found = {(item["dataset"], item["seed"]): item["verdict"] for item in document["verdicts"]}
    connected = {"rosenbrock": "connected", "rosenbrock_printed": "connected"}
    expected = connected | {"gaussian_mixture": "disconnected"}
    assert found == {(name, seed): expected[name] for name in expected for seed in range(3)}


def test_ablations_of_a_model_have_its_random_numbers():
    runs = [*(REFERENCE / "ablations/models").glob("*/*/seed-0/run.json")]
    seeds = {}
    for path in runs:
        dataset, model = (part.split("-")[0] for part in path.parts[-4:-2])
        seeds.setdefault((dataset, model), set()).add(json.loads(path.read_text())["seed"])
    assert len(runs) > len(seeds)
    assert all(len(found) == 1 for found in seeds.values())


@pytest.mark.parametrize(
    ("page", "markers"), [("README.md", 10), ("results/reference/README.md", 2)]
)
def test_pages_say_what_the_records_say(page, markers):
    record = json.loads((REFERENCE / "default/claims.json").read_text("utf-8"))
    text = (ROOT / page).read_text("utf-8")
    assert text.count("<!-- filled: ") >= markers
    assert fill(text, record, REFERENCE) == text, f"{page} is not as the record: run `make record`"


@pytest.mark.parametrize(
    "name",
    [
        "record",
        "ablations",
        *(f"tried/{path.name}" for path in sorted((REFERENCE / "tried").iterdir())),
    ],
)
def test_numbers_of_parts_are_as_their_jobs_left_them(name):
    logs = (REFERENCE / name / "logs").rglob("*.json")
    made = recorded_entries({str(path): read_record(path) for path in logs})
    kept = [path for path in (REFERENCE / name / "evaluation").rglob("*.json")]
    assert kept
    for path in kept:
        assert file_digest(path) == made[path.relative_to(REFERENCE / name).as_posix()]["sha256"]


@pytest.mark.parametrize("name", ["default", "smoke"])
def test_records_are_of_one_run_with_all_its_claims(name):
    record = json.loads((REFERENCE / name / "claims.json").read_text("utf-8"))
    manifest = load_manifest(REFERENCE / name)
    assert record["recipe"] == manifest["recipe"] == name
    files = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    kept = [path for path in (REFERENCE / name).rglob("*") if path.suffix in {".json", ".parquet"}]
    for path in kept:
        if path.name != "manifest.json":
            assert file_digest(path) == files[path.relative_to(REFERENCE / name).as_posix()], path
    ledger = yaml.safe_load((ROOT / "workflow/resources/claims.yaml").read_text("utf-8"))
    assert {claim["id"] for claim in record["claims"]} == {c["id"] for c in ledger["claims"]}


def test_verdicts_of_the_default_recipe_are_the_expected_ones():
    record = json.loads((REFERENCE / "default/claims.json").read_text("utf-8"))
    ledger = yaml.safe_load((ROOT / "workflow/resources/claims.yaml").read_text("utf-8"))
    expected = {claim["id"]: claim["expected"]["default"] for claim in ledger["claims"]}
    assert {claim["id"]: claim["status"] for claim in record["claims"]} == expected


def test_no_measurement_of_the_default_recipe_is_missing():
    """But for the property of molecules sampled at the level, of which there are none."""
    record = json.loads((REFERENCE / "default/claims.json").read_text("utf-8"))
    measured = [m for claim in record["claims"] for m in claim["measurements"]]
    assert len(measured) > 40
    missing = [gap for item in measured for gap in item["missing"]]
    assert [gap for gap in missing if "samples.json" not in gap] == []


def test_what_smoke_shows_too_is_said_to_be_no_matter_of_training():
    """A verdict that two epochs get as well says nothing about the training."""
    record = json.loads((REFERENCE / "smoke/claims.json").read_text("utf-8"))
    ledger = yaml.safe_load((ROOT / "workflow/resources/claims.yaml").read_text("utf-8"))
    owed = {claim["id"] for claim in ledger["claims"] if "owed_to" in claim}
    assert {claim["id"] for claim in record["claims"] if claim["status"] == "reproduced"} == owed


def test_pages_of_the_record_are_made_from_its_claims():
    record = json.loads((REFERENCE / "default/claims.json").read_text("utf-8"))
    page = to_markdown(record).replace(".svg", ".png")
    assert (REFERENCE / "default/claims.md").read_text("utf-8") == page


def test_records_are_small():
    assert sum(path.stat().st_size for path in REFERENCE.rglob("*") if path.is_file()) < 5e6
