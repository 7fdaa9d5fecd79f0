"""A local conda channel of what the environments name: this Python, and what pip has installed.

Usage: channel.py CHANNEL VENV, by the Python of the tools. It goes on where it was stopped.
"""

import asyncio
import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution
from pathlib import Path

import yaml
from archive import Entry, write_package
from installed import closure, files, find_packages
from interpreter import interpreter_files, interpreter_links, python_version
from names import conda_name, locked_name
from rattler import Platform
from rattler.index import index_fs

ENVIRONMENTS = Path(__file__).resolve().parents[2] / "envs"
_LONG_AGO = 1_700_000_000_000
"""Milliseconds; packages must have a time, and it must not differ from build to build."""


def build(channel: Path, venv: Path) -> None:
    """Write every package that is not there yet, then the channel's index."""
    folder = channel / str(Platform.current())
    for needed in (folder, channel / "noarch"):
        needed.mkdir(parents=True, exist_ok=True)
    for rest in channel.glob("partial-*"):
        shutil.rmtree(rest)
    wanted = {f"{stem}.conda": recipe for stem, recipe in _recipes(venv)}
    for file, (index, entries) in wanted.items():
        if not (folder / file).exists():
            path = write_package(folder, index, entries())
            print(f"{path.name} {path.stat().st_size / 1e6:.1f} MB", flush=True)
    if _indexed(folder) != {path.name for path in folder.glob("*.conda")}:
        asyncio.run(index_fs(channel, force=True))
    print(f"{len(wanted)} packages in {channel}")


def _recipes(venv: Path) -> Iterator[tuple]:
    yield _recipe("python", platform.python_version(), [], _interpreter)
    packages = find_packages(venv)
    # pip is not locked: the tools have the one that the environments name.
    places = dict.fromkeys(packages, venv) | {"pip": Path(sys.prefix)}
    packages["pip"] = find_packages(Path(sys.prefix))["pip"]
    # What is named and not installed is missed, by name, when an environment is made.
    named = [name for name in _named() if name in packages]
    for name, needed in sorted(closure(named, packages).items()):
        package = packages[name]
        depends = [f"python {python_version()}.*", *map(conda_name, needed)]
        yield _recipe(
            conda_name(name),
            package.version,
            depends,
            lambda package=package, place=places[name]: _installed(package, place),
        )


def _recipe(
    name: str, version: str, depends: list[str], entries: Callable[[], Iterator[Entry]]
) -> tuple:
    index = {
        "name": name,
        "version": version.replace("-", "_"),
        "build": "py_0",
        "build_number": 0,
        "depends": depends,
        "subdir": str(Platform.current()),
        "timestamp": _LONG_AGO,
    }
    return "{name}-{version}-{build}".format(**index), (index, entries)


def _interpreter() -> Iterator[Entry]:
    yield from (Entry(target, source) for target, source in interpreter_files())
    yield from (Entry(target, link=link) for target, link in interpreter_links())


def _installed(package: Distribution, prefix: Path) -> Iterator[Entry]:
    for target, source, names_prefix in files(package, prefix):
        yield Entry(target, source, placeholder=str(prefix) if names_prefix else None)


def _named() -> list[str]:
    """All packages that environments name, as the lock calls them."""
    contents = [yaml.safe_load(path.read_text()) for path in sorted(ENVIRONMENTS.glob("*.yaml"))]
    entries = {
        entry.partition("=")[0] for content in contents for entry in content["dependencies"]
    }
    return sorted(locked_name(name) for name in entries - {"python"})


def _indexed(folder: Path) -> set[str]:
    """The packages that the channel's index tells of; none where it is cut off."""
    try:
        index = json.loads((folder / "repodata.json").read_text())
    except (OSError, ValueError):
        return set()
    return set(index["packages.conda"])


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
    sys.stdout.flush()
    os._exit(0)  # threads of py-rattler may crash an interpreter that ends around them
