"""A job leaves the record of what it read, wrote and ran on, if it ends well."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gicnn import circumstances

SOURCE = Path(__file__).resolve().parents[1] / "src"
HEAD = """
from types import SimpleNamespace as Space
from pathlib import Path
from gicnn.job import begin

begin(Space(
    rule="square_numbers", wildcards={"seed": "0"}, threads=1, params={"code": "c0de", "power": 2},
    input=["results/data/in.txt", INPUT], output=["results/out/a.txt", "results/out/b.txt"],
    log=["results/logs/square_numbers/seed-0.log"],
))
"""
WRITE = """
Path("results/out").mkdir(exist_ok=True)
for name in "ab":
    Path(f"results/out/{name}.txt").write_text(name)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "results/data").mkdir(parents=True)
    (tmp_path / "results/data/in.txt").write_text("one two")
    return tmp_path


def run(folder, body, other="results/data/in.txt"):
    script = folder / "script.py"
    script.write_text(HEAD.replace("INPUT", repr(str(other))) + body)
    return subprocess.run(
        [sys.executable, script],
        check=False,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
    )


def record(folder):
    path = folder / "results/logs/square_numbers/seed-0.json"
    return json.loads(path.read_text()) if path.exists() else None


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_record_tells_files_settings_and_circumstances(folder):
    done = run(folder, WRITE)
    assert done.returncode == 0, done.stderr
    found = record(folder)
    assert found["rule"] == "square_numbers"
    assert found["wildcards"] == {"seed": "0"}
    assert found["params"] == {"code": "c0de", "power": 2}
    assert found["inputs"][0] == {
        "of": "results",
        "path": "data/in.txt",
        "sha256": digest("one two"),
        "size": 7,
    }
    assert [(file["path"], file["sha256"]) for file in found["outputs"]] == [
        ("out/a.txt", digest("a")),
        ("out/b.txt", digest("b")),
    ]
    assert found["seconds"] >= 0
    assert 0 < found["startup"] < 60
    assert found["peak_memory_mb"] > 5
    assert found["device"] == "cpu"
    assert found["threads"] == 1
    lock = SOURCE.parent / "envs/requirements.lock"
    assert found["lock"] == hashlib.sha256(lock.read_bytes()).hexdigest()
    assert found["versions"]["torch"].startswith("2.")
    assert found["machine"]["processor"]


def test_inputs_are_those_that_the_job_found(folder):
    run(folder, 'Path("results/data/in.txt").write_text("later")\n' + WRITE)
    assert record(folder)["inputs"][0]["sha256"] == digest("one two")


def test_the_memory_of_a_job_is_not_that_of_the_process_that_started_it(folder):
    """Which is what Linux counts where a process was forked from a larger one."""
    ballast = bytearray(b"x") * 300_000_000
    assert run(folder, WRITE).returncode == 0
    assert len(ballast) / 1e6 > 2 * record(folder)["peak_memory_mb"]


def test_a_file_of_the_checkout_is_known_by_the_link_to_it(folder, monkeypatch):
    monkeypatch.chdir(folder)
    captions = circumstances.checkout.__wrapped__() / "workflow/report/captions.yaml"
    run(folder, WRITE, other=str(captions))
    found = record(folder)["inputs"][1]
    assert (found["of"], found["path"]) == ("repository", "workflow/report/captions.yaml")


@pytest.mark.parametrize("target", ["..", "nowhere"])
def test_a_link_that_leads_elsewhere_is_set_right(tmp_path, monkeypatch, target):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".snakemake/repository").mkdir(parents=True)
    (tmp_path / ".snakemake/repository/workflow").symlink_to(target)
    folder = circumstances.checkout.__wrapped__()
    assert (folder / "workflow").samefile(SOURCE.parent / "workflow")
    assert {path.name for path in folder.iterdir()} == {"workflow", "results"}


def test_a_file_of_the_checkout_is_named_from_there(folder):
    run(folder, WRITE, other=os.path.relpath(SOURCE.parent / "config.yaml", folder))
    found = record(folder)["inputs"][1]
    assert (found["of"], found["path"]) == ("repository", "config.yaml")


@pytest.mark.parametrize(
    "body",
    [
        WRITE + "raise ValueError('bad')",
        'Path("results/out").mkdir(); Path("results/out/a.txt").write_text("a")',
        WRITE + "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        WRITE + "import os, signal\n"
        "from gicnn.interruption import interrupted_by_sigterm\n"
        "with interrupted_by_sigterm():\n    os.kill(os.getpid(), signal.SIGTERM)",
    ],
    ids=["crash", "lacking output", "killed", "told to stop"],
)
def test_a_job_that_fails_leaves_no_record_not_even_an_earlier_one(folder, body):
    run(folder, WRITE)
    assert record(folder)
    for name in "ab":
        (folder / f"results/out/{name}.txt").unlink()
    (folder / "results/out").rmdir()
    done = run(folder, body)
    assert done.returncode in (0, 1, -signal.SIGKILL, 128 + signal.SIGTERM)
    assert record(folder) is None


def test_a_record_that_cannot_be_written_fails_the_job(folder):
    done = run(folder, WRITE + "import gicnn.job\ngicnn.job.write_json = lambda *_: 1 / 0\n")
    assert done.returncode == 1
    assert "no record of the job could be written" in done.stderr
    assert record(folder) is None


def test_the_commit_of_another_repository_around_is_not_ours(tmp_path, monkeypatch):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "unpacked").mkdir()
    monkeypatch.setattr(circumstances, "REPOSITORY", tmp_path / "unpacked")
    found = circumstances.describe.__wrapped__()
    assert (found["commit"], found["changed"]) == (None, None)


def test_commit_and_changed_files_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(circumstances, "REPOSITORY", tmp_path)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", tmp_path]
    (tmp_path / "with space.py").write_text("1")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], check=True)
    assert circumstances.describe.__wrapped__()["changed"] == []
    (tmp_path / "with space.py").write_text("2")
    (tmp_path / "new.py").write_text("3")
    found = circumstances.describe.__wrapped__()
    assert len(found["commit"]) == 40
    assert found["changed"] == ["new.py", "with space.py"]


def test_results_are_no_part_of_the_program(tmp_path, monkeypatch):
    monkeypatch.setattr(circumstances, "REPOSITORY", tmp_path)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "scratch").mkdir()
    (tmp_path / "results").symlink_to(tmp_path / "scratch")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-C", tmp_path]
    subprocess.run([*git, "commit", "-qm", "first", "--allow-empty"], check=True)
    assert circumstances.describe.__wrapped__()["changed"] == []


def test_a_folder_without_history_has_no_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(circumstances, "REPOSITORY", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    found = circumstances.describe.__wrapped__()
    assert found["commit"] is None
    assert found["changed"] is None
    assert found["lock"] is None


@pytest.mark.parametrize(
    ("devices", "visible", "found"),
    [
        (["dev/nvidia0"], None, True),
        (["dev/nvidia0"], "0", True),
        (["dev/nvidia0"], "", False),
        (["dev/nvidiactl"], None, False),
        (["dev/dxg"], None, False),
        (["dev/dxg", "usr/lib/wsl/lib/libcuda.so.1"], None, True),
        ([], None, False),
    ],
)
def test_a_gpu_is_found_where_it_may_be_used(tmp_path, monkeypatch, devices, visible, found):
    for device in devices:
        (tmp_path / device).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / device).touch()
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert circumstances.has_gpu(tmp_path) is found
