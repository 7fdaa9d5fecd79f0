"""What a run read that is no file of it: the checkout, its lock, and files from elsewhere."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from gicnn.provenance import file_digest
from gicnn.record.hanging import LOCK
from gicnn.record.manifest import Manifest, jobs_by_lock

__all__ = ["changed_outside"]

_Found = tuple[Literal["input changed"], str, str]


def changed_outside(manifest: Manifest, repository: Path) -> Iterator[_Found]:
    """Kind, path and detail of each input that is not the one that the jobs read.

    Args:
        manifest: Of the run.
        repository: The checkout; a file from elsewhere is looked for where it lay.
    """
    yield from _changed_lock(manifest, repository)
    yield from _changed_inputs(manifest, repository)


def _changed_lock(manifest: Manifest, repository: Path) -> Iterator[_Found]:
    """Jobs that ran with other versions than the checkout asks for."""
    lock = repository / LOCK
    now = file_digest(lock) if lock.is_file() else None
    for digest, names in jobs_by_lock(manifest).items():
        if now is None:
            yield "input changed", LOCK, "gone from the checkout"
        elif digest != now:
            detail = f"{len(names)} jobs like {names[0]} ran under another lock; run them again"
            yield "input changed", LOCK, detail


def _changed_inputs(manifest: Manifest, repository: Path) -> Iterator[_Found]:
    seen = {
        (item["path"], item["sha256"]): name
        for name, job in manifest["jobs"].items()
        for item in job["inputs"]
        if item["of"] != "results"
    }
    for (path, digest), name in sorted(seen.items()):
        whole = repository / path  # one from elsewhere has its own root
        if not whole.is_file():
            yield "input changed", path, f"gone; {name} read it"
        elif file_digest(whole) != digest:
            yield "input changed", path, f"not what {name} read; run again"
