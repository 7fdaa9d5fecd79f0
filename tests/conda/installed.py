"""Packages that pip has installed: what they depend on, and which files are theirs."""

import os
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_LEFT_OUT = {"RECORD", "REQUESTED", "INSTALLER", "direct_url.json"}
_TEXT = 100_000
"""Larger files than this are searched for no folder's name."""


def find_packages(prefix: Path) -> dict[str, Distribution]:
    """The packages of a virtual environment, by name."""
    sites = [str(site) for site in prefix.glob("lib/python3*/site-packages")]
    return {
        canonicalize_name(found.metadata["Name"]): found for found in distributions(path=sites)
    }


def closure(names: Iterable[str], packages: dict[str, Distribution]) -> dict[str, list[str]]:
    """All packages that some need, each with those that it depends on directly.

    Raises:
        KeyError: One of them is not installed; it is named.
    """
    found: dict[str, list[str]] = {}
    extras: dict[str, set[str]] = {}
    waiting = [Requirement(name) for name in names]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        asked = extras.setdefault(name, set())
        if name in found and wanted.extras <= asked:
            continue
        asked |= wanted.extras
        needed = list(_requirements(packages[name], asked))
        found[name] = sorted({canonicalize_name(entry.name) for entry in needed})
        waiting += needed
    return found


def _requirements(package: Distribution, extras: set[str]) -> Iterator[Requirement]:
    for line in package.requires or []:
        entry = Requirement(line)
        if entry.marker is None or any(
            entry.marker.evaluate({"extra": extra}) for extra in {"", *extras}
        ):
            yield entry


def files(package: Distribution, prefix: Path) -> Iterator[tuple[str, Path, bool]]:
    """The files of a package: where each goes, where it is, and whether it names that environment.

    Args:
        package: The package.
        prefix: The virtual environment that it is installed in.
    """
    for listed in package.files or []:
        source = Path(os.path.normpath(package.locate_file(listed)))
        if not source.is_file() or not source.is_relative_to(prefix) or _is_left_out(listed):
            continue
        target = source.relative_to(prefix).as_posix()
        yield target, source, _names(source, prefix)


def _is_left_out(listed: PurePosixPath) -> bool:
    return listed.name in _LEFT_OUT and listed.parent.suffix == ".dist-info"


def _names(source: Path, prefix: Path) -> bool:
    """Whether a script or setting outside the library names the environment's folder."""
    outside = source.relative_to(prefix).parts[0] in ("bin", "etc", "share")
    return (
        outside and source.stat().st_size < _TEXT and str(prefix).encode() in source.read_bytes()
    )
