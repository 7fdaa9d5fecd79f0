"""A conda to test with: the machine's own, or a stand-in with a local channel (Linux)."""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
_BUILDER = ("archive.py", "channel.py", "installed.py", "interpreter.py", "names.py", "tools.lock")

_COMMAND = """#!/bin/sh
export CONDA_ROOT="{folder}"
exec "{python}" -E -s "{here}/standin.py" "$@"
"""

_ACTIVATE = """export CONDA_PREFIX="$1" CONDA_DEFAULT_ENV="$1" CONDA_SHLVL=1 PATH="$1/bin:$PATH"
"""


@dataclass(frozen=True)
class Conda:
    """A conda command and what belongs to it.

    Attributes:
        name: What to call it in messages.
        environments: Where Snakemake keeps the environments that it makes.
        variables: What must be set for the command to be found and to work.
    """

    name: str
    environments: Path
    variables: Mapping[str, str]


def provide(folder: Path, prefix: Path) -> Conda:
    """The machine's conda with its own channels, if there is one; else the stand-in.

    Args:
        folder: Where all that is built is kept for the next time.
        prefix: The virtual environment whose packages go into a local channel.
    """
    path = shutil.which("conda")
    if path is not None:
        return Conda(f"{path} and its channels", folder / "environments", {})
    if sys.platform != "linux":
        sys.exit(f"there is no conda here, and no local channel for {sys.platform}: install conda")
    return _stand_in(folder, prefix)


def _stand_in(folder: Path, prefix: Path) -> Conda:
    _check_python()
    python = _tools(folder / "tools")
    place = folder / f"local-{_fingerprint()}"
    channels = place / "channels"
    command = [python, HERE / "channel.py", channels / "conda-forge", prefix]
    subprocess.run(command, check=True)
    for other in folder.glob("local-*"):
        if other != place:
            shutil.rmtree(other)
    _write(place / "bin/conda", _COMMAND.format(folder=place, python=python, here=HERE))
    _write(place / "bin/activate", _ACTIVATE)
    variables = {
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "CONDA_CHANNEL_ALIAS": channels.as_uri(),
        "CONDA_PKGS_DIRS": str(place / "packages"),
    }
    return Conda("a stand-in for conda and a local channel", place / "environments", variables)


def _check_python() -> None:
    named = _version_of("python")
    if not platform.python_version().startswith(f"{named}."):
        sys.exit(
            f"envs/ name Python {named}, and the local channel would have this one, "
            f"{platform.python_version()}: make conda-test PYTHON=python{named}"
        )


def _version_of(name: str) -> str | None:
    """The version of a package that the environments name, if one does."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("envs/*.yaml")))
    found = re.findall(rf"^ +- {name}=([0-9.]+)", "\n".join(texts), re.MULTILINE)
    return found[0] if found else None


def _tools(folder: Path) -> Path:
    """A virtual environment with what builds a channel and installs from it; its Python."""
    python, stamp = folder / "bin/python", folder / "built-from"
    version = _version_of("pip")
    pip = f"pip=={version}" if version else "pip"
    content = f"{(HERE / 'tools.lock').read_text()} {pip} {platform.python_version()} {folder}"
    if stamp.is_file() and stamp.read_text() == content:
        return python
    print(f"Building {folder} from tools.lock", flush=True)
    venv.create(folder, clear=True, with_pip=True)
    install = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    locked = ["--no-deps", "--require-hashes", "-r", HERE / "tools.lock"]
    subprocess.run([*install, *locked], check=True)
    subprocess.run([*install, pip], check=True)
    stamp.write_text(content)
    return python


def _fingerprint() -> str:
    """What a local channel depends on: the lock, this Python, and what builds it."""
    files = [ROOT / "envs/requirements.lock", *(HERE / name for name in _BUILDER)]
    content = b"".join(path.read_bytes() for path in files) + platform.python_version().encode()
    return hashlib.sha256(content).hexdigest()[:12]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
