"""Beside Figure 5: how well many paths between pictures keep their angle."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gicnn.plotting.style import MUTED, PAGE_WIDTH, letter, new_figure, styled
from gicnn.plotting.ways import WAYS

__all__ = ["draw", "numbers"]


def numbers(summary: Mapping[str, Any]) -> pd.DataFrame:
    """Lay out the summary of many paths as a table.

    Args:
        summary: As the level-set step wrote it: ``levels``, with an entry for each kind of way.

    Returns:
        One row for each level, kind and position t: level, kind, t, in degrees ``deviation`` there
        and ``path_deviation`` over whole paths with ``low`` and ``high``, ``outside`` (share of
        points where no training codes are), and of the judge ``judge_near``, its error on test
        pictures near the level, ``judge_test`` and ``judge_reconstruction``; NaN where
        nothing was reached.
    """
    rows = []
    for entry in summary["levels"]:
        for kind in WAYS:
            way = entry[kind]
            low, high = way["interval"] or (None, None)
            whole = {"path_deviation": way["deviation"], "low": low, "high": high}
            positions = np.linspace(0, 1, len(way["by_position"]))
            along = zip(positions, way["by_position"], way["outside_by_position"], strict=True)
            for t, deviation, outside in along:
                here = {"t": t, "deviation": deviation, "outside": outside}
                rows.append({"level": entry["level"], "kind": kind} | here | whole)
                rows[-1]["judge_near"] = entry["judge_mae_near"]
    table = pd.DataFrame(rows).assign(
        judge_test=summary["judge_test_mae"],
        judge_reconstruction=summary["judge_reconstruction_mae"],
    )
    return table.astype({name: float for name in table.columns.drop("kind")})


@styled()
def draw(numbers: pd.DataFrame) -> Figure:
    """Draw the deviation along the paths and by level, and where paths leave the codes.

    Args:
        numbers: As ``numbers`` gives them.
    """
    figure = new_figure(PAGE_WIDTH, 2.9)
    along, levels, outside = figure.subplots(1, 3, width_ratios=[1.2, 1, 1.2])
    mean = numbers.groupby(["kind", "t"], as_index=False)[["deviation", "outside"]].mean()
    for kind, way in WAYS.items():
        rows = mean[mean["kind"] == kind]
        along.plot(rows["t"], rows["deviation"], way.line, color=way.colour, label=way.label)
        outside.plot(rows["t"], 100 * rows["outside"], way.line, color=way.colour)
    for name, label, shade in (
        ("judge_reconstruction", "judge's error, reconstructions", 0.14),
        ("judge_test", "judge's error, real pictures", 0.3),
    ):
        along.axhspan(0, numbers[name].iloc[0], color=MUTED, alpha=shade, lw=0, label=label)
    along.set_ylim(0)
    along.set_ylabel("angle off the level, degrees")
    letter(along, "a", "along the paths")
    _draw_levels(levels, numbers)
    letter(levels, "b", "by level")
    outside.set_ylim(0)
    outside.set_ylabel("points, %")
    letter(outside, "c", "where no codes are")
    for axes in (along, outside):
        axes.set_xlabel("position on the path")
    handles, names = (
        [found[place] for place in (0, 4, 1, 3, 2)]  # columns are filled first
        for found in along.get_legend_handles_labels()
    )
    figure.legend(handles, names, loc="outside lower center", ncols=3, columnspacing=1.4)
    return figure


def _draw_levels(axes: Axes, numbers: pd.DataFrame) -> None:
    """Mean over whole paths with its interval, and the judge's own error near each level."""
    levels = numbers.groupby(["level", "kind"], as_index=False).first()
    places = {level: place for place, level in enumerate(sorted(levels["level"].unique()))}
    for shift, (kind, way) in zip((-0.2, 0, 0.2), WAYS.items(), strict=True):
        rows = levels[levels["kind"] == kind]
        x = rows["level"].map(places) + shift
        axes.vlines(x, rows["low"], rows["high"], color=way.colour, lw=1.3)
        axes.plot(x, rows["path_deviation"], way.marker, color=way.colour, ms=4)
    near = levels.groupby("level")["judge_near"].first()
    for level, error in near.items():
        width = np.array([-0.35, 0.35]) + places[level]
        axes.fill_between(width, 0, error, color=MUTED, alpha=0.3, lw=0)
    axes.set_xticks(list(places.values()), [f"{level:g}°" for level in places])
    axes.set_ylim(0)
