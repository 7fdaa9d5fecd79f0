"""Whatever is done to a finished run is found, named, and traced to its claims."""

import hashlib
import json
import shutil

import pytest

from gicnn.record.__main__ import main
from gicnn.record.audit import audit
from gicnn.record.manifest import FILE, build_manifest

CONFIG = {"recipe": "toy", "seeds": [0], "device": "cpu"}


def describe(path, name, of="results"):
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return {"of": of, "path": name, "sha256": digest, "size": len(content)}


class Run:
    """A toy run: data, from it weights, from those metrics, and claims on them."""

    def __init__(self, folder):
        self.root, self.repository = folder / "results", folder / "checkout"
        self.started = 0
        self.repository.mkdir(parents=True)
        (self.repository / "claims.yaml").write_text("claims: []")
        self.write("logs/run.log", "said")
        self.write("data/card.json", "{}")
        self.job("build", [], ["data/card.json"])
        for model in "ab":
            self.write(f"models/{model}.bin", f"weights of {model}")
            self.job(f"train/{model}", ["data/card.json"], [f"models/{model}.bin"])
            self.write(f"evaluation/{model}.json", f'{{"error": "{model}"}}')
            self.job(f"evaluate/{model}", [f"models/{model}.bin"], [f"evaluation/{model}.json"])
        claims = [
            {
                "id": f"claim_{model}",
                "status": "reproduced",
                "measurements": [],
                "files": [f"evaluation/{model}.json"],
                "figures": [],
                "tables": [],
            }
            for model in "ab"
        ]
        self.write("claims.json", json.dumps(CONFIG | {"claims": claims}))
        evidence = [f"evaluation/{model}.json" for model in "ab"]
        self.job("collect_claims", evidence, ["claims.json"], ["claims.yaml"])
        self.seal()

    def write(self, path, text):
        whole = self.root / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(text)

    def job(self, name, inputs, outputs, checkout=(), **facts):
        self.started += 1
        record = {
            "rule": name.split("/")[0],
            "started": f"2026-01-01T00:00:{self.started:02}+00:00",
            "inputs": [describe(self.root / path, path) for path in inputs]
            + [describe(self.repository / path, path, "repository") for path in checkout],
            "outputs": [describe(self.root / path, path) for path in outputs],
            **facts,
        }
        self.write(f"logs/{name}.json", json.dumps(record))

    def seal(self):
        (self.root / FILE).write_text(json.dumps(build_manifest(self.root, CONFIG)))
        self.job("write_manifest", [], [FILE])

    def findings(self):
        return [(f.kind, f.path, f.claims) for f in audit(self.root, self.repository)]


BOTH = ("claim_a", "claim_b")


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path)


def test_an_untouched_run_has_nothing_to_find(run):
    assert run.findings() == []


def test_every_file_is_named_with_the_job_that_made_it(run):
    manifest = build_manifest(run.root, CONFIG)
    makers = {entry["path"]: entry["job"] for entry in manifest["files"]}
    assert "write_manifest" not in manifest["jobs"]
    assert makers["models/a.bin"] == "train/a"
    assert makers["logs/run.log"] is None
    present = {p.relative_to(run.root).as_posix() for p in run.root.rglob("*") if p.is_file()}
    assert set(makers) == present - {FILE, "logs/write_manifest.json"}


@pytest.mark.parametrize(
    ("path", "claims"),
    [
        ("models/a.bin", ("claim_a",)),
        ("data/card.json", BOTH),
        ("evaluation/b.json", ("claim_b",)),
        ("claims.json", BOTH),
        ("logs/run.log", ()),
    ],
)
def test_a_flipped_byte_is_found_with_the_claims_that_hang_on_it(run, path, claims):
    content = bytearray((run.root / path).read_bytes())
    content[0] ^= 1
    (run.root / path).write_bytes(content)
    assert run.findings() == [("differs", path, claims)]


def test_a_lost_byte_is_found(run):
    (run.root / "models/a.bin").write_bytes((run.root / "models/a.bin").read_bytes()[:-1])
    assert run.findings() == [("differs", "models/a.bin", ("claim_a",))]


def test_a_missing_file_is_found(run):
    (run.root / "evaluation/a.json").unlink()
    assert run.findings() == [("missing", "evaluation/a.json", ("claim_a",))]


