"""Which claims hang on a file."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain

from gicnn.record.manifest import Manifest

__all__ = ["LOCK", "Hanging"]

LOCK = "envs/requirements.lock"
_LEDGER = "collect_claims"
_RECORDS = "results/"  # of other runs, for what is said of other choices


class Hanging:
    """What follows from a file of a run, job by job, down to the claims."""

    def __init__(self, manifest: Manifest, evidence: Mapping[str, list[str]]) -> None:
        """Take what is said of the jobs, and the files that each claim rests on."""
        self.evidence = evidence
        self.readers: dict[str, set[str]] = defaultdict(set)
        self.outputs: dict[str, set[str]] = defaultdict(set)
        for name, job in manifest["jobs"].items():
            for item in job["inputs"]:
                self.readers[item["path"]].add(name)
        for entry in manifest["files"]:
            if entry["job"]:
                self.outputs[entry["job"]].add(entry["path"])
        ledger = manifest["jobs"].get(_LEDGER, {"inputs": []})["inputs"]
        self.behind_all = (
            {LOCK}
            | self.outputs[_LEDGER]
            | {
                item["path"]
                for item in ledger
                if item["of"] == "repository" and not item["path"].startswith(_RECORDS)
            }
        )

    def claims(self, path: str) -> tuple[str, ...]:
        """Ids of the claims that hang on a file, sorted."""
        if path in self.behind_all:
            return tuple(sorted(self.evidence))
        job = path.removeprefix("logs/").removesuffix(".json")
        if path == f"logs/{job}.json" and job in self.outputs:  # the record of what made these
            return tuple(sorted({*chain(*map(self.claims, self.outputs[job]))}))
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
