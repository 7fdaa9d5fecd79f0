"""Beside Figure 6: what many paths between molecules meet, on several levels."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gicnn.plotting.style import ACCENT, MUTED, PAGE_WIDTH, letter, new_figure, styled
from gicnn.plotting.ways import WAYS, Way

__all__ = ["draw", "numbers"]

_KINDS = WAYS | {
    "model": Way("errors of the model at the ends", MUTED, "v", ""),
    "random": Way("random molecules", MUTED, "^", ""),
}
_PARTS = {
    "prediction_error": ("(c) model's error on graphs not trained on", MUTED),
    "prediction_deviation": ("(c) its prediction, off the level", ACCENT),
}
_SHARES = {
    "valid_share": "points\nvalid",
    "found_share": "graphs\nin QM9",
    "paths_all_found_share": "paths all\nin QM9",
}
_DEVIATION = ("mean", "median", "p10", "p90")


def numbers(summary: Mapping[str, Any]) -> pd.DataFrame:
    """Lay out the summary of many paths as a table.

    Args:
        summary: As the level-set step wrote it: ``model_mae``, and ``levels`` with an entry for
            each kind of way.

    Returns:
        One row for each level and kind: level_id, level, kind, the shares, ``mean``, ``median``,
        ``p10`` and ``p90`` of the distance of the true property from the level (of kind model: from
        the prediction, for the molecules that the paths join), what that is made of on paths
        (``prediction_error``, ``prediction_deviation``), and model_mae; NaN where nothing was met.
    """
    rows = [
        {
            "level_id": entry["id"],
            "level": entry["level"],
            "kind": kind,
            **{name: _number(entry[kind], name) for name in _SHARES},
            **{name: _number(entry[kind].get("deviation"), name) for name in _DEVIATION},
            **{name: _number(entry[kind], name) for name in _PARTS},
            "model_mae": summary["model_mae"],
        }
        for entry in sorted(summary["levels"], key=lambda entry: entry["level"])
        for kind in _KINDS
    ]
    return pd.DataFrame(rows)


def _number(part: Mapping[str, Any] | None, name: str) -> float:
    value = (part or {}).get(name)
    return np.nan if value is None else float(value)


@styled()
def draw(numbers: pd.DataFrame, *, quantity: str) -> Figure:
    """Draw how far found molecules are from the level, and how many are molecules and known.

    Args:
        numbers: As ``numbers`` gives them.
        quantity: The property with its unit, such as "gap, kcal/mol".
    """
    name, unit = quantity.split(", ", 1)
    figure = new_figure(PAGE_WIDTH, 3.3)
    left, right, parts = figure.subplots(1, 3, width_ratios=[1.25, 1, 0.95])
    _draw_deviations(left, numbers)
    letter(left, "a", "how far from the level")
    left.set_xlabel(f"true {name} off the level, {unit}")
    left.set_ylabel(f"level of the {name}, {unit}")
    _draw_shares(right, numbers)
    letter(right, "b", "what the points are")
    _draw_parts(parts, numbers)
    letter(parts, "c", "why")
    parts.set_xlabel(f"mean, {unit}")
    (handles, labels), added = (axes.get_legend_handles_labels() for axes in (left, parts))
    figure.legend(handles + added[0], labels + added[1], loc="outside lower center", ncols=3,
                  handletextpad=0.4, columnspacing=1.4)  # fmt: skip
    return figure


def _draw_deviations(axes: Axes, numbers: pd.DataFrame) -> None:
    """Mean, median and 10 to 90 % range for each level, beside the model's own mean error."""
    levels = numbers["level"].unique()
    for place, (kind, way) in enumerate(_KINDS.items()):
        rows = numbers[numbers["kind"] == kind]
        height = np.arange(len(levels)) + 0.16 * (2 - place)
        axes.hlines(height, rows["p10"], rows["p90"], color=way.colour, lw=1.6)
        axes.plot(rows["median"], height, way.marker, color=way.colour, ms=4.5, label=way.label)
        axes.plot(rows["mean"], height, "|", color=way.colour, ms=7, mew=1.4)
    error = numbers["model_mae"].iloc[0]
    axes.axvspan(0, error, color=MUTED, alpha=0.18, lw=0, label="model's mean test error")
    axes.set_xlim(left=0)
    axes.set_yticks(range(len(levels)), [f"{level:.3g}" for level in levels])
    axes.set_ylim(-0.5, len(levels) - 0.5)


def _draw_shares(axes: Axes, numbers: pd.DataFrame) -> None:
    """For each share a line from the lowest level to the highest, for each way."""
    for kind, way in WAYS.items():
        rows = numbers[numbers["kind"] == kind]
        for position, name in enumerate(_SHARES):
            places = position + np.linspace(-0.32, 0.32, len(rows))
            axes.plot(places, 100 * rows[name], way.line, marker=way.marker, color=way.colour,
                      lw=0.9, ms=4.5, mfc="none", clip_on=False)  # fmt: skip
    axes.set_xticks(range(len(_SHARES)), _SHARES.values())
    axes.set_xlim(-0.5, len(_SHARES) - 0.5)
    axes.set_ylim(0, 102)
    axes.set_xlabel("in each, levels from low to high")
    axes.set_ylabel("share, %")


def _draw_parts(axes: Axes, numbers: pd.DataFrame) -> None:
    """What the distance from the level is made of, on the level set by angles."""
    rows = numbers[numbers["kind"] == "level_set"].reset_index(drop=True)
    for place, (name, (label, colour)) in enumerate(_PARTS.items()):
        axes.barh(rows.index + 0.2 * (1 - 2 * place), rows[name], 0.36, color=colour, label=label)
    axes.set_yticks(rows.index, [f"{level:.3g}" for level in rows["level"]])
    axes.set_ylim(-0.5, len(rows) - 0.5)
