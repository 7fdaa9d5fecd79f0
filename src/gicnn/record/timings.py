"""Where a run's time went, and how its rules hang together, from the jobs' records."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

__all__ = ["RuleCost", "costs_by_rule", "elapsed", "rule_edges"]

Jobs = Mapping[str, Mapping[str, Any]]


class RuleCost(TypedDict):
    """What the jobs of one rule took: times in seconds, memory in MB.

    ``startup`` went by before the jobs began, and is no part of ``seconds``.
    """

    rule: str
    jobs: int
    startup: float
    seconds: float
    share: float
    longest: float
    peak_memory_mb: int


def costs_by_rule(jobs: Jobs) -> list[RuleCost]:
    """Sum the jobs' times up by rule, the dearest first.

    Example:
        >>> jobs = {"a": {"rule": "fit", "startup": 1.0, "seconds": 3.0, "peak_memory_mb": 9}}
        >>> costs_by_rule(jobs | {"b": jobs["a"] | {"seconds": 1.0}})[0]["longest"]
        3.0
    """
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for job in jobs.values():
        groups[job["rule"]].append(job)
    total = sum(job["seconds"] for job in jobs.values()) or 1.0
    costs = [
        RuleCost(
            rule=rule,
            jobs=len(group),
            startup=sum(job.get("startup", 0.0) for job in group),
            seconds=sum(job["seconds"] for job in group),
            share=sum(job["seconds"] for job in group) / total,
            longest=max(job["seconds"] for job in group),
            peak_memory_mb=max(job["peak_memory_mb"] for job in group),
        )
        for rule, group in groups.items()
    ]
    return sorted(costs, key=lambda cost: (-cost["seconds"], cost["rule"]))


def elapsed(jobs: Jobs) -> float:
    """Seconds from the start of the first job to the end of the last, idle times included."""
    starts = [datetime.fromisoformat(job["started"]).timestamp() for job in jobs.values()]
    ends = (start + job["seconds"] for start, job in zip(starts, jobs.values(), strict=True))
    return max(ends, default=0.0) - min(starts, default=0.0)


def rule_edges(jobs: Jobs, makers: Mapping[str, str]) -> dict[str, set[str]]:
    """For each rule the rules whose files its jobs read.

    Args:
        jobs: Records by name.
        makers: Name of the job that made a file, by path.
    """
    edges: dict[str, set[str]] = {job["rule"]: set() for job in jobs.values()}
    for job in jobs.values():
        for item in job["inputs"]:
            if item["path"] in makers:
                edges[job["rule"]].add(jobs[makers[item["path"]]]["rule"])
        edges[job["rule"]].discard(job["rule"])
    return edges
