"""Figure 3: several level curves, followed far beyond the training data."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from gicnn.plotting.plane import (
    corners,
    draw_curves,
    draw_minima,
    draw_outline,
    frame_plane,
    layer,
    look_at,
    lowest,
    note_absence,
    of,
)
from gicnn.plotting.style import LEVELS, MUTED, PAGE_WIDTH, letter, new_figure, styled

__all__ = ["draw", "numbers"]

_SPACES = ("latent", "input")


def numbers(curves: pd.DataFrame, minima: pd.DataFrame, landscape: pd.DataFrame) -> pd.DataFrame:
    """Choose all level curves, the minimum and the border of the training data.

    Args:
        curves: Level curves in both spaces.
        minima: Minima of the model.
        landscape: Its grid over the training square gives the border.

    Returns:
        Layers "curve" and "minimum" for the panels "latent" and "input", and "training square"
        for "input".
    """
    parts = {"curve": curves, "minimum": lowest(minima)}
    layers = [layer(part, space, kind, space) for space in _SPACES for kind, part in parts.items()]
    square = layer(corners(landscape, "input"), "input", "training square", "input")
    return pd.concat([*layers, square], ignore_index=True)


@styled()
def draw(numbers: pd.DataFrame, *, window: float) -> Figure:
    """Draw each curve in the colour of its level.

    Args:
        numbers: What :func:`numbers` chose.
        window: How far the input panel reaches beyond the centre of the training square, in half
            sides of that square.
    """
    figure = new_figure(PAGE_WIDTH, 2.9)
    levels = sorted(of(numbers, series="curve")["level"].unique())
    colours = dict(zip(levels, LEVELS(np.linspace(0, 1, len(levels))), strict=True))
    panels = figure.subplots(1, 2)
    for axes, space, mark in zip(panels, _SPACES, "ab", strict=True):
        part = of(numbers, panel=space)
        draw_outline(axes, part)
        draw_curves(axes, part, colour=colours.get)
        note_absence(axes, part)
        draw_minima(axes, part)
        frame_plane(axes, space)
        letter(axes, mark, f"{space} space")
    _look_through(panels[1], of(numbers, panel="input"), window)
    lines = [Line2D([], [], color=colour, label=f"{level:g}") for level, colour in colours.items()]
    if lines:
        figure.legend(handles=lines[::-1], title="level of $y$", loc="outside right center")
    return figure


def _look_through(axes: Axes, part: pd.DataFrame, window: float) -> None:
    """Show the curves as far as the window reaches, and name the training square."""
    square = of(part, series="training square")[["horizontal", "vertical"]]
    shown = part[["horizontal", "vertical"]]
    reach = window * (square.max() - square.min()) / 2
    middle = (square.max() + square.min()) / 2
    look_at(axes, np.maximum(shown.min(), middle - reach), np.minimum(shown.max(), middle + reach))
    axes.annotate(
        "training data", square.max(), (3, 0), textcoords="offset points",
        size=7, color=MUTED, va="top",
    )  # fmt: skip
