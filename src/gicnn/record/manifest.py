"""What made each file of a run: the jobs' own records, put together."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from gicnn.provenance import file_digest

__all__ = [
    "FILE",
    "Entry",
    "Manifest",
    "build_manifest",
    "files_of_a_run",
    "load_manifest",
    "read_records",
    "recorded_entries",
]

FILE = "manifest.json"
# Neither results nor evidence: what the repository keeps there, trainings under way, and what is
# written after the manifest (the traces of the job that writes it).
_APART = {"README.md", FILE, "logs/write_manifest.log", "logs/write_manifest.json"}
_APART |= {"benchmarks/write_manifest.tsv"}
_FOLDERS_APART = ("reference/", "checkpoints/")


class Entry(TypedDict):
    """One file, as the job that made it left it; ``job`` is None for logs and the like."""

    path: str
    sha256: str
    size: int
    job: str | None


class Manifest(TypedDict):
    """Everything that manifest.json holds.

    ``jobs`` has each job's record by its name: rule, wildcards, inputs with digests, parameters
    (among them the digest of its code), commit, lock, versions, machine, device, threads, seconds
    and peak memory. ``claims`` has the files that each claim rests on.
    """

    recipe: str
    seeds: list[int]
    config: dict[str, Any]
    files: list[Entry]
    jobs: dict[str, dict[str, Any]]
    claims: dict[str, list[str]]


def build_manifest(root: str | Path, config: Mapping[str, Any]) -> Manifest:
    """Put the records of all jobs together with what else lies there.

    A file that a job made is entered as that job left it, whatever has become of it since: what
    was changed afterwards is for :func:`gicnn.record.audit.audit` to find. Other files, such as
    logs, are digested now.

    Args:
        root: The folder of results.
        config: All settings of the run, ``recipe`` and ``seeds`` among them.

    Raises:
        ValueError: A record cannot be read.
    """
    root = Path(root)
    records = read_records(root)
    made = recorded_entries(records)
    present = (path for path in files_of_a_run(root) if (root / path).is_file())
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
        claims=_claims(root),
    )


def load_manifest(root: str | Path) -> Manifest:
    """Read a folder's manifest.

    Raises:
        ValueError: There is none, or it cannot be read.
    """
    path = Path(root) / FILE
    if not path.is_file():
        raise ValueError(f"{path} is not there; the workflow writes it at the end of a run")
    manifest = _content(path)
    lacking = Manifest.__annotations__.keys() - manifest.keys()
    if lacking:
        raise ValueError(f"{path} lacks {', '.join(sorted(lacking))}; it is no manifest of a run")
    return manifest


def files_of_a_run(root: str | Path) -> list[str]:
    """Path of each file that a manifest has to name, from ``root``, sorted."""
    names = (
        (Path(folder) / file).relative_to(root).as_posix()
        for folder, _, files in os.walk(root, followlinks=True)
        for file in files
    )
    kept = (name for name in names if name not in _APART)
    return sorted(name for name in kept if not name.startswith(_FOLDERS_APART))


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
            record = _content(path)
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


def _latest(records: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Without jobs whose outputs a later job has made again, under another name."""
    makers: dict[str, str] = {}
    for name, record in sorted(records.items(), key=lambda item: item[1]["started"]):
        makers |= {output["path"]: name for output in record["outputs"]}
    return {name: record for name, record in records.items() if name in makers.values()}


def _claims(root: Path) -> dict[str, list[str]]:
    path = root / "claims.json"
    if not path.is_file():
        return {}
    return {
        claim["id"]: sorted({*claim["files"], *claim["figures"], *claim["tables"]})
        for claim in _content(path)["claims"]
    }


def _digested(root: Path, path: str) -> Entry:
    whole = root / path
    return Entry(path=path, sha256=file_digest(whole), size=whole.stat().st_size, job=None)


def _content(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON ({error}); delete it and run again") from error
