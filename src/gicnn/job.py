"""The record that each job leaves beside its log: what it read, wrote, ran on and took.

Standard library only, since every script begins with it.
"""

import atexit
import logging
import os
import sys
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from gicnn import circumstances
from gicnn.files import write_json
from gicnn.interruption import was_interrupted
from gicnn.log import log_to
from gicnn.provenance import file_digest

__all__ = ["Job", "begin", "describe_files", "record_path"]


@runtime_checkable
class Job(Protocol):
    """What a workflow tells a script about its job."""

    rule: str
    wildcards: Any
    input: Any
    output: Any
    params: Any
    log: Any
    threads: int


def begin(job: Job) -> None:
    """Log to the job's log file, and on a good end leave the record of the job beside it.

    ``startup`` in it are the seconds before this call: Python, and what the script imports.
    Inputs are digested now, as the script finds them, and outputs once it is done. A job that
    crashes or is killed leaves no record, and none of an earlier one.
    """
    log_to(job.log[0])
    path = record_path(job.log[0])
    path.unlink(missing_ok=True)
    facts = {
        "rule": job.rule,
        "wildcards": dict(job.wildcards.items()),
        "inputs": describe_files(job.input, job.log[0]),
        "params": dict(job.params.items()),
        "threads": job.threads,
        "startup": round(circumstances.age(), 1),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        **circumstances.describe(),
    }
    atexit.register(_finish, path, facts, [*job.output], job.log[0], time.monotonic())


def record_path(log: str | Path) -> Path:
    """Where the record of the job with this log lies."""
    return Path(log).with_suffix(".json")


def describe_files(paths: Iterable[str], log: str) -> list[dict[str, Any]]:
    """Path, digest and size of each file, in the order given.

    ``of`` says what a path starts from: "results" is the folder that holds the log, whatever its
    name; "repository" the checkout, the records that it keeps among its results too; "elsewhere"
    neither.
    """
    return [
        {**_place(path, log), "sha256": file_digest(path), "size": Path(path).stat().st_size}
        for path in paths
    ]


def _finish(
    path: Path, facts: Mapping[str, Any], outputs: list[str], log: str, start: float
) -> None:
    crashed = getattr(sys, "last_value", None) is not None or was_interrupted()
    if crashed or not all(Path(output).is_file() for output in outputs):
        return
    try:
        _write(path, facts, outputs, log, time.monotonic() - start)
    except Exception:  # at exit an error would be printed, and the job count as done
        logging.getLogger("gicnn").exception("no record of the job could be written to %s", path)
        os._exit(1)


def _write(
    path: Path, facts: Mapping[str, Any], outputs: list[str], log: str, seconds: float
) -> None:
    cost = {
        "seconds": round(seconds, 1),
        "peak_memory_mb": circumstances.peak_memory_mb(),
        "device": circumstances.device(),
    }
    write_json(path, facts | cost | {"outputs": describe_files(outputs, log)})


def _place(path: str, log: str) -> dict[str, str]:
    """A path that still holds when the results or the checkout move."""
    results = Path(os.path.normpath(log)).parts[0]
    inside = Path(os.path.normpath(path))
    if inside.is_relative_to(circumstances.CHECKOUT):
        place = inside.relative_to(circumstances.CHECKOUT)
        return {"of": "repository", "path": place.as_posix()}
    whole = Path(os.path.normpath(Path.cwd() / path))
    kept = whole.is_relative_to(circumstances.REPOSITORY / "results/reference")
    if inside.parts[0] == results and not kept:
        return {"of": "results", "path": inside.relative_to(results).as_posix()}
    if whole.is_relative_to(circumstances.REPOSITORY):
        place = whole.relative_to(circumstances.REPOSITORY)
        return {"of": "repository", "path": place.as_posix()}
    return {"of": "elsewhere", "path": whole.as_posix()}
