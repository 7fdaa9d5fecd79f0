"""Figure 3: several level curves, followed far beyond the training data, and how far off they are."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from gicnn.plotting.error_by_distance import draw_errors, error_layers
from gicnn.plotting.plane import (
    corners,
    draw_curves,
    draw_minima,
    draw_outline,
    frame_plane,
    layer,
    lowest,
    minimum_key,
    note_absence,
    of,
)
from gicnn.plotting.style import INK, LEVELS, MUTED, PAGE_WIDTH, letter, new_figure, styled

__all__ = ["draw", "numbers"]

_SPACES = ("latent", "input")
_TRUE = {"lw": 0.7, "ls": (0, (4, 1.5)), "zorder": 2}
_POINTS = 2000  # of each true curve
_ASIDE = 0.4  # the valley opens upwards: the view to the sides and down, over the view upwards
_LEAST_REACH = 1.1  # so that the training square is always in view


def numbers(
    curves: pd.DataFrame,
    minima: pd.DataFrame,
    landscape: pd.DataFrame,
    extrapolation: pd.DataFrame,
    true_curve: Callable[[float, int], ArrayLike],
) -> pd.DataFrame:
    """Choose all level curves, the true ones, the minimum, the border of the data, and the errors.

    Args:
        curves: Level curves in both spaces.
        minima: Minima of the model.
        landscape: Its grid over the training square gives the border.
        extrapolation: Errors of the curves by distance from the training data.
        true_curve: Points (n, 2), once around the true function's curve of a level.

    Returns:
        Layers "curve" and "minimum" for the panels "latent" and "input", "true curve" and
        "training square" for "input", and those of
        :func:`gicnn.plotting.error_by_distance.error_layers` for "error".
    """
    parts = {"curve": curves, "minimum": lowest(minima)}
    layers = [layer(part, space, kind, space) for space in _SPACES for kind, part in parts.items()]
    square = layer(corners(landscape, "input"), "input", "training square", "input")
    true = [_true_layer(level, true_curve) for level in curves["level"].unique()]
    return pd.concat(
        [*layers, *true, square, error_layers(extrapolation, "error")], ignore_index=True
    )


def _true_layer(level: float, true_curve: Callable[[float, int], ArrayLike]) -> pd.DataFrame:
    x = np.asarray(true_curve(level, _POINTS))
    points = {"x_1": x[:, 0], "x_2": x[:, 1], "point": range(len(x)), "level": level, "y": level}
    return layer(pd.DataFrame(points), "input", "true curve", "input")


@styled()
def draw(numbers: pd.DataFrame, *, window: float) -> Figure:
    """Draw each curve in the colour of its level, and below how far off the curves are.

    Args:
        numbers: What :func:`numbers` chose.
        window: How far the input panel reaches above the centre of the training square, in half
            sides of that square.
    """
    figure = new_figure(PAGE_WIDTH, 5.4)
    above, below = figure.subfigures(2, 1, height_ratios=[3.0, 2.3])
    levels = sorted(of(numbers, series="curve")["level"].unique())
    colours = dict(zip(levels, LEVELS(np.linspace(0, 1, len(levels))), strict=True))
    panels = above.subplots(1, 2)
    for axes, space, mark in zip(panels, _SPACES, "ab", strict=True):
        part = of(numbers, panel=space)
        draw_outline(axes, part)
        _draw_truth(axes, part, colours)
        draw_curves(axes, part, colour=colours.get)
        note_absence(axes, part)
        draw_minima(axes, part)
        frame_plane(axes, space)
        letter(axes, mark, f"{space} space")
    _look_through(panels[1], of(numbers, panel="input"), window)
    lines = [Line2D([], [], color=colour, label=f"{level:g}") for level, colour in colours.items()]
    if lines:
        lines.insert(0, Line2D([], [], color=INK, label="true", **_TRUE))
        lines.insert(0, minimum_key("minimum"))
        above.legend(handles=lines[::-1], title="level of $y$", loc="outside right center")
    axes = below.subplots()
    draw_errors(axes, of(numbers, panel="error"))
    letter(axes, "c", "how far off the curves are: median, and band of 10 to 90 %")
    if axes.get_legend_handles_labels()[0]:
        below.legend(loc="outside lower center", ncols=2)
    return figure


def _draw_truth(axes: Axes, part: pd.DataFrame, colours: dict) -> None:
    """Draw the true curves thinly, in the colours of the model's."""
    for level, curve in of(part, series="true curve").groupby("level"):
        around = np.r_[0 : len(curve), 0]
        closed = curve.sort_values("point").iloc[around]
        axes.plot(closed["horizontal"], closed["vertical"], color=colours[level], **_TRUE)


def _look_through(axes: Axes, part: pd.DataFrame, window: float) -> None:
    """Show the curves as far up as the window reaches, and name the training square."""
    square = of(part, series="training square")[["horizontal", "vertical"]]
    half = (square.max() - square.min()) / 2
    middle = (square.max() + square.min()) / 2
    aside = max(_LEAST_REACH, _ASIDE * window)
    axes.set_xlim(*(middle["horizontal"] + half["horizontal"] * np.array([-aside, aside])))
    axes.set_ylim(*(middle["vertical"] + half["vertical"] * np.array([-aside, window])))
    axes.annotate(
        "training\ndata", square.max(), (3, 0), textcoords="offset points",
        size=7, color=MUTED, va="top",
    )  # fmt: skip