@pytest.mark.parametrize(
    "path",
    ["evaluation/c.json", "models/.hidden", "reports/x", "manifest.json.bak", "README.md.old"],
)
def test_an_extra_file_is_found(run, path):
    run.write(path, "{}")
    assert run.findings() == [("extra", path, ())]


def test_a_link_that_leads_nowhere_is_found(run):
    (run.root / "models/link").symlink_to("nowhere")
    assert run.findings() == [("extra", "models/link", ())]


def test_a_changed_input_of_the_checkout_is_found(run):
    (run.repository / "claims.yaml").write_text("claims: [easier]")
    assert run.findings() == [("input changed", "claims.yaml", BOTH)]
    assert audit(run.root) == []


def test_outputs_of_an_earlier_version_are_stale(run):
    run.write("models/a.bin", "trained again")
    run.job("train/a", ["data/card.json"], ["models/a.bin"])
    run.seal()
    assert run.findings() == [("stale", "evaluation/a.json", ("claim_a",))]


def test_a_change_before_the_manifest_was_written_is_found_too(run):
    run.write("models/a.bin", "tampered")
    run.seal()
    assert run.findings() == [("differs", "models/a.bin", ("claim_a",))]


def test_a_manifest_that_was_made_to_fit_is_found(run):
    run.write("models/a.bin", "tampered")
    manifest = json.loads((run.root / FILE).read_text())
    (entry,) = (entry for entry in manifest["files"] if entry["path"] == "models/a.bin")
    entry |= describe(run.root / "models/a.bin", "models/a.bin")
    (run.root / FILE).write_text(json.dumps(manifest))
    kinds = [(kind, path) for kind, path, _ in run.findings()]
    assert ("unexplained", FILE) in kinds
    assert ("unexplained", "models/a.bin") in kinds
    assert ("stale", "evaluation/a.json") in kinds


def test_a_manifest_with_other_claims_is_found(run):
    manifest = json.loads((run.root / FILE).read_text())
    (run.root / FILE).write_text(json.dumps(manifest | {"claims": {}}))
    assert {*run.findings()} == {("unexplained", FILE, ())}


@pytest.mark.parametrize(
    "change",
    [{"config": {}}, {"claims": {}}, {"jobs": {}}, {"files": []}],
    ids=lambda change: next(iter(change)),
)
def test_a_manifest_that_was_sealed_again_is_found(run, change):
    """Its digest fits, but not what the jobs and the claims say."""
    manifest = json.loads((run.root / FILE).read_text())
    inputs = [entry["path"] for entry in manifest["files"]]
    if change == {"jobs": {}}:
        jobs = manifest["jobs"]
        change = {"jobs": jobs | {"train/a": jobs["train/a"] | {"rule": "typed"}}}
    (run.root / FILE).write_text(json.dumps(manifest | change))
    run.job("write_manifest", inputs, [FILE], params={"run": {"config": CONFIG}})
    assert ("unexplained", FILE) in {(kind, path) for kind, path, _ in run.findings()}


def told(run, path):
    """Whether an audit finds something, or says which file it cannot read."""
    try:
        return bool(run.findings())
    except ValueError as error:
        return str(path) in str(error)


def test_a_flipped_byte_anywhere_is_told_without_a_crash(run):
    """But for what the job that wrote the manifest says of itself."""
    paths = sorted(path for path in run.root.rglob("*") if path.is_file())
    for path in paths:
        content = path.read_bytes()
        unnoticed = []
        for place in range(0, len(content), 7):
            flipped = bytearray(content)
            flipped[place] ^= 1
            path.write_bytes(flipped)
            if not told(run, path):
                unnoticed.append(place)
        path.write_bytes(content)
        assert not unnoticed or path.name == "write_manifest.json"


def test_a_file_that_was_lost_before_the_manifest_was_written_again_is_missing(run):
    (run.root / "models/a.bin").unlink()
    run.seal()
    assert run.findings() == [("missing", "models/a.bin", ("claim_a",))]


