"""The records that jobs leave beside their logs, read back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from gicnn.record.documents import read_document

__all__ = ["JOB", "Entry", "read_record", "read_records", "recorded_entries"]

_FILE = {
    "type": "object",
    "required": ["of", "path", "sha256", "size"],
    "properties": {
        "of": {"enum": ["results", "repository", "elsewhere"]},
        "path": {"type": "string"},
        "sha256": {"type": "string"},
        "size": {"type": "integer"},
    },
}
# What other modules rely on; a record holds more.
_MACHINE = {
    "type": "object",
    "required": ["processor"],
    "properties": {"processor": {"type": "string"}},
}
_JOB = {
    "rule": {"type": "string"},
    "started": {"type": "string"},
    "inputs": {"type": "array", "items": _FILE},
    "params": {"type": "object"},
    "commit": {"type": ["string", "null"]},
    "changed": {"type": ["array", "null"], "items": {"type": "string"}},
    "lock": {"type": ["string", "null"]},
    "versions": {"type": "object"},
    "machine": _MACHINE,
    "device": {"type": "string"},
    "threads": {"type": "integer"},
    "startup": {"type": "number"},
    "seconds": {"type": "number"},
    "peak_memory_mb": {"type": "number"},
}
JOB = {"type": "object", "required": list(_JOB), "properties": _JOB}
_OUTPUTS = {"outputs": {"type": "array", "items": _FILE}}
_RECORD = {"type": "object", "required": [*_JOB, "outputs"], "properties": _JOB | _OUTPUTS}


class Entry(TypedDict):
    """One file, as the job that made it left it; ``job`` is None for logs and the like."""

    path: str
    sha256: str
    size: int
    job: str | None


def read_records(root: str | Path, skip_broken: bool = False) -> dict[str, dict[str, Any]]:
    """Each job's record by the path of its log, without jobs whose outputs are gone.

    Where two jobs have made the same files, the later one counts.

    Args:
        root: The folder of results.
        skip_broken: Leave out records that cannot be read.

    Raises:
        ValueError: A record cannot be read.
    """
    logs = Path(root) / "logs"
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(logs.rglob("*.json")):
        name = path.relative_to(logs).with_suffix("").as_posix()
        try:
            record = read_record(path)
        except ValueError:
            if not skip_broken:
                raise
            continue
        outputs = [item["path"] for item in record["outputs"] if item["of"] == "results"]
        if name != "write_manifest" and all((Path(root) / path).is_file() for path in outputs):
            found[name] = record
    return _latest(found)


def recorded_entries(records: Mapping[str, dict[str, Any]]) -> dict[str, Entry]:
    """Each file that the jobs have made, by its path, as they left it."""
    return {
        output["path"]: Entry(
            path=output["path"], sha256=output["sha256"], size=output["size"], job=name
        )
        for name, record in sorted(records.items(), key=lambda item: item[1]["started"])
        for output in record["outputs"]
        if output["of"] == "results"
    }


def read_record(path: Path) -> dict[str, Any]:
    """The record of one job.

    Raises:
        ValueError: It is none.
    """
    return read_document(path, _RECORD)


def _latest(records: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Without jobs whose outputs a later job has made again, under another name."""
    makers: dict[str, str] = {}
    for name, record in sorted(records.items(), key=lambda item: item[1]["started"]):
        makers |= {output["path"]: name for output in record["outputs"]}
    return {name: record for name, record in records.items() if name in makers.values()}
