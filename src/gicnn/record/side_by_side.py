"""The numbers of several models side by side."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from gicnn.files import write_atomically
from gicnn.record.documents import read_document
from gicnn.record.headline import HEADLINE, METRICS
from gicnn.record.markdown_table import lay_out
from gicnn.record.run_files import matching
from gicnn.record.wording import number

__all__ = ["compare_models", "read_models", "save_rows", "show", "to_markdown"]

Row = Mapping[str, Any]


def compare_models(metrics: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give a row for each model, in the order of their first mention.

    Args:
        metrics: Contents of ``metrics.json``, of all models and seeds.

    Returns:
        Rows with ``dataset``, ``model``, ``seeds`` (how many) and, of the test split, the mean over
        seeds of what there is, with several seeds their standard deviation (``..._sd``), and the
        outermost ends of the seeds' intervals (``..._low``, ``..._high``).

    Example:
        >>> numbers = {"test": {"property_mae": 4.0, "invariance_mae": 0.2}}
        >>> plain = {"dataset": "qm9", "model": "baseline", "splits": numbers}
        >>> compare_models([plain])[0]["property_mae"]
        4.0
    """
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for entry in metrics:
        groups.setdefault((entry["dataset"], entry["model"]), []).append(entry)
    return [
        {"dataset": dataset, "model": model, "seeds": len(entries)} | _numbers(entries)
        for (dataset, model), entries in groups.items()
    ]


def read_models(root: str | Path) -> list[dict[str, Any]]:
    """Compare all models whose metrics are below a folder of results or a record.

    Raises:
        ValueError: There is none, or a file is not what an evaluation writes.
    """
    paths = sorted(Path(root, name) for name in matching(root, ["evaluation/**/metrics.json"]))
    if not paths:
        raise ValueError(f"{root} has no evaluation/DATASET/MODEL/seed-N/metrics.json")
    return compare_models(read_document(path, METRICS) for path in paths)


def save_rows(path: str | Path, rows: Sequence[Row]) -> None:
    """Write rows as CSV, numbers with four digits; what a row lacks stays empty."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with write_atomically(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _text(value) for name, value in row.items()})


def to_markdown(rows: Sequence[Row]) -> str:
    """Lay rows out for readers: headline numbers with their deviation and interval.

    Rows of several records say in ``record`` which one they are of.

    Example:
        >>> row = {"dataset": "qm9", "model": "less", "seeds": 2, "property_mae": 4.0}
        >>> print(to_markdown([row | {"property_mae_sd": 0.1}]))
        | model | seeds | error of the property |
        |---|---|---|
        | qm9/less | 2 | 4 ± 0.1 |
    """
    shown = {key: item for key, item in HEADLINE.items() if any(key in row for row in rows)}
    records = ["record"] if any("record" in row for row in rows) else []
    head = [*records, "model", "seeds", *(item.name for item in shown.values())]
    cells = []
    for row in rows:
        whose = [*(row[key] for key in records), f"{row['dataset']}/{row['model']}", row["seeds"]]
        cells.append([*whose, *(show(row, key) for key in shown)])
    return lay_out(head, cells)


def show(row: Row, key: str) -> str:
    """One headline number of a row with its deviation and interval, as people read it.

    Args:
        row: Of :func:`compare_models`.
        key: Of a headline number; empty where the row does not have it.

    Example:
        >>> show({"reconstruction_exact": 0.99, "reconstruction_exact_sd": 0.001}, "reconstruction_exact")
        '99 ± 0.1'
    """
    if key not in row:
        return ""
    factor = HEADLINE[key].factor
    text = number(factor * row[key])
    if f"{key}_sd" in row:
        text += f" ± {number(factor * row[f'{key}_sd'])}"
    if f"{key}_low" in row:
        ends = (number(factor * row[f"{key}_{end}"]) for end in ("low", "high"))
        text += f" ({' to '.join(ends)})"
    return text


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _numbers(entries: list[Mapping[str, Any]]) -> dict[str, float]:
    row = {}
    for name in HEADLINE:
        tests = (entry["splits"]["test"] for entry in entries)
        values = [test[name] for test in tests if name in test]
        if values:
            row[name] = fmean(values)
        if len(values) > 1:
            row[f"{name}_sd"] = stdev(values)
        intervals = (entry.get("intervals", {}).get("test", {}).get(name) for entry in entries)
        if ends := [end for interval in intervals for end in interval or ()]:
            row[f"{name}_low"], row[f"{name}_high"] = min(ends), max(ends)
    return row
