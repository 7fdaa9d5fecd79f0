"""Numbers that sum up which molecules paths meet."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gicnn.evaluation.metrics import paired_interval
from gicnn.evaluation.paths.walks import WAYS

__all__ = ["spread", "summarise_paths"]


def summarise_paths(
    table: pd.DataFrame, entry: Mapping[str, Any], facts: Mapping[str, Any], near: np.ndarray
) -> dict[str, Any]:
    """Sum up one level: the ways between molecules, random molecules, and the model itself.

    Args:
        table: As ``measure_molecule_paths`` returns it.
        entry: ``id`` and ``level``.
        facts: ``pairs``, ``steps`` and ``model_mae``, the model's mean error on the test split.
        near: The model's errors on the molecules that the paths join.

    Returns:
        For each of ``WAYS`` what ``_summary`` says, and for those on the level set ``over_straight``:
        the ratio of mean deviations to that on the straight lines, with ``interval`` over pairs (as
        if no two of them shared a molecule).
        For random the ``deviation`` of the true property from the level; for model the
        ``deviation`` of its predictions near the level from the truth.
    """
    rows = table[table["level_id"] == entry["id"]]
    kinds = dict(tuple(rows.groupby("kind")))
    off = (rows["true_y"] - entry["level"]).abs()
    none = rows[:0]
    paths = {kind: _summary(kinds.get(kind, none), off, facts) for kind in WAYS}
    sums = {kind: _by_pair(kinds.get(kind, none), off, facts["pairs"]) for kind in WAYS}
    for kind in WAYS[:2]:
        paths[kind]["over_straight"] = _ratio(sums[kind], sums["straight"])
    return paths | {
        "random": {"deviation": spread(off[kinds["random"].index].dropna())},
        "model": {
            "deviation": spread(near),
            "within_error_share": float(np.mean(near <= facts["model_mae"])),
        },
    }


def _by_pair(rows: pd.DataFrame, off: pd.Series, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """Sum and number of the deviations on each pair's path, ends and unknown graphs left out."""
    found = rows[~rows["end"] & rows["qm9_index"].notna()]
    by_pair = off[found.index].groupby(found["pair"]).agg(["sum", "size"])
    by_pair = by_pair.reindex(range(pairs), fill_value=0)
    return by_pair["sum"].to_numpy(float), by_pair["size"].to_numpy(float)


def _mean_ratio(
    over: np.ndarray, count: np.ndarray, under: np.ndarray, other: np.ndarray
) -> np.ndarray | np.float64:
    return (over.sum(-1) / count.sum(-1)) / (under.sum(-1) / other.sum(-1))


def _ratio(
    level_set: tuple[np.ndarray, np.ndarray], straight: tuple[np.ndarray, np.ndarray]
) -> dict[str, Any] | None:
    """Deviation on the level set over that on straight lines between the same ends."""
    columns = (*level_set, *straight)
    if not all(column.any() for column in columns):
        return None
    interval = paired_interval(_mean_ratio, *columns)
    return {"value": float(_mean_ratio(*columns)), "interval": interval}


def _summary(rows: pd.DataFrame, off: pd.Series, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Sum up paths of one kind.

    Of all points, ``valid_share`` decode to a valid molecule, ``known_share`` to one in QM9 and
    ``end_share`` to one of the two at the ends; in the other numbers those two do not count. A graph
    counts once for each path that it lies on. The model's error is told apart for graphs that it was trained on,
    and ``unseen`` counts the others. None stands for the mean of nothing.
    """
    graphs = rows[~rows["end"]]
    found = graphs[graphs["qm9_index"].notna()]
    deviation = off[found.index]
    all_found = graphs["qm9_index"].notna().groupby(graphs["pair"]).all()
    path_off = deviation.groupby(found["pair"]).mean()
    unseen = found["split"] != "train"
    error = (found["predicted"] - found["true_y"]).abs()
    points = rows["points"] / (facts["pairs"] * facts["steps"])
    return {
        "valid_share": float(points.sum()),
        "known_share": float(points[rows["qm9_index"].notna()].sum()),
        "end_share": float(points[rows["end"]].sum()),
        "graphs": len(graphs),
        "graphs_per_path": len(graphs) / facts["pairs"],
        "different_graphs": int(graphs["smiles"].nunique()),
        "paths_with_graphs": len(all_found),
        "found": len(found),
        "found_share": _mean(graphs["qm9_index"].notna()),
        "paths_all_found_share": _mean(all_found),
        "unseen": int(unseen.sum()),
        "deviation": spread(deviation),
        "deviation_unseen": spread(deviation[unseen]),
        "within_error_share": _mean(deviation <= facts["model_mae"]),
        "paths_within_error_share": _mean(path_off <= facts["model_mae"]),
        "prediction_error": _mean(error[unseen]),
        "prediction_error_trained_on": _mean(error[~unseen]),
        "prediction_deviation": _mean((graphs["predicted"] - graphs["level"]).abs().dropna()),
    }


def spread(values: Sequence[float] | np.ndarray | pd.Series) -> dict[str, float] | None:
    """Mean, median and the 10 and 90 % quantiles; None if there are no values.

    Example:
        >>> spread([0.0, 1.0, 2.0, 3.0, 4.0])
        {'mean': 2.0, 'median': 2.0, 'p10': 0.4, 'p90': 3.6}
    """
    if not len(values):
        return None
    low, median, high = np.quantile(values, [0.1, 0.5, 0.9]).tolist()
    return {"mean": float(np.mean(values)), "median": median, "p10": low, "p90": high}


def _mean(values: pd.Series) -> float | None:
    return float(values.mean()) if len(values) else None
