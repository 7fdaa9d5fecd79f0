"""The same program and settings give the same bytes, wherever and however they run."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TARGETS = [f"results/figures/figure_{name}.svg" for name in (1, 5, 6)]
# Times, memory and the folders' names are told there, and nowhere else.
APART = ("logs", "benchmarks", "checkpoints")


def run_smoke(folder, cores):
    """Figures on every kind of data, from the program as it stands, with this many cores."""
    folder.mkdir()
    if (ROOT / "runs/smoke/results/raw").is_dir():
        shutil.copytree(ROOT / "runs/smoke/results/raw", folder / "downloads")
        for path in (folder / "downloads/fashion_mnist").glob("*"):
            path.rename(folder / "downloads" / path.name)
    command = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile"]
    command += ["--directory", folder, "--cores", cores]
    command += ["--configfile", ROOT / "workflow/recipes/smoke.yaml"]
    command += ["--workflow-profile", ROOT / "workflow/profiles/default", "--", *TARGETS]
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=os.environ | {"XDG_CACHE_HOME": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def digests(folder):
    """Digest of each file that a run leaves, run.json without the seconds and megabytes."""
    results = folder / "results"
    found = {}
    for path in sorted(path for path in results.rglob("*") if path.is_file()):
        name = path.relative_to(results)
        if name.parts[0] not in APART and name.name != "run.json":
            found[name.as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


@pytest.mark.slow
def test_two_runs_in_two_folders_on_other_numbers_of_cores_give_the_same_bytes(tmp_path):
    folders = tmp_path / "first", tmp_path / "a second, é"
    for folder, cores in zip(folders, (2, 1), strict=True):
        run_smoke(folder, cores)
    first, second = (digests(folder) for folder in folders)
    kinds = {Path(name).suffix for name in first}
    assert {".safetensors", ".parquet", ".json", ".svg", ".png", ".ipynb", ".html"} <= kinds
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
