"""Figure 4: a function with two minima, seen by the input-convex model and by the baseline."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from gicnn.plotting.plane import (
    draw_curves,
    draw_mesh,
    draw_minima,
    frame_plane,
    layer,
    look_at,
    note_absence,
    of,
)
from gicnn.plotting.style import EMPTY, INK, PAGE_WIDTH, letter, new_figure, styled

__all__ = ["draw", "numbers"]

# Latent panels show what the model believes, input panels what is true.
_VALUES = {"latent": "y", "input": "true_y"}
_COLOURS = {"latent": "predicted $y$", "input": "true $y$"}


def numbers(models: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """Choose landscape, level curves and minima of each model in both spaces.

    Args:
        models: For the title of each model, the tables "curves", "minima" and "landscape".

    Returns:
        Layers "landscape", "curve" and "minimum" for the panels "TITLE, latent space" and
        "TITLE, input space", in the order of ``models``.
    """
    layers = []
    for title, tables in models.items():
        for space, value in _VALUES.items():
            panel = f"{title}, {space} space"
            grid = of(tables["landscape"], space=space)
            layers += [
                layer(grid, panel, "landscape", space, value),
                layer(tables["curves"], panel, "curve", space),
                layer(tables["minima"], panel, "minimum", space),
            ]
    return pd.concat(layers, ignore_index=True)


@styled()
def draw(numbers: pd.DataFrame) -> Figure:
    """Draw four panels: predicted values under latent ones, true values under input ones."""
    figure = new_figure(PAGE_WIDTH, 6.3)
    values = of(numbers, series="landscape")["value"]
    scale = Normalize(values.min(), values.max())
    panels = figure.subplots(2, 2)
    titles = numbers["panel"].unique()
    for axes, title, mark in zip(panels.flat, titles, "abcd", strict=True):
        mesh = _draw_panel(axes, of(numbers, panel=title), scale)
        letter(axes, mark, f"{title}, {_COLOURS[_space(of(numbers, panel=title))]}")
    label = "$y$; black lines: level curves of the model, and their levels in this bar"
    bar = figure.colorbar(mesh, ax=panels, label=label, shrink=0.9, aspect=45)
    bar.ax.hlines(of(numbers, series="curve")["level"].unique(), 0, 1, color=INK, lw=1)
    return figure


def _draw_panel(axes: Axes, part: pd.DataFrame, scale: Normalize) -> object:
    mesh = draw_mesh(axes, part, scale)
    draw_curves(axes, part)
    draw_minima(axes, part)
    note_absence(axes, part)
    frame_plane(axes, _space(part))
    axes.set_facecolor(EMPTY)
    grid = of(part, series="landscape")[["horizontal", "vertical"]]
    look_at(axes, grid.min(), grid.max())
    return mesh


def _space(part: pd.DataFrame) -> str:
    """The space that a panel shows."""
    return part["space"].iloc[0]
