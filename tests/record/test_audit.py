"""Whatever is done to a finished run is found, named, and traced to its claims."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gicnn.record.__main__ import main
from gicnn.record.audit import audit
from gicnn.record.manifest import FILE, build_manifest

ROOT = Path(__file__).resolve().parents[2]
BOTH = ("claim_a", "claim_b")


def test_an_untouched_run_has_nothing_to_find(run):
    assert run.findings() == []


def test_every_file_is_named_with_the_job_that_made_it(run):
    manifest = build_manifest(run.root, run.config)
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


def test_a_link_to_a_folder_of_the_run_is_extra_and_hides_nothing(run):
    for name in ("zzz", "0"):
        (run.root / name).symlink_to(run.root / "models")
    assert run.findings() == [("extra", "0", ()), ("extra", "zzz", ())]


def test_a_job_without_its_record_is_found(run):
    manifest = json.loads((run.root / FILE).read_text())
    manifest["files"] = [f for f in manifest["files"] if f["path"] != "logs/train/a.json"]
    (run.root / "logs/train/a.json").unlink()
    (run.root / FILE).write_text(json.dumps(manifest))
    assert ("missing", "logs/train/a.json", ("claim_a",)) in run.findings()


def test_links_between_folders_are_followed_once(run):
    for name, other in (("p", "q"), ("q", "p")):
        (run.root / name).mkdir()
        (run.root / name / "link").symlink_to(f"../{other}")
    (run.root / "p/file").touch()
    paths = [path for _, path, _ in run.findings()]
    assert "p/file" in paths
    assert len(paths) <= 4


def test_a_link_back_to_a_folder_around_it_is_found_and_not_followed(run):
    (run.root / "models/loop").symlink_to("..")
    assert run.findings() == [("extra", "models/loop", ())]


def test_the_record_of_a_job_carries_the_claims_that_hang_on_what_it_made(run):
    (run.root / "logs/collect_claims.json").write_text("{")
    assert ("differs", "logs/collect_claims.json", BOTH) in run.findings()
    (run.root / "logs/train/a.json").unlink()
    assert ("missing", "logs/train/a.json", ("claim_a",)) in run.findings()


def test_a_small_record_and_a_checkout_that_is_none_are_refused(run, tmp_path):
    with pytest.raises(ValueError, match="has no Snakefile"):
        audit(run.root, tmp_path / "nowhere")
    shutil.rmtree(run.root / "logs")
    with pytest.raises(ValueError, match="has no logs"):
        run.findings()


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest: manifest["jobs"]["build"].pop("lock"),
        lambda manifest: manifest["jobs"]["build"].update(lock={}),
        lambda manifest: manifest["jobs"]["build"].update(params=[]),
        lambda manifest: manifest.update(left_over=["models/z.bin"]),
        lambda manifest: manifest.update(config=None),
    ],
)
def test_a_manifest_made_by_hand_is_refused_with_its_name(run, change):
    manifest = json.loads((run.root / FILE).read_text())
    change(manifest)
    (run.root / FILE).write_text(json.dumps(manifest))
    with pytest.raises(ValueError, match=r"manifest\.json"):
        run.findings()


def test_nesting_without_end_is_refused(run):
    (run.root / FILE).write_text("[" * 100_000)
    with pytest.raises(ValueError, match="is not JSON"):
        run.findings()


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
    entry |= run.describe("models/a.bin")
    (run.root / FILE).write_text(json.dumps(manifest))
    kinds = [(kind, path) for kind, path, _ in run.findings()]
    assert ("unexplained", FILE) in kinds
    assert ("unexplained", "models/a.bin") in kinds
    assert ("stale", "evaluation/a.json") in kinds


@pytest.mark.parametrize("more", [{}, {"claim_c": ["claims.json"]}])
def test_a_manifest_with_other_claims_is_found(run, more):
    manifest = json.loads((run.root / FILE).read_text())
    claims = manifest["claims"] | more if more else {}
    (run.root / FILE).write_text(json.dumps(manifest | {"claims": claims}))
    assert {*run.findings()} == {("unexplained", FILE, ())}
    run.write("models/a.bin", "tampered")
    (hanging,) = (claims for kind, _, claims in run.findings() if kind == "differs")
    assert "claim_a" in hanging


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
    run.job("write_manifest", inputs, [FILE], params={"run": {"config": run.config}})
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
    assert ("input changed", "envs/requirements.lock", BOTH) in run.findings()
    (run.repository / "envs/requirements.lock").unlink()
    gone = [f for f in audit(run.root, run.repository) if f.detail == "gone from the checkout"]
    assert {f.path for f in gone} == {"envs/requirements.lock"}


def test_a_changed_input_from_elsewhere_is_found(run, tmp_path):
    downloads = tmp_path / "downloads.csv"
    downloads.write_text("1")
    run.write("raw.csv", "1")
    run.job("fetch", [], ["raw.csv"], elsewhere=[downloads])
    run.seal()
    assert run.findings() == []
    downloads.write_text("2")
    assert run.findings() == [("input changed", str(downloads), ())]


def test_the_record_of_another_run_carries_no_claims(run):
    """It speaks for what is said of other choices, not for claims."""
    kept = run.repository / "results/reference/ablations/metrics.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("{}")
    evidence = [f"evaluation/{model}.json" for model in "ab"]
    name = "results/reference/ablations/metrics.json"
    run.job("collect_claims", evidence, ["claims.json"], ["claims.yaml", name])
    run.seal()
    kept.write_text("[]")
    assert run.findings() == [("input changed", name, ())]


def test_what_is_left_over_is_not_asked_what_it_was_made_from(run):
    run.job("train/b", ["data/card.json"], ["models/b.bin"], ["Snakefile"], lock="old")
    run.job("evaluate/b", ["models/b.bin"], ["evaluation/b.json"])
    run.job("collect_claims", ["evaluation/a.json"], ["claims.json"], ["claims.yaml"])
    wanted = [str(run.root / path) for path in ("evaluation/a.json", "claims.json")]
    (run.root / FILE).write_text(json.dumps(build_manifest(run.root, run.config, wanted)))
    run.job("write_manifest", [], [FILE])
    (run.repository / "Snakefile").write_text("rule all:")
    assert {kind for kind, _, _ in run.findings()} == {"extra"}


@pytest.mark.parametrize("run_params", ["x", [], None])
def test_odd_params_of_the_last_job_are_no_crash(run, run_params):
    run.job("write_manifest", [], [FILE], params={"run": run_params})
    assert run.findings() == []


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
    manifest = build_manifest(run.root, run.config)
    makers = {entry["path"]: entry["job"] for entry in manifest["files"]}
    assert (makers["data/card.json"], makers["data/more.json"]) == ("a_build", "build")
    run.seal()
    assert not [finding for finding in run.findings() if finding[0] == "differs"]


def test_what_an_earlier_run_left_is_named_with_its_maker(run):
    wanted = [str(run.root / path) for path in ("evaluation/a.json", "claims.json")]
    manifest = build_manifest(run.root, run.config, wanted)
    assert manifest["left_over"] == []  # claims rest on b, too

    run.job("collect_claims", ["evaluation/a.json"], ["claims.json"], ["claims.yaml"])
    manifest = build_manifest(
        run.root, run.config, [*wanted, "../../workflow/report/captions.yaml"]
    )
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
    manifest = build_manifest(run.root, run.config)
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

    run.write("reference/claims.json", "{}")
    assert main() == 0
    assert "not looked at: reference." in capsys.readouterr().out

    run.write("models/a.bin", "tampered")
    assert main() == 1
    shown = capsys.readouterr().out
    assert "differs: models/a.bin" in shown
    run.write("all\nas the run", "")
    assert main() == 1
    assert "extra: all\\nas the run" in capsys.readouterr().out
    assert "hangs on it: claim_a" in shown


@pytest.mark.parametrize(
    ("recipe", "said"), [("nothing", "is not known"), ("smoke", "no longer fit config or code")]
)
def test_a_plan_that_cannot_be_made_is_told_from_one_with_jobs_in_it(run, recipe, said):
    (run.root.parent / ".snakemake/metadata").mkdir(parents=True)
    command = ["make", "-C", ROOT, "-o", "venv", f"BIN={Path(sys.executable).parent}", "audit"]
    command += [f"RUN={run.root.parent}", f"RECIPE={recipe}"]
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert said in done.stderr