def test_other_versions_than_the_rest_or_the_checkout_are_found(run):
    (run.repository / "envs").mkdir()
    (run.repository / "envs/requirements.lock").write_text("torch==1")
    lock = hashlib.sha256(b"torch==1").hexdigest()
    for name in ("train/a", "train/b"):
        run.job(name, ["data/card.json"], [f"models/{name[-1]}.bin"], lock=lock)
    run.seal()
    assert run.findings() == []
    run.job("train/b", ["data/card.json"], ["models/b.bin"], lock="another")
    run.seal()
    kinds = {(kind, path) for kind, path, _ in run.findings()}
    assert kinds == {("stale", FILE), ("input changed", "envs/requirements.lock")}


def test_results_may_lie_behind_a_link(run, tmp_path):
    shutil.move(run.root / "models", tmp_path / "scratch")
    (run.root / "models").symlink_to(tmp_path / "scratch")
    assert run.findings() == []
    run.seal()
    assert run.findings() == []
    run.write("models/a.bin", "tampered")
    assert run.findings() == [("differs", "models/a.bin", ("claim_a",))]


def test_a_later_job_counts_for_the_files_that_it_made_again(run):
    run.write("data/more.json", "{}")
    run.job("build", [], ["data/card.json", "data/more.json"])
    run.write("data/card.json", "[]")
    run.job("a_build", [], ["data/card.json"])
    manifest = build_manifest(run.root, CONFIG)
    makers = {entry["path"]: entry["job"] for entry in manifest["files"]}
    assert (makers["data/card.json"], makers["data/more.json"]) == ("a_build", "build")
    run.seal()
    assert not [finding for finding in run.findings() if finding[0] == "differs"]


def test_what_an_earlier_run_left_is_named_with_its_maker(run):
    wanted = [str(run.root / path) for path in ("evaluation/a.json", "claims.json")]
    manifest = build_manifest(run.root, CONFIG, wanted)
    assert manifest["left_over"] == []  # claims rest on b, too

    run.job("collect_claims", ["evaluation/a.json"], ["claims.json"], ["claims.yaml"])
    manifest = build_manifest(run.root, CONFIG, [*wanted, "../../workflow/report/captions.yaml"])
    assert manifest["left_over"] == ["evaluation/b.json", "models/b.bin"]
    (run.root / FILE).write_text(json.dumps(manifest))
    run.job("write_manifest", [], [FILE])
    assert [(kind, path) for kind, path, _ in run.findings()] == [
        ("extra", "evaluation/b.json"),
        ("extra", "models/b.bin"),
    ]


def test_a_file_that_no_job_has_recorded_is_found(run):
    run.write("models/c.bin", "from elsewhere")
    run.seal()
    assert run.findings() == [("unexplained", "models/c.bin", ())]


def test_a_run_can_be_audited_where_it_has_been_moved(run, tmp_path):
    shutil.move(run.root, tmp_path / "elsewhere/archive of 2026")
    run.root = tmp_path / "elsewhere/archive of 2026"
    assert run.findings() == []
    run.write("evaluation/a.json", "better")
    assert run.findings() == [("differs", "evaluation/a.json", ("claim_a",))]


def test_a_file_made_again_under_another_name_has_its_last_maker(run):
    run.write("models/a.bin", "trained again")
    run.job("fit/a", ["data/card.json"], ["models/a.bin"])
    run.job("evaluate/a", ["models/a.bin"], ["evaluation/a.json"])
    manifest = build_manifest(run.root, CONFIG)
    assert "train/a" not in manifest["jobs"]
    assert {e["path"]: e["job"] for e in manifest["files"]}["models/a.bin"] == "fit/a"


def test_what_is_under_way_or_kept_apart_is_no_part_of_a_run(run):
    for path in ("checkpoints/a.bin", "README.md", "reference/x.json", "logs/write_manifest.log"):
        run.write(path, "text")
    assert run.findings() == []


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "is not there"), ("{", "is not JSON"), ("{}", "'files' is a required property")],
)
def test_a_manifest_that_cannot_be_read_is_refused(run, content, message):
    (run.root / FILE).unlink()
    if content:
        run.write(FILE, content)
    with pytest.raises(ValueError, match=message):
        audit(run.root)


def test_the_command_says_what_hangs_on_a_change_and_fails(run, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["gicnn.record", "audit", str(run.root)])
    assert main() == 0
    assert "as the run left them" in capsys.readouterr().out

    run.write("models/a.bin", "tampered")
    assert main() == 1
    shown = capsys.readouterr().out
    assert "differs: models/a.bin" in shown
    assert "hangs on it: claim_a" in shown
