"""The files of a run: all below its folder, but for those that are no part of it."""

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

__all__ = ["MANIFEST", "files_of_a_run", "matching", "set_apart"]

MANIFEST = "manifest.json"
# Neither results nor evidence: what the repository keeps there, trainings under way, and what is
# written after the manifest (the traces of the job that writes it).
_APART = {"README.md", MANIFEST, "logs/write_manifest.log", "logs/write_manifest.json"}
_APART |= {"benchmarks/write_manifest.tsv"}
_FOLDERS_APART = ("reference/", "checkpoints/")


def files_of_a_run(root: str | Path) -> list[str]:
    """Path of each file that a manifest has to name, from ``root``, sorted."""
    names = (path.relative_to(root).as_posix() for path in _walk(Path(root)))
    kept = (name for name in names if name not in _APART)
    return sorted(name for name in kept if not name.startswith(_FOLDERS_APART))


def matching(root: str | Path, patterns: Iterable[str]) -> list[str]:
    """Path of each file of a run that fits a pattern; ** stands for any folders, or none."""
    known = {form for pattern in patterns for form in (pattern, pattern.replace("/**/", "/"))}
    return [name for name in files_of_a_run(root) if any(fnmatchcase(name, p) for p in known)]


def set_apart(root: str | Path) -> list[str]:
    """What lies there and no manifest names, since it is no part of a run."""
    names = ["README.md", *(folder.rstrip("/") for folder in _FOLDERS_APART)]
    return [name for name in names if (Path(root) / name).exists()]


def _walk(root: Path) -> Iterator[Path]:
    """All files, also behind links that lead elsewhere; of another link to a folder the link itself."""
    top, walked = root.resolve(), set()
    for folder, inner, files in os.walk(root, followlinks=True):
        yield from (Path(folder, file) for file in files)
        for name in sorted(inner):
            path, whole = Path(folder, name), Path(folder, name).resolve()
            if path.is_symlink() and (whole in walked or _overlap(whole, top)):
                inner.remove(name)
                yield path
            walked.add(whole)


def _overlap(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)
