"""Whether a run's files are still those that its jobs left, and what hangs on those that are not."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gicnn.provenance import file_digest
from gicnn.record.job_records import read_records, recorded_entries
from gicnn.record.manifest import (
    FILE,
    Manifest,
    files_of_a_run,
    load_manifest,
)

__all__ = ["Finding", "Kind", "audit"]

Kind = Literal["differs", "missing", "extra", "unexplained", "input changed", "stale"]
_LEDGER = "collect_claims"
_TRACES = ("logs/", "benchmarks/")  # left beside a job's outputs


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
    hanging = _Hanging(manifest)
    found = [*_altered(root, manifest), *_unexplained(root, manifest), *_stale(manifest)]
    if repository is not None:
        found += _changed_inputs(Path(repository), manifest)
    return [
        Finding(kind, path, detail, hanging.claims(path)) for kind, path, detail in sorted(found)
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
    if file_digest(root / FILE) != _digest_of_manifest(root):
        yield "unexplained", FILE, "not as the job that wrote it left it"
    recorded = recorded_entries(read_records(root, skip_broken=True))
    for entry in manifest["files"]:
        path, record = entry["path"], recorded.get(entry["path"])
        if entry["job"] is None and not path.startswith(_TRACES):
            yield "unexplained", path, "no job left a record of having made it"
        elif record is not None and record["sha256"] != entry["sha256"]:
            yield "unexplained", path, f"{FILE} and the record of {record['job']} disagree"


def _digest_of_manifest(root: Path) -> str | None:
    path = root / "logs/write_manifest.json"
    record = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"outputs": []}
    return next((output["sha256"] for output in record["outputs"]), None)


def _stale(manifest: Manifest) -> Iterator[_Found]:
    """Outputs of jobs that read another version of a file than the one that is there."""
    current = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    outputs = defaultdict(list)
    for entry in manifest["files"]:
        outputs[entry["job"]].append(entry["path"])
    for name, job in manifest["jobs"].items():
        for item in job["inputs"]:
            path = item["path"]
            if item["of"] == "results" and current.get(path, item["sha256"]) != item["sha256"]:
                for output in outputs[name]:
                    yield "stale", output, f"made by {name} from an earlier {path}"


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


class _Hanging:
    """What follows from a file, job by job, down to the claims."""

    def __init__(self, manifest: Manifest) -> None:
        self.evidence = manifest["claims"]
        self.readers: dict[str, set[str]] = defaultdict(set)
        self.outputs: dict[str, set[str]] = defaultdict(set)
        for name, job in manifest["jobs"].items():
            for item in job["inputs"]:
                self.readers[item["path"]].add(name)
        for entry in manifest["files"]:
            if entry["job"]:
                self.outputs[entry["job"]].add(entry["path"])
        self.of_all = self.outputs[_LEDGER] | {
            item["path"]
            for item in manifest["jobs"].get(_LEDGER, {"inputs": []})["inputs"]
            if item["of"] == "repository"
        }

    def claims(self, path: str) -> tuple[str, ...]:
        if path in self.of_all:
            return tuple(sorted(self.evidence))
        reached = self._downstream(path)
        return tuple(sorted(id for id, files in self.evidence.items() if reached & {*files}))

    def _downstream(self, path: str) -> set[str]:
        reached, waiting = {path}, [path]
        while waiting:
            for made in self._made_from(waiting.pop()) - reached:
                reached.add(made)
                waiting.append(made)
        return reached

    def _made_from(self, path: str) -> set[str]:
        return _union(self.outputs[name] for name in self.readers[path])


def _union(sets: Iterable[set[str]]) -> set[str]:
    return set().union(*sets)
