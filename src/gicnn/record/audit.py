"""Whether a run's files are still those that its jobs left, and what hangs on those that are not."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gicnn.provenance import file_digest
from gicnn.record.hanging import Hanging
from gicnn.record.job_records import read_record, read_records, recorded_entries
from gicnn.record.manifest import FILE, Manifest, claimed, jobs_by_lock, load_manifest, of_this_run
from gicnn.record.outside import changed_outside
from gicnn.record.run_files import files_of_a_run

__all__ = ["Finding", "Kind", "audit"]

Kind = Literal["differs", "missing", "extra", "unexplained", "input changed", "stale"]
_TRACES = ("logs/", "benchmarks/")  # left beside a job's outputs
_WRITER = "logs/write_manifest.json"  # the record of the job that wrote the manifest
_SNAKEFILE = "Snakefile"


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
        ValueError: There is no manifest, or it cannot be read; it is a small record; or the
            checkout is none.
    """
    root = Path(root)
    manifest = load_manifest(root)
    if not (root / "logs").is_dir():
        raise ValueError(
            f"{root} has no logs: it is the small part of a run, kept to be compared with; "
            "audit the run itself"
        )
    if repository is not None and not (Path(repository) / _SNAKEFILE).is_file():
        raise ValueError(f"{repository} has no {_SNAKEFILE}; name the checkout that the run used")
    hanging = Hanging(manifest, _evidence(root, manifest))
    ours = of_this_run(manifest)
    found = [*_altered(root, manifest), *_unexplained(root, manifest), *_stale(ours)]
    if repository is not None:
        found += changed_outside(ours, Path(repository))
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
        if not (root / f"logs/{name}.json").is_file():
            yield "missing", f"logs/{name}.json", "the record of a job"
        if name in records and job != {k: v for k, v in records[name].items() if k != "outputs"}:
            yield "unexplained", FILE, f"the job {name} is entered otherwise than in its record"


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
            detail = f"write_manifest read another {item['path']} than is entered"
            yield "unexplained", FILE, detail
    run = record["params"].get("run")
    if isinstance(run, dict) and run.get("config") != manifest["config"]:
        yield "unexplained", FILE, "its config is not that of the job that wrote it"
    if _other_claims(root, manifest):
        yield "unexplained", FILE, "its claims are not those of claims.json"


def _evidence(root: Path, manifest: Manifest) -> dict[str, list[str]]:
    """What claims rest on, as far as that can be read."""
    try:
        return manifest["claims"] | claimed(root)
    except ValueError:  # spoilt, which its digest tells
        return manifest["claims"]


def _other_claims(root: Path, manifest: Manifest) -> bool:
    try:
        return (root / "claims.json").is_file() and manifest["claims"] != claimed(root)
    except ValueError:
        return False


def _stale(manifest: Manifest) -> Iterator[_Found]:
    """Outputs of jobs that read another version of a file, or ran with other versions than most."""
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
    locks = jobs_by_lock(manifest)
    if len(locks) > 1:
        counts = ", ".join(f"{len(names)} jobs like {names[0]}" for names in locks.values())
        yield "stale", FILE, f"put together from runs under {len(locks)} locks: {counts}"
