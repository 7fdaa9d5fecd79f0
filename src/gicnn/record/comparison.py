"""Two runs side by side: claims, metrics, certificates and the tables behind figures."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import pandas as pd

from gicnn.record.claims import load_record
from gicnn.record.job_records import read_json
from gicnn.record.promise import other_processors, promise
from gicnn.record.tolerances import (
    HARDLY_TRAINED,
    TRAINED,
    Tolerance,
    Verdict,
    same_claim,
    same_column,
    same_length,
    same_number,
)

__all__ = ["KINDS", "VERDICTS", "Comparison", "Verdict", "compare"]

Kind = Literal["claim", "metric", "certificate", "table"]
KINDS: tuple[Kind, ...] = get_args(Kind)
VERDICTS: tuple[Verdict, ...] = ("identical", "within tolerance", "different")
_ABSENT = "absent"


@dataclass(frozen=True)
class Comparison:
    """One number, claim or column of two runs.

    Attributes:
        kind: claim, metric, certificate or table.
        name: What is compared: a claim's id, a key in a file, a check, a column of a table.
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
    versions and kind of processor, the same bits are promised and no tolerance applies. Runs of a
    recipe that no claim is meant for are hardly trained; on another kind of processor their
    trained numbers agree by their order of magnitude only.

    Args:
        first: A folder of results, or a record of one.
        second: Another.

    Raises:
        ValueError: A folder has no claims, or a file cannot be read.
    """
    first, second = Path(first), Path(second)
    tolerance = _tolerance(first, second)
    metrics = _files("evaluation/**/metrics.json", first, second)
    tables = _files("figures/*.parquet", first, second)
    compared = [
        *_claims(first, second, tolerance),
        *_each("metric", *metrics, partial(_metrics, tolerance=tolerance)),
        *_certificates(first, second),
        *_each("table", *tables, partial(_table, tolerance=tolerance)),
    ]
    promised = promise(first, second)
    if not promised.holds:
        return compared
    strict = {"verdict": "different", "reason": f"{promised.reason}: no tolerance"}
    return [
        replace(item, **strict) if item.verdict == "within tolerance" else item
        for item in compared
    ]


def _tolerance(first: Path, second: Path) -> Tolerance:
    """Runs that no claim is meant for are hardly trained; that counts on another processor."""
    claims = [
        claim for root in (first, second) for claim in load_record(root / "claims.json")["claims"]
    ]
    hardly = not any(claim.get("meant", True) for claim in claims)
    return HARDLY_TRAINED if hardly and other_processors(first, second) else TRAINED


def _claims(first: Path, second: Path, tolerance: Tolerance) -> Iterator[Comparison]:
    records = [load_record(root / "claims.json") for root in (first, second)]
    for key in ("recipe", "seeds"):
        shown = [str(record[key]) for record in records]
        if shown[0] != shown[1]:
            yield Comparison("claim", key, *shown, "different", "not runs of the same settings")
    by_id = ({claim["id"]: claim for claim in record["claims"]} for record in records)
    yield from _each("claim", *by_id, partial(_claim, tolerance=tolerance))


def _claim(
    name: str, one: Mapping[str, Any], other: Mapping[str, Any], tolerance: Tolerance
) -> Iterator[Comparison]:
    verdict = same_claim(one, other, tolerance)
    yield Comparison("claim", name, _said(one), _said(other), *verdict)


def _metrics(name: str, one: Path, other: Path, tolerance: Tolerance) -> Iterator[Comparison]:
    numbers = [dict(_leaves(read_json(path))) for path in (one, other)]

    def number(key: str, a: object, b: object) -> Iterator[Comparison]:
        if not key.startswith("intervals."):  # these are what other numbers are judged by
            verdict = same_number(key, *numbers, tolerance)
            yield Comparison("metric", f"{name}: {key}", str(a), str(b), *verdict)

    yield from _each("metric", *numbers, number, prefix=f"{name}: ")


def _certificates(first: Path, second: Path) -> Iterator[Comparison]:
    """Of models whose certificates both have: the small records of a run have none."""
    one, other = _files("evaluation/**/certificate.json", first, second)
    for name in sorted(one.keys() & other.keys()):
        documents = [read_json(files[name]) for files in (one, other)]
        checks = [{c["id"]: c["holds"] for c in doc["checks"]} for doc in documents]
        owed = all(document["convex"] for document in documents)
        for check in {**checks[0], **checks[1]}:
            a, b = (held.get(check) for held in checks)
            verdict = ("identical", "the same") if a == b else _other_check(owed)
            yield Comparison("certificate", f"{name}: {check}", str(a), str(b), *verdict)


def _other_check(owed: bool) -> tuple[Verdict, str]:
    if owed:
        return "different", "an input-convex model owes it"
    return "within tolerance", "a baseline owes nothing"


def _table(name: str, one: Path, other: Path, tolerance: Tolerance) -> Iterator[Comparison]:
    tables = [pd.read_parquet(path) for path in (one, other)]
    lengths = [len(table) for table in tables]
    rows = (f"{length} rows" for length in lengths)
    yield Comparison("table", name, *rows, *same_length(*lengths, tolerance))

    def column(key: str, a: pd.Series, b: pd.Series) -> Iterator[Comparison]:
        verdict, reason, shown = same_column(a, b, tolerance)
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
