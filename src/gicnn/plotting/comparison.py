"""Figure 4: a function with two minima, seen by the input-convex model and by the baseline."""

from collections.abc import Iterator, Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from gicnn.plotting.plane import (
    as_grid,
    draw_curves,
    draw_mesh,
    draw_minima,
    frame_plane,
    layer,
    look_at,
    minimum_key,
    note_absence,
    of,
)
from gicnn.plotting.style import EMPTY, INK, PAGE_WIDTH, letter, new_figure, styled

__all__ = ["draw", "numbers"]

_TRUE = {"lw": 0.7, "ls": "--"}


def numbers(models: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """Choose landscape, level curves and minima of each model, and what is true in input space.

    Args:
        models: For the title of each model, the tables "curves", "minima" and "landscape".

    Returns:
        Layers "landscape", "curve" and "minimum" for the panels "TITLE, latent space" and
        "TITLE, input space", and "true landscape" for the latter, in the order of ``models``.
    """
    layers = [part for title, tables in models.items() for part in _layers(title, tables)]
    return pd.concat(layers, ignore_index=True)


def _layers(title: str, tables: Mapping[str, pd.DataFrame]) -> Iterator[pd.DataFrame]:
    for space in ("latent", "input"):
        panel = f"{title}, {space} space"
        grid = of(tables["landscape"], space=space)
        yield layer(grid, panel, "landscape", space)
        yield layer(tables["curves"], panel, "curve", space)
        yield layer(tables["minima"], panel, "minimum", space)
        if space == "input":
            yield layer(_every_other(grid), panel, "true landscape", space, "true_y")


def _every_other(grid: pd.DataFrame) -> pd.DataFrame:
    """Fewer points, of which smooth contours come out the same."""
    return grid[(grid["row"] % 2 == 0) & (grid["column"] % 2 == 0)]


@styled()
def draw(numbers: pd.DataFrame) -> Figure:
    """Draw four panels over predicted values, those in input space with the true level curves."""
    figure = new_figure(PAGE_WIDTH, 6.3)
    values = of(numbers, series="landscape")["value"]
    scale = Normalize(values.min(), values.max())
    panels = figure.subplots(2, 2)
    titles = numbers["panel"].unique()
    for axes, title, mark in zip(panels.flat, titles, "abcd", strict=True):
        mesh = _draw_panel(axes, of(numbers, panel=title), scale)
        letter(axes, mark, title)
    label = "predicted $y$; lines: levels of the curves"
    bar = figure.colorbar(mesh, ax=panels, label=label, shrink=0.9, aspect=45)
    bar.ax.hlines(of(numbers, series="curve")["level"].unique(), 0, 1, color=INK, lw=1)
    keys = [
        Line2D([], [], color=INK, label="level curve, as rays from the lowest minimum meet it"),
        Line2D([], [], color=INK, label="true level curve", **_TRUE),
        minimum_key("minimum"),
    ]
    figure.legend(handles=keys, loc="outside lower center", ncols=3)
    return figure


def _draw_panel(axes: Axes, part: pd.DataFrame, scale: Normalize) -> object:
    mesh = draw_mesh(axes, part, scale)
    _draw_truth(axes, part)
    draw_curves(axes, part)
    draw_minima(axes, part)
    note_absence(axes, part)
    frame_plane(axes, _space(part))
    axes.set_facecolor(EMPTY)
    grid = of(part, series="landscape")[["horizontal", "vertical"]]
    look_at(axes, grid.min(), grid.max())
    return mesh


def _draw_truth(axes: Axes, part: pd.DataFrame) -> None:
    """Draw the true function's curves of the same levels as thin dashes."""
    grid = of(part, series="true landscape")
    levels = sorted(of(part, series="curve")["level"].unique())
    if len(grid) and levels:
        look = {"linewidths": _TRUE["lw"], "linestyles": _TRUE["ls"]}
        axes.contour(*as_grid(grid), levels=levels, colors=INK, **look)


def _space(part: pd.DataFrame) -> str:
    """The space that a panel shows."""
    return part["space"].iloc[0]
