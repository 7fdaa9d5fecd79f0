"""The numbers of changed models side by side."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from gicnn.files import write_atomically

__all__ = ["compare_ablations", "save_rows"]

_NUMBERS = (
    "reconstruction_exact",
    "reconstruction_psnr",
    "property_mae",
    "invariance_mae",
    "invariance_hard_mae",
)


def compare_ablations(metrics: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give a row for each model, in the order of their first mention.

    Args:
        metrics: Contents of ``metrics.json``, of all models and seeds.

    Returns:
        Rows with ``dataset``, ``model``, ``seeds`` (how many) and, of the test split, the mean over
        seeds of what there is, with several seeds their standard deviation (``..._sd``), with one
        the ends of its interval (``..._low``, ``..._high``).

    Example:
        >>> numbers = {"test": {"property_mae": 4.0, "invariance_mae": 0.2}}
        >>> plain = {"dataset": "qm9", "model": "baseline", "splits": numbers}
        >>> compare_ablations([plain])[0]["property_mae"]
        4.0
    """
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for entry in metrics:
        groups.setdefault((entry["dataset"], entry["model"]), []).append(entry)
    return [
        {"dataset": dataset, "model": model, "seeds": len(entries)} | _numbers(entries)
        for (dataset, model), entries in groups.items()
    ]


def save_rows(path: str | Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as CSV, numbers with four digits; what a row lacks stays empty."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with write_atomically(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _text(value) for name, value in row.items()})


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _numbers(entries: list[Mapping[str, Any]]) -> dict[str, float]:
    row = {}
    for name in _NUMBERS:
        tests = (entry["splits"]["test"] for entry in entries)
        values = [test[name] for test in tests if name in test]
        if values:
            row[name] = fmean(values)
        if len(values) > 1:
            row[f"{name}_sd"] = stdev(values)
        ends = entries[0].get("intervals", {}).get("test", {}).get(name)
        if len(values) == 1 and ends:
            row[f"{name}_low"], row[f"{name}_high"] = ends
    return row
