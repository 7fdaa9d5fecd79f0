"""Whether a run's files are still those that its jobs left, and what hangs on those that are not."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gicnn.provenance import file_digest
from gicnn.record.hanging import Hanging
from gicnn.record.job_records import read_record, read_records, recorded_entries
from gicnn.record.manifest import FILE, Manifest, claimed, files_of_a_run, load_manifest

__all__ = ["Finding", "Kind", "audit"]

Kind = Literal["differs", "missing", "extra", "unexplained", "input changed", "stale"]
_TRACES = ("logs/", "benchmarks/")  # left beside a job's outputs
_WRITER = "logs/write_manifest.json"  # the record of the job that wrote the manifest
_LOCK = "envs/requirements.lock"


@dataclass(frozen=True)
class Finding:
    """One thing that is not as the run left it.

    Attributes:
        kind: What is wrong.
        path: The file, from the folder of results; an input from the checkout.
        detail: What was found, in words.
        claims: Ids of the claims that hang on it.
    """

    kind: Kind
    path: str
    detail: str
    claims: tuple[str, ...]


def audit(root: str | Path, repository: str | Path | None = None) -> list[Finding]:
    """Digest every file again and compare with the manifest.

    Args:
        root: The folder of results, wherever it has been moved.
        repository: The checkout that it was made in; None leaves out the inputs from there.

    Raises:
        ValueError: There is no manifest, or it cannot be read.
    """
    root = Path(root)
    manifest = load_manifest(root)
    hanging = Hanging(manifest)
    found = [*_altered(root, manifest), *_unexplained(root, manifest), *_stale(manifest)]
    found += _locks(manifest, None if repository is None else Path(repository))
    if repository is not None:
        found += _changed_inputs(Path(repository), manifest)
    return [
        Finding(kind, path, detail, hanging.claims(path))
        for kind, path, detail in sorted({*found})
    ]


_Found = tuple[Kind, str, str]


def _altered(root: Path, manifest: Manifest) -> Iterator[_Found]:
    """Files that differ, are missing, or were never made by this run."""
    expected = {entry["path"]: entry for entry in manifest["files"]}
    present = set(files_of_a_run(root))
    for path in sorted(present - expected.keys()):
        yield "extra", path, "the manifest does not name it; nothing tells what made it"
    for path in manifest["left_over"]:
        yield "extra", path, f"made by {expected[path]['job']}, for which this run has no use"
    for path, entry in expected.items():
        maker = f"made by {entry['job']}" if entry["job"] else "no result of a job"
        whole = root / path
        if path not in present or not whole.is_file():
            yield "missing", path, maker
        elif (size := whole.stat().st_size) != entry["size"]:
            yield "differs", path, f"{size} bytes, not {entry['size']}; {maker}"
        elif (digest := file_digest(whole)) != entry["sha256"]:
            yield "differs", path, f"sha256 {digest[:12]}…, not {entry['sha256'][:12]}…; {maker}"


def _unexplained(root: Path, manifest: Manifest) -> Iterator[_Found]:
    """Files that no job has recorded, or of which the manifest and the job's record disagree."""
    yield from _manifest_itself(root, manifest)
    records = read_records(root, skip_broken=True)
    recorded = recorded_entries(records)
    for entry in manifest["files"]:
        path, record = entry["path"], recorded.get(entry["path"])
        if entry["job"] is None and not path.startswith(_TRACES):
            yield "unexplained", path, "no job left a record of having made it"
        elif record is not None and record["sha256"] != entry["sha256"]:
            yield "unexplained", path, f"{FILE} and the record of {record['job']} disagree"
    for name, job in manifest["jobs"].items():
        if name in records and job != {k: v for k, v in records[name].items() if k != "outputs"}:
            yield "unexplained", FILE, f"it says other things of {name} than the job's record"


def _manifest_itself(root: Path, manifest: Manifest) -> Iterator[_Found]:
    """Whether the manifest is as the job that wrote it left it."""
    if not (root / _WRITER).is_file():
        yield "missing", _WRITER, f"the record of the job that wrote {FILE}"
        return
    try:
        record = read_record(root / _WRITER)
    except ValueError as error:
        yield "unexplained", _WRITER, str(error)
        return
    if [file_digest(root / FILE)] != [output["sha256"] for output in record["outputs"]]:
        yield "unexplained", FILE, "not as the job that wrote it left it"
    files = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    for item in record["inputs"]:
        if item["of"] == "results" and files.get(item["path"]) != item["sha256"]:
            yield "unexplained", FILE, f"its job read another {item['path']}"
    config = record.get("params", {}).get("run", {}).get("config")
    if config is not None and config != manifest["config"]:
        yield "unexplained", FILE, "its config is not that of the job that wrote it"
    if _other_claims(root, manifest):
        yield "unexplained", FILE, "its claims are not those of claims.json"


def _other_claims(root: Path, manifest: Manifest) -> bool:
    try:
        return (root / "claims.json").is_file() and manifest["claims"] != claimed(root)
    except ValueError:  # spoilt, which its digest tells
        return False


def _stale(manifest: Manifest) -> Iterator[_Found]:
    """Outputs of jobs that read another version of a file than the one that is there."""
    current = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    outputs = defaultdict(list)
    for entry in manifest["files"]:
        outputs[entry["job"]].append(entry["path"])
    for name, job in manifest["jobs"].items():
        for item in job["inputs"]:
            path = item["path"]
            if item["of"] != "results":
                continue
            if path not in current:
                yield "missing", path, f"{name} read it, and {FILE} does not name it"
            elif current[path] != item["sha256"]:
                for output in outputs[name]:
                    yield "stale", output, f"made by {name} from an earlier {path}"


def _locks(manifest: Manifest, repository: Path | None) -> Iterator[_Found]:
    """Jobs that ran with other versions than the rest, or than the checkout asks for."""
    jobs = defaultdict(list)
    for name, job in manifest["jobs"].items():
        if job.get("lock") is not None:
            jobs[job["lock"]].append(name)
    if len(jobs) > 1:
        counts = ", ".join(f"{len(names)} jobs like {names[0]}" for names in jobs.values())
        yield "stale", FILE, f"put together from runs under {len(jobs)} locks: {counts}"
    lock = repository and repository / _LOCK
    if lock and lock.is_file():
        for digest, names in jobs.items():
            if digest != file_digest(lock):
                detail = (
                    f"{len(names)} jobs like {names[0]} ran under another lock; run them again"
                )
                yield "input changed", _LOCK, detail


def _changed_inputs(repository: Path, manifest: Manifest) -> Iterator[_Found]:
    """Inputs from the checkout that are not those that the jobs read."""
    seen = {
        (item["path"], item["sha256"]): name
        for name, job in manifest["jobs"].items()
        for item in job["inputs"]
        if item["of"] == "repository"
    }
    for (path, digest), name in sorted(seen.items()):
        whole = repository / path
        if not whole.is_file():
            yield "input changed", path, f"gone from the checkout; {name} read it"
        elif file_digest(whole) != digest:
            yield "input changed", path, f"not what {name} read; run again"
