"""The same program and settings give the same bytes, wherever and however they run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gicnn.provenance import file_digest
from gicnn.record.audit import audit

ROOT = Path(__file__).resolve().parents[2]
SMOKE = ROOT / "runs/smoke"
# Times, memory, commits and the folders' names are told there, and nowhere else.
APART = ("logs", "benchmarks", "checkpoints")
TOLD = ("run.json", "report.html", "ro-crate-metadata.json", "manifest.json")


def snakemake(folder, cache, *options):
    command = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile"]
    command += ["--directory", folder, "--configfile", ROOT / "workflow/recipes/smoke.yaml"]
    command += ["--config", "recipe=smoke"]
    command += ["--workflow-profile", ROOT / "workflow/profiles/default", *options]
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=os.environ | {"XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        timeout=3000,
        check=False,
    )


def run_smoke(folder, cores):
    """The whole recipe, from the program as it stands, with this many cores."""
    folder.mkdir()
    if (SMOKE / "results/raw").is_dir():
        shutil.copytree(SMOKE / "results/raw", folder / "downloads")
        for path in (folder / "downloads/fashion_mnist").glob("*"):
            path.rename(folder / "downloads" / path.name)
    done = snakemake(folder, folder / "cache", "--cores", cores)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def is_finished(folder, cache):
    """Whether a run is there whole, made by the program as it stands and unaltered since."""
    try:
        if audit(folder / "results"):
            return False
    except (OSError, ValueError):
        return False
    done = snakemake(folder, cache, "--nolock", "--cores", 1, "--dry-run", "--quiet", "host")
    return "Nothing to be done" in done.stdout + done.stderr


def digests(folder):
    """Digest of each file that a run leaves, but for those that tell of time and place."""
    results = folder / "results"
    names = (p.relative_to(results) for p in sorted(results.rglob("*")) if p.is_file())
    kept = (name for name in names if name.parts[0] not in APART and name.name not in TOLD)
    return {name.as_posix(): file_digest(results / name) for name in kept}


@pytest.mark.slow
def test_two_runs_in_two_folders_on_other_numbers_of_cores_give_the_same_bytes(tmp_path):
    """One of them is the one that `make smoke` has left, if it has, on as many cores as there are."""
    finished = is_finished(SMOKE, tmp_path / "cache")
    first = SMOKE if finished else run_smoke(tmp_path / "first", 2)
    first, second = (digests(folder) for folder in (first, run_smoke(tmp_path / "a second, é", 1)))
    kinds = {Path(name).suffix for name in first}
    assert {".safetensors", ".parquet", ".json", ".svg", ".png", ".ipynb", ".html"} <= kinds
    assert len([name for name in first if name.startswith("figures/")]) >= 30
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
