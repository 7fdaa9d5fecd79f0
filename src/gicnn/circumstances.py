"""Under what circumstances a job runs: code, libraries, machine (standard library only)."""

import hashlib
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = [
    "CHECKOUT",
    "REPOSITORY",
    "checkout",
    "describe",
    "device",
    "has_gpu",
    "peak_memory_mb",
    "processor",
    "versions",
]

REPOSITORY = Path(__file__).resolve().parents[2]
# From the folder of a run, links to what jobs read of it; of the whole it would lead back to itself.
CHECKOUT = ".snakemake/repository"
_PARTS = ("workflow", "results/reference")
# What a number or a picture may hang on.
_LIBRARIES = (
    "matplotlib",
    "numpy",
    "pandas",
    "papermill",
    "pyarrow",
    "rdkit",
    "safetensors",
    "scikit-learn",
    "scipy",
    "snakemake",
    "torch",
    "torchvision",
    "zuko",
)
_STATUS = ("status", "--porcelain", "--no-renames", "-z", "--", ".", ":(exclude)results")


@cache
def checkout() -> Path:
    """A folder in the working directory with links to the checkout, made where they are not right.

    Its name is the same wherever run and checkout lie, so that neither is bound to its place.
    """
    for part in _PARTS:
        link, target = Path(CHECKOUT, part), REPOSITORY / part
        if target.exists() and not (link.exists() and link.samefile(target)):
            link.parent.mkdir(parents=True, exist_ok=True)
            if link.is_dir() and not link.is_symlink():  # a copy of what a link led to
                shutil.rmtree(link)
            fresh = link.with_name(f"{link.name}.{os.getpid()}")
            fresh.symlink_to(target)
            fresh.replace(link)
    return Path(CHECKOUT)


@cache
def describe() -> dict[str, Any]:
    """Commit, changed files, lock, versions and machine; None where it cannot be told.

    ``changed`` lists the files that differ from the commit, and those that git does not know of;
    what lies in results/ is no part of the program, and may be a link to another disk.
    """
    top = _git("rev-parse", "--show-toplevel")
    ours = top is not None and Path(top).resolve() == REPOSITORY  # not one that we lie within
    commit = _git("rev-parse", "HEAD") if ours else None
    changed = commit and _git(*_STATUS)
    lock = REPOSITORY / "envs/requirements.lock"
    return {
        "commit": commit,
        "changed": None
        if changed is None
        else sorted(entry[3:] for entry in changed.split("\0") if entry),
        "lock": hashlib.sha256(lock.read_bytes()).hexdigest() if lock.is_file() else None,
        "versions": versions(_LIBRARIES),
        "machine": {
            "processor": processor(),
            "system": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
        },
    }


@cache
def processor() -> str:
    """The kind of processor, which decides the last bits of sums."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.is_file() else []
    pairs = (line.partition(":") for line in lines)
    facts = {key.strip(): value.strip() for key, _, value in pairs}
    if "model name" not in facts:
        return platform.processor() or platform.machine()
    return "{model name}, family {cpu family}, model {model}".format_map(
        {"cpu family": "?", "model": "?"} | facts
    )


def age() -> float:
    """Seconds since this process was started; where the system does not tell, those it worked."""
    try:
        facts = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        started = int(facts[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - started
    except (OSError, AttributeError, IndexError, ValueError):
        return time.process_time()


def device() -> str:
    """The GPU that this process has computed on, or cpu."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return "cpu"
    return torch.cuda.get_device_name()


def has_gpu(root: Path = Path("/")) -> bool:
    """Whether this machine has an NVIDIA GPU that this process may use.

    From the environment and from Linux's list of devices; WSL has a list and a driver of its own.

    Args:
        root: Of the file system.
    """
    if os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        return False
    wsl = (root / "dev/dxg").exists() and (root / "usr/lib/wsl/lib/libcuda.so.1").exists()
    return wsl or any(root.glob("dev/nvidia[0-9]*"))


def peak_memory_mb() -> int:
    """Largest resident size of this process or one that it started; Linux counts in kB."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own, children = (resource.getrusage(kind).ru_maxrss for kind in kinds)
    status = Path("/proc/self/status")
    told = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.is_file() else None
    if told:  # the other count begins with that of the process that started this one
        own = int(told[1])
    return round(max(own, children) / (1e6 if sys.platform == "darwin" else 1e3))


def versions(libraries: Iterable[str]) -> dict[str, str]:
    """Of Python and of those of some libraries that are installed."""
    found = {"python": platform.python_version()}
    for name in libraries:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _git(*arguments: str) -> str | None:
    """What git says of the checkout; None if it is none, belongs to another user, or has no git."""
    command = ["git", "--no-optional-locks", "-C", str(REPOSITORY), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.rstrip("\n")
