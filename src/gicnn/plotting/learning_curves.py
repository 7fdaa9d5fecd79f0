"""What training is worth: reconstruction, property error and invariance against epochs."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator

from gicnn.plotting.style import (
    ACCENT,
    INK,
    MINIMUM,
    MUTED,
    PAGE_WIDTH,
    letter,
    new_figure,
    styled,
)

__all__ = ["draw", "numbers"]

_COLUMNS = {
    "not_reconstructed": "validation_reconstruction_exact",
    "property_mae": "validation_property_mae",
    "invariance_mae": "validation_invariance_mae",
}
_MODELS = {"gicnn_approximate": ("input-convex", ACCENT), "baseline": ("baseline", MINIMUM)}


def numbers(histories: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Lay out trainings as a table.

    Args:
        histories: By model, one row for each epoch, as training wrote them.

    Returns:
        One row for each model and epoch: model, epoch, beta, learning_rate, and on the validation
        split not_reconstructed (share of graphs), property_mae and invariance_mae.
    """
    tables = []
    for model, history in histories.items():
        table = history[["epoch", "beta", "learning_rate"]].assign(model=model)
        for name, column in _COLUMNS.items():
            table[name] = history[column]
        table["not_reconstructed"] = 1 - table["not_reconstructed"]
        tables.append(table)
    whole = pd.concat(tables, ignore_index=True)
    return whole[["model", "epoch", "beta", "learning_rate", *_COLUMNS]].astype({"epoch": int})


@styled()
def draw(
    numbers: pd.DataFrame, *, quantity: str, printed: Mapping[str, float], where: str
) -> Figure:
    """Draw the three numbers against epochs, on logarithmic axes; the lower, the better.

    Args:
        numbers: As ``numbers`` gives them.
        quantity: The property with its unit, such as "gap, kcal/mol".
        printed: What the paper prints, by column; what it does not print is left out.
        where: What the numbers were measured on, such as "validation split, 1,006 molecules".
    """
    name, unit = quantity.split(", ", 1)
    figure = new_figure(PAGE_WIDTH, 2.85)
    labels = {
        "not_reconstructed": ("reconstruction", "graphs with an error, %", 100),
        "property_mae": (name, f"MAE, {unit}", 1),
        "invariance_mae": ("invariance", f"change in one cycle, {unit}", 1),
    }
    panels = figure.subplots(1, len(labels))
    for axes, mark, (column, (title, label, scale)) in zip(
        panels, "abc", labels.items(), strict=True
    ):
        _draw_curves(axes, numbers, column, scale)
        if column in printed:
            line = {"color": INK, "lw": 0.9, "ls": (0, (4, 2)), "label": "printed, test split"}
            axes.axhline(scale * printed[column], **line)
        letter(axes, mark, title)
        axes.set_ylabel(label)
        axes.set_xlabel("epoch")
    figure.suptitle(where, size=8, color=MUTED, x=0.01, ha="left")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=len(names))
    return figure


def _draw_curves(axes: Axes, numbers: pd.DataFrame, column: str, scale: float) -> None:
    """A line for each model; a share of 0 has no place on a logarithmic axis and leaves a gap."""
    for model, (label, colour) in _MODELS.items():
        rows = numbers[numbers["model"] == model]
        values = scale * rows[column].where(rows[column] > 0)
        axes.plot(rows["epoch"], values, color=colour, lw=1.1, label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis, digits in ((axes.xaxis, (1, 3)), (axes.yaxis, (1, 2, 5))):
        axis.set_major_locator(LogLocator(subs=digits))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter("")
