"""Two runs side by side: claims, metrics, certificates, the tables behind figures, and files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from gicnn.record.agreement import same_claim, same_number
from gicnn.record.claims import Record
from gicnn.record.claims_file import load_record
from gicnn.record.columns import same_column, same_length
from gicnn.record.documents import read_document
from gicnn.record.file_comparison import compare_certificates, compare_files
from gicnn.record.headline import METRICS
from gicnn.record.manifest import FILE, load_manifest, of_this_run
from gicnn.record.pairing import Comparison, files_by_name, pair_up
from gicnn.record.promise import Promise, on_other_hardware, promise
from gicnn.record.tolerances import HARDLY_TRAINED, TRAINED, Tolerance
from gicnn.record.wording import SHRUNKEN

__all__ = ["Outcome", "compare"]


@dataclass(frozen=True)
class Outcome:
    """What a comparison found.

    Attributes:
        items: Number by number, claim by claim.
        promised: Whether the same bits were promised; no tolerance applies where they were.
        tolerance: What applies elsewhere.
    """

    items: list[Comparison]
    promised: Promise
    tolerance: Tolerance


def compare(first: str | Path, second: str | Path) -> Outcome:
    """Compare the claims, all metrics and all figure tables of two runs.

    What only one of them has is different. Of all files the manifests tell whether both runs made
    them. Where all jobs of both had the same code, settings, versions and kind of processor, the
    same bits are promised and no tolerance applies. Runs of the recipe smoke are hardly trained;
    on other hardware their numbers agree up to a factor only.

    Args:
        first: A folder of results, or a record of one.
        second: Another.

    Raises:
        ValueError: A folder has no claims, a file cannot be read, or there is nothing to compare.
    """
    roots = Path(first), Path(second)
    records = [load_record(root / "claims.json") for root in roots]
    manifests = [
        of_this_run(load_manifest(root)) if (root / FILE).is_file() else None for root in roots
    ]
    promised = promise(*manifests)
    hardly = all(record["recipe"] == SHRUNKEN for record in records)
    tolerance = HARDLY_TRAINED if hardly and on_other_hardware(*manifests) else TRAINED
    items = [
        *_claims(records, tolerance),
        *pair_up(
            "metric",
            *files_by_name("evaluation/**/metrics.json", *roots),
            partial(_metrics, tolerance=tolerance),
        ),
        *compare_certificates(*roots, tolerance),
        *pair_up(
            "table",
            *files_by_name("figures/*.parquet", *roots),
            partial(_table, tolerance=tolerance),
        ),
        *compare_files(manifests, to_the_bit=promised.holds),
    ]
    if not items:
        raise ValueError(f"neither {first} nor {second} has a claim, a metric or a table")
    return Outcome([_strictly(item, promised) for item in items], promised, tolerance)


def _strictly(item: Comparison, promised: Promise) -> Comparison:
    if not promised.holds or item.verdict != "within tolerance":
        return item
    return replace(item, verdict="different", reason=f"{promised.reason}: no tolerance")


def _claims(records: list[Record], tolerance: Tolerance) -> Iterator[Comparison]:
    for key in ("recipe", "seeds"):
        shown = [str(record[key]) for record in records]
        if shown[0] != shown[1]:
            yield Comparison("claim", key, *shown, "different", "not runs of the same settings")
    by_id = ({claim["id"]: claim for claim in record["claims"]} for record in records)
    yield from pair_up("claim", *by_id, partial(_claim, tolerance=tolerance))


def _claim(
    name: str, one: Mapping[str, Any], other: Mapping[str, Any], tolerance: Tolerance
) -> Iterator[Comparison]:
    verdict = same_claim(one, other, tolerance)
    yield Comparison("claim", name, _said(one), _said(other), *verdict)


def _metrics(name: str, one: Path, other: Path, tolerance: Tolerance) -> Iterator[Comparison]:
    numbers = [dict(_leaves(read_document(path, METRICS))) for path in (one, other)]

    def number(key: str, a: object, b: object) -> Iterator[Comparison]:
        if not key.startswith("intervals."):  # these are what other numbers are judged by
            verdict = same_number(key, *numbers, tolerance)
            yield Comparison("metric", f"{name}: {key}", str(a), str(b), *verdict)

    yield from pair_up("metric", *numbers, number, prefix=f"{name}: ")


def _table(name: str, one: Path, other: Path, tolerance: Tolerance) -> Iterator[Comparison]:
    tables = [pd.read_parquet(path) for path in (one, other)]
    lengths = [len(table) for table in tables]
    rows = (f"{length} rows" for length in lengths)
    yield Comparison("table", name, *rows, *same_length(*lengths, tolerance))

    def column(key: str, a: pd.Series, b: pd.Series) -> Iterator[Comparison]:
        verdict, reason, shown = same_column(a, b, tolerance)
        yield Comparison("table", f"{name}: {key}", *shown, verdict, reason)

    yield from pair_up("table", *(dict(table.items()) for table in tables), column, f"{name}: ")


def _said(claim: Mapping[str, Any]) -> str:
    numbers = [m["measured"] for m in claim["measurements"] if m["measured"] is not None]
    return " ".join([claim["status"], *(f"{number:.4g}" for number in numbers)])


def _leaves(document: object, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _leaves(value, f"{prefix}.{key}" if prefix else str(key))
    else:
        yield prefix, document
