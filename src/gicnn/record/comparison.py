"""Two runs side by side: claims, metrics and the tables behind figures."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from gicnn.record.job_records import read_json
from gicnn.record.manifest import FILE, load_manifest
from gicnn.record.tolerances import Verdict, same_claim, same_column, same_length, same_number

__all__ = ["VERDICTS", "Comparison", "Verdict", "bits_are_promised", "compare"]

Kind = Literal["claim", "metric", "table"]
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

    kind: Kind
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
        *_each("metric", *_files("evaluation/**/metrics.json", first, second), _metrics),
        *_each("table", *_files("figures/*.parquet", first, second), _table),
    ]
    if not bits_are_promised(first, second):
        return compared
    strict = {"verdict": "different", "reason": f"{_PROMISED}: no tolerance"}
    return [
        replace(item, **strict) if item.verdict == "within tolerance" else item
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
    records = [read_json(root / "claims.json") for root in (first, second)]
    for key in ("recipe", "seeds"):
        shown = [str(record[key]) for record in records]
        if shown[0] != shown[1]:
            yield Comparison("claim", key, *shown, "different", "not runs of the same settings")
    by_id = ({claim["id"]: claim for claim in record["claims"]} for record in records)
    yield from _each("claim", *by_id, _claim)


def _claim(name: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[Comparison]:
    yield Comparison("claim", name, _said(one), _said(other), *same_claim(one, other))


def _metrics(name: str, one: Path, other: Path) -> Iterator[Comparison]:
    numbers = [dict(_leaves(read_json(path))) for path in (one, other)]

    def number(key: str, a: object, b: object) -> Iterator[Comparison]:
        if not key.startswith("intervals."):  # these are what other numbers are judged by
            verdict = same_number(key, *numbers)
            yield Comparison("metric", f"{name}: {key}", str(a), str(b), *verdict)

    yield from _each("metric", *numbers, number, prefix=f"{name}: ")


def _table(name: str, one: Path, other: Path) -> Iterator[Comparison]:
    tables = [pd.read_parquet(path) for path in (one, other)]
    lengths = [len(table) for table in tables]
    rows = (f"{length} rows" for length in lengths)
    yield Comparison("table", name, *rows, *same_length(*lengths))

    def column(key: str, a: pd.Series, b: pd.Series) -> Iterator[Comparison]:
        verdict, reason, shown = same_column(a, b)
        yield Comparison("table", f"{name}: {key}", *shown, verdict, reason)

    yield from _each("table", *(dict(table.items()) for table in tables), column, f"{name}: ")


def _files(pattern: str, *roots: Path) -> Iterator[dict[str, Path]]:
    """For each run its files of this pattern, by their path below its root."""
    for root in roots:
        yield {path.relative_to(root).as_posix(): path for path in sorted(root.glob(pattern))}


def _each(
    kind: Kind,
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    compare_pair: Callable[[str, Any, Any], Iterator[Comparison]],
    prefix: str = "",
) -> Iterator[Comparison]:
    """Compare what both runs have; what only one of them has is different."""
    for name in {**one, **other}:
        if name in one and name in other:
            yield from compare_pair(name, one[name], other[name])
        else:
            yield _only_once(kind, prefix + name, name in one)


def _only_once(kind: Kind, name: str, in_first: bool) -> Comparison:
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
