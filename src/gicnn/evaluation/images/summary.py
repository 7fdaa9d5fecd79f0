"""Numbers that sum up how well paths between pictures keep their angle."""

from typing import Any

import numpy as np
import pandas as pd
import torch

from gicnn.evaluation.metrics import mean_interval, paired_interval
from gicnn.evaluation.paths.walks import WAYS

__all__ = ["summarise_ways"]

_PATH = ["level", "start_label", "end_label", "pair"]


def summarise_ways(table: pd.DataFrame, radius: float) -> dict[str, dict[str, Any]]:
    """Sum up paths of each kind.

    Args:
        table: As ``measure_image_paths`` returns it.
        radius: How far from a training code the region that codes occupy reaches.

    Returns:
        For each of ``WAYS``, in degrees: ``deviation``, the mean distance of the judge's angle
        from the level, with ``interval`` over paths (bootstrap, 95 %), ``worst_path``, the
        largest mean of one path, and ``by_position``, means along the path; ``cycle_deviation``,
        by the model's own reading; ``outside_share`` of points and ``leaving_share`` of paths that
        are outside the region, with ``outside_by_position``; ``largest_step``, the mean and the
        largest over paths of the longest step, over the distance of the ends; ``by_classes``, the
        deviation for each ordered pair of classes; and for the ways on the level set
        ``over_straight``, the deviation over that of the straight lines, with ``interval``. None
        stands for the mean of nothing.
    """
    ways = {kind: _summary(table[table["kind"] == kind], radius) for kind in WAYS}
    for kind in WAYS[:2]:
        ways[kind]["over_straight"] = _ratio(table, kind)
    return ways


def _ratio(table: pd.DataFrame, kind: str) -> dict[str, Any] | None:
    """Mean deviation over that on straight lines between the same ends, path by path."""
    off = table.assign(off=(table["read"] - table["level"]).abs())
    by_path = off.groupby(["kind", *_PATH])["off"].mean()
    if not {kind, "straight"} <= {*by_path.index.get_level_values("kind")}:
        return None
    pairs = pd.concat([by_path[kind], by_path["straight"]], axis=1).dropna().to_numpy()
    if not len(pairs):
        return None
    interval = paired_interval(_over, *pairs.T)
    return {"value": float(_over(*pairs.T)), "interval": interval}


def _over(one: np.ndarray, other: np.ndarray) -> np.ndarray | np.float64:
    return one.mean(-1) / other.mean(-1)


def _summary(rows: pd.DataFrame, radius: float) -> dict[str, Any]:
    rows = rows.assign(
        off=(rows["read"] - rows["level"]).abs(),
        outside=(rows["from_codes"] > radius).where(rows["from_codes"].notna()),
    )
    by_path, by_position = rows.groupby(_PATH), rows.groupby("t")
    off = by_path["off"].mean()
    reached = off.dropna().to_numpy()
    longest = by_path["step"].max()
    by_classes = rows.groupby(["start_label", "end_label"])["off"].mean()
    return {
        "paths": len(off),
        "deviation": _number(rows["off"].mean()),
        "interval": mean_interval(torch.tensor(reached.copy())) if len(reached) else None,
        "worst_path": _number(off.max()),
        "by_position": [_number(value) for value in by_position["off"].mean()],
        "cycle_deviation": _number((rows["cycled"] - rows["level"]).abs().mean()),
        "outside_share": _number(rows["outside"].astype(float).mean()),
        "leaving_share": _number(by_path["outside"].max().astype(float).mean()),
        "outside_by_position": [
            _number(value) for value in by_position["outside"].mean().astype(float)
        ],
        "largest_step": {"mean": _number(longest.mean()), "max": _number(longest.max())},
        "by_classes": [
            {"start_label": int(start), "end_label": int(end), "deviation": _number(value)}
            for (start, end), value in by_classes.items()
        ],
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
