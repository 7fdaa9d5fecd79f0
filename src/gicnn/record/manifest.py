"""What made each file of a run: the jobs' own records, put together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict

from gicnn.provenance import file_digest
from gicnn.record.claims_file import load_record
from gicnn.record.documents import read_document
from gicnn.record.job_records import JOB, Entry, read_records, recorded_entries
from gicnn.record.run_files import MANIFEST as FILE
from gicnn.record.run_files import files_of_a_run

__all__ = [
    "FILE",
    "Manifest",
    "build_manifest",
    "claimed",
    "jobs_by_lock",
    "load_manifest",
    "of_this_run",
]

_ENTRY = {
    "type": "object",
    "required": ["path", "sha256", "size", "job"],
    "properties": {
        "path": {"type": "string"},
        "sha256": {"type": "string"},
        "size": {"type": "integer"},
        "job": {"type": ["string", "null"]},
    },
}
_STRINGS = {"type": "array", "items": {"type": "string"}}
_MANIFEST = {
    "type": "object",
    "required": ["recipe", "seeds", "config", "files", "jobs", "claims", "left_over"],
    "properties": {
        "recipe": {"type": "string"},
        "seeds": {"type": "array", "items": {"type": "integer"}},
        "files": {"type": "array", "items": _ENTRY},
        "jobs": {"type": "object", "additionalProperties": JOB},
        "claims": {"type": "object", "additionalProperties": _STRINGS},
        "left_over": _STRINGS,
        "config": {"type": "object"},
    },
}


class Manifest(TypedDict):
    """Everything that manifest.json holds.

    ``jobs`` has each job's record by its name: rule, wildcards, inputs with digests, parameters
    (among them the digest of its code), commit, lock, versions, machine, device, threads, seconds
    and peak memory. ``claims`` has the files that each claim rests on. ``left_over`` are files that
    a job made for which this run has no use, such as those of a seed that it no longer has.
    """

    recipe: str
    seeds: list[int]
    config: dict[str, Any]
    files: list[Entry]
    jobs: dict[str, dict[str, Any]]
    claims: dict[str, list[str]]
    left_over: list[str]


def build_manifest(
    root: str | Path, config: Mapping[str, Any], wanted: Iterable[str] | None = None
) -> Manifest:
    """Put the records of all jobs together with what else lies there.

    A file that a job made is entered as that job left it, whatever has become of it since: what
    was changed afterwards is for :func:`gicnn.record.audit.audit` to find. Other files, such as
    logs, are digested now.

    Args:
        root: The folder of results.
        config: All settings of the run, ``recipe`` and ``seeds`` among them.
        wanted: The files that the run is for, as seen from here like ``root``; all if None.

    Raises:
        ValueError: A record cannot be read.
    """
    root = Path(root)
    records = read_records(root)
    made = recorded_entries(records)
    present = [path for path in files_of_a_run(root) if (root / path).is_file()]
    goals = made if wanted is None else _below(root, wanted)
    needed = _needed(records, made, goals)
    entries = [made.get(path) or _digested(root, path) for path in present]
    return Manifest(
        recipe=config["recipe"],
        seeds=list(config["seeds"]),
        config=dict(config),
        files=entries,
        jobs={
            name: {key: value for key, value in record.items() if key != "outputs"}
            for name, record in sorted(records.items())
        },
        claims=claimed(root),
        left_over=[path for path in present if path in made and made[path]["job"] not in needed],
    )


def of_this_run(manifest: Manifest) -> Manifest:
    """The manifest without left-over files and the jobs that made nothing else."""
    left_over = {*manifest["left_over"]}
    files = [entry for entry in manifest["files"] if entry["path"] not in left_over]
    makers = {entry["job"] for entry in files}
    jobs = {name: job for name, job in manifest["jobs"].items() if name in makers}
    return Manifest(**manifest | {"files": files, "jobs": jobs, "left_over": []})


def load_manifest(root: str | Path) -> Manifest:
    """Read a folder's manifest.

    Raises:
        ValueError: There is none, or it cannot be read.
    """
    path = Path(root) / FILE
    if not path.is_file():
        raise ValueError(f"{path} is not there; the workflow writes it at the end of a run")
    manifest = read_document(path, _MANIFEST)
    strange = {*manifest["left_over"]} - {entry["path"] for entry in manifest["files"]}
    if strange:
        raise ValueError(f"{path} calls {', '.join(sorted(strange))} left over, but no file of it")
    return manifest


def jobs_by_lock(manifest: Manifest) -> dict[str, list[str]]:
    """Names of the jobs that ran under each lock; those without one are left out."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, job in manifest["jobs"].items():
        if job["lock"] is not None:
            found[job["lock"]].append(name)
    return found


def _below(root: Path, paths: Iterable[str]) -> list[str]:
    inside = (Path(path) for path in paths if Path(path).is_relative_to(root))
    return [path.relative_to(root).as_posix() for path in inside]


def _needed(
    records: Mapping[str, dict[str, Any]], made: Mapping[str, Entry], wanted: Iterable[str]
) -> set[str]:
    """The jobs that made these files, those that made what they read, and so on."""
    needed: set[str] = set()
    waiting = [path for path in wanted if path in made]
    while waiting:
        job = made[waiting.pop()]["job"]
        if job is not None and job not in needed:
            needed.add(job)
            read = (item["path"] for item in records[job]["inputs"] if item["of"] == "results")
            waiting.extend(path for path in read if path in made)
    return needed


def claimed(root: str | Path) -> dict[str, list[str]]:
    """The files that each claim of a run rests on, by its id; none where there are no claims."""
    path = Path(root) / "claims.json"
    if not path.is_file():
        return {}
    return {
        claim["id"]: sorted({*claim["files"], *claim["figures"], *claim["tables"]})
        for claim in load_record(path)["claims"]
    }


def _digested(root: Path, path: str) -> Entry:
    whole = root / path
    return Entry(path=path, sha256=file_digest(whole), size=whole.stat().st_size, job=None)
