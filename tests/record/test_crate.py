"""The run as an RO-Crate is valid, and says what made each file from what."""

import json
import zipfile
from importlib.resources import files

import pytest
import requests
from rocrate_validator.models import Severity, ValidationSettings
from rocrate_validator.services import validate
from rocrate_validator.utils.http import HttpRequester

from gicnn.record.crate import FILE, describe_crate
from gicnn.record.manifest import build_manifest
from gicnn.record.source import pack_source

# The validator's own libraries warn of what they will drop.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

TEXTS = {
    "workflow": "source.zip",
    "title": "A toy run",
    "description": "Two jobs",
    "licence": "https://spdx.org/licenses/MIT",
}


@pytest.fixture
def crate(tmp_path, facts):
    """A folder with two jobs' files, and its description."""
    program, root = tmp_path / "program", tmp_path / "results"
    (program / "src").mkdir(parents=True)
    (program / "Snakefile").write_text("rule all:\n    pass\n")
    job = facts | {"seconds": 61.5, "started": "2026-01-01T00:00:00+00:00"}
    job |= {"rule": "fetch", "inputs": []}
    raw = {"of": "results", "path": "raw/a b.csv", "sha256": "00", "size": 1}
    metrics = {"of": "results", "path": "metrics.json", "sha256": "11", "size": 1}
    for name, content in {
        "raw/a b.csv": "a",
        "metrics.json": "1",
        "logs/fetch.json": json.dumps(job | {"outputs": [raw]}),
        "logs/measure/x.json": json.dumps(
            job
            | {"rule": "measure", "inputs": [raw], "outputs": [metrics]}
            | {"params": {"code": "c0de", "model": {"width": 8}}, "commit": "c0ffee"}
        ),
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    everything = [raw, metrics]
    report = raw | {"path": "report.html"}
    (root / "report.html").touch()
    (root / "logs/write_report.json").write_text(
        json.dumps(job | {"rule": "write_report", "inputs": everything, "outputs": [report]})
    )
    pack_source(program, root / "source.zip")
    manifest = build_manifest(root, {"recipe": "toy", "seeds": [0]})
    (root / FILE).write_text(json.dumps(describe_crate(root, manifest, **TEXTS)))
    return root


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """The vocabulary comes from the library that writes crates, and nothing from the network.

    It has that of RO-Crate 1.3, where one term has moved since 1.1.
    """
    vocabulary = json.loads(files("rocrate").joinpath("data/ro-crate.jsonld").read_bytes())
    vocabulary["@context"]["ComputationalWorkflow"] = (
        "https://bioschemas.org/ComputationalWorkflow"
    )

    def get(self, url, **_):
        assert url == "https://w3id.org/ro/crate/1.1/context"
        answer = requests.Response()
        answer.status_code = 200
        answer.headers["Content-Type"] = "application/ld+json"
        answer._content = json.dumps(vocabulary).encode()
        return answer

    monkeypatch.setattr(HttpRequester, "get", get, raising=False)


def entities(root):
    return {item["@id"]: item for item in json.loads((root / FILE).read_text())["@graph"]}


def broken(root):
    """What the profile requires and the crate lacks."""
    settings = ValidationSettings(
        rocrate_uri=str(root),
        profile_identifier="workflow-run-crate-0.5",
        requirement_severity=Severity.REQUIRED,
        offline=True,
    )
    return [str(issue.message) for issue in validate(settings).get_issues()]


def test_crate_meets_the_profile(crate):
    assert broken(crate) == []


def test_the_profile_is_really_checked(crate):
    document = json.loads((crate / FILE).read_text())
    for item in document["@graph"]:
        item.pop("instrument", None)
    (crate / FILE).write_text(json.dumps(document))
    assert broken(crate)


def test_a_job_names_what_it_read_and_made(crate):
    found = entities(crate)
    job = found["#job/measure/x"]
    assert job["result"] == [{"@id": "metrics.json"}]
    assert job["instrument"] == {"@id": "#rule/measure"}
    assert job["endTime"] == "2026-01-01T00:01:01+00:00"
    read = found[job["object"][0]["@id"]]
    assert (read["name"], read["sha256"]) == ("raw/a b.csv", "00")


def test_a_job_names_its_settings(crate):
    found = entities(crate)
    given = [found[item["@id"]] for item in found["#job/measure/x"]["object"]]
    settings = {item["name"]: item["value"] for item in given if item["@type"] == "PropertyValue"}
    assert settings == {"code": "c0de", "model": '{"width": 8}'}
    assert found["source.zip"]["version"] == "c0ffee, unknown"


def test_the_run_names_its_program_and_what_came_out(crate):
    run = entities(crate)["#run"]
    assert run["instrument"] == {"@id": "source.zip"}
    assert run["result"] == [{"@id": "metrics.json"}, {"@id": "report.html"}]


def test_what_an_earlier_run_left_is_no_part_of_the_crate(crate, facts):
    old = {"of": "results", "path": "old.json", "sha256": "22", "size": 1}
    job = facts | {"started": "2025-01-01T00:00:00+00:00", "rule": "old", "inputs": []}
    (crate / "old.json").write_text("1")
    (crate / "logs/old.json").write_text(json.dumps(job | {"outputs": [old]}))
    wanted = [str(crate / "metrics.json")]
    manifest = build_manifest(crate, {"recipe": "toy", "seeds": [0]}, wanted)
    assert "old.json" in manifest["left_over"]
    document = json.dumps(describe_crate(crate, manifest, **TEXTS))
    assert "old" not in document
    assert "2025" not in document


def test_a_folder_without_jobs_is_no_run(tmp_path):
    manifest = build_manifest(tmp_path, {"recipe": "toy", "seeds": [0]})
    with pytest.raises(ValueError, match="no job has left a record"):
        describe_crate(tmp_path, manifest, **TEXTS)


def test_the_same_program_is_packed_into_the_same_bytes(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder / "src/__pycache__").mkdir(parents=True)
        (tmp_path / folder / "src/model.py").write_text("x = 1\n")
        (tmp_path / folder / "src/__pycache__/model.pyc").write_text(folder)
        (tmp_path / folder / "src/.hidden").write_text(folder)
        (tmp_path / folder / "Snakefile").write_text("")
        pack_source(tmp_path / folder, tmp_path / f"{folder}.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        assert packed.namelist() == ["Snakefile", "src/model.py"]
