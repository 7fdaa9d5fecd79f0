"""Two runs side by side: claims, metrics and the tables behind figures."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from gicnn.record.manifest import FILE, load_manifest
from gicnn.record.tolerances import Verdict, same_claim, same_column, same_length, same_number

__all__ = ["VERDICTS", "Comparison", "Verdict", "bits_are_promised", "compare"]

VERDICTS: tuple[Verdict, ...] = ("identical", "within tolerance", "different")
_ABSENT = "absent"
_PROMISED = "same code, settings, versions and processor, which promise the same bits"


@dataclass(frozen=True)
class Comparison:
    """One number, claim or column of two runs.

    Attributes:
        kind: claim, metric or table.
        name: What is compared: a claim's id, a key in a file, a column of a table.
        first: What the first run has, as text.
        second: What the second run has.
        verdict: Whether they agree.
        reason: Why that counts as agreement, or why it does not.
    """

    kind: Literal["claim", "metric", "table"]
    name: str
    first: str
    second: str
    verdict: Verdict
    reason: str


def compare(first: str | Path, second: str | Path) -> list[Comparison]:
    """Compare the claims, all metrics and all figure tables of two runs.

    What only one of them has is different. Where all jobs of both had the same code, settings,
    versions and kind of processor, the same bits are promised and no tolerance applies.

    Args:
        first: A folder of results, or a record of one.
        second: Another.

    Raises:
        ValueError: A folder has no claims, or a file cannot be read.
    """
    first, second = Path(first), Path(second)
    compared = [
        *_claims(first, second),
        *_metrics(first, second),
        *_tables(first, second),
    ]
    if not bits_are_promised(first, second):
        return compared
    return [
        item
        if item.verdict != "within tolerance"
        else Comparison(
            item.kind,
            item.name,
            item.first,
            item.second,
            "different",
            f"{_PROMISED}: no tolerance",
        )
        for item in compared
    ]


def bits_are_promised(first: Path, second: Path) -> bool:
    """Whether the jobs of both runs had the same code, settings, lock, versions and processor."""
    made = [_made_under(root) for root in (first, second) if (root / FILE).is_file()]
    return len(made) == 2 and bool(made[0]) and made[0] == made[1]


def _made_under(root: Path) -> dict[str, tuple[Any, ...]]:
    """For each job what its bits follow from, its inputs aside; what describes a run is left out."""
    return {
        name: (
            job["params"],
            job["lock"],
            job["versions"],
            job["machine"]["processor"],
            job["device"],
            job["threads"],
        )
        for name, job in load_manifest(root)["jobs"].items()
        if not job["rule"].startswith("write_")
    }


def _claims(first: Path, second: Path) -> Iterator[Comparison]:
    records = [_content(root / "claims.json") for root in (first, second)]
    for key in ("recipe", "seeds"):
        shown = [str(record[key]) for record in records]
        if shown[0] != shown[1]:
            yield Comparison("claim", key, *shown, "different", "not runs of the same settings")
    one, other = ({claim["id"]: claim for claim in record["claims"]} for record in records)
    for name in {**one, **other}:
        if name not in one or name not in other:
            yield _only_once("claim", name, name in one)
            continue
        verdict, reason = same_claim(one[name], other[name])
        yield Comparison("claim", name, _said(one[name]), _said(other[name]), verdict, reason)


def _metrics(first: Path, second: Path) -> Iterator[Comparison]:
    for path in _paths("evaluation/**/metrics.json", first, second):
        absent = [root for root in (first, second) if not (root / path).is_file()]
        if absent:
            yield _only_once("metric", path, absent == [second])
            continue
        documents = [_content(root / path) for root in (first, second)]
        one, other = (dict(_leaves(document)) for document in documents)
        for key in {**one, **other}:
            if key not in one or key not in other:
                yield _only_once("metric", f"{path}: {key}", key in one)
            elif not key.startswith("intervals."):
                verdict, reason = same_number(key, one, other)
                name = f"{path}: {key}"
                yield Comparison("metric", name, str(one[key]), str(other[key]), verdict, reason)


def _tables(first: Path, second: Path) -> Iterator[Comparison]:
    for path in _paths("figures/*.parquet", first, second):
        absent = [root for root in (first, second) if not (root / path).is_file()]
        if absent:
            yield _only_once("table", path, absent == [second])
            continue
        one, other = (pd.read_parquet(root / path) for root in (first, second))
        rows = f"{len(one)} rows", f"{len(other)} rows"
        yield Comparison("table", path, *rows, *same_length(len(one), len(other)))
        for column in {**one, **other}:
            name = f"{path}: {column}"
            if column not in one or column not in other:
                yield _only_once("table", name, column in one)
                continue
            verdict, reason, shown = same_column(one[column], other[column])
            yield Comparison("table", name, *shown, verdict, reason)


def _paths(pattern: str, first: Path, second: Path) -> list[str]:
    return sorted(
        {p.relative_to(root).as_posix() for root in (first, second) for p in root.glob(pattern)}
    )


def _only_once(kind: Literal["claim", "metric", "table"], name: str, in_first: bool) -> Comparison:
    shown = ("present", _ABSENT) if in_first else (_ABSENT, "present")
    which = "first" if in_first else "second"
    return Comparison(kind, name, *shown, "different", f"only the {which} run has it")


def _said(claim: dict[str, Any]) -> str:
    numbers = [m["measured"] for m in claim["measurements"] if m["measured"] is not None]
    return " ".join([claim["status"], *(f"{number:.4g}" for number in numbers)])


def _leaves(document: object, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _leaves(value, f"{prefix}.{key}" if prefix else str(key))
    else:
        yield prefix, document


def _content(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read {path}: {error}; name a folder of results") from error
