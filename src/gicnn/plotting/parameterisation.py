"""Figure 2: a level curve found along rays from the minimum, over the landscape."""

import numpy as np
import pandas as pd
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from gicnn.plotting.plane import (
    draw_curves,
    draw_dots,
    draw_minima,
    frame_plane,
    layer,
    lowest,
    minimum_key,
    nearest_level,
    note_absence,
    of,
)
from gicnn.plotting.style import INK, PAGE_WIDTH, letter, new_figure, styled

__all__ = ["draw", "numbers"]

_SPACES = ("latent", "input")
_DOTS_PER_SIDE = 45  # as many as stay apart at page width
_MARGIN = 0.12  # about the curve in input space, in its own size
_HALO = withStroke(linewidth=1.6, foreground="white")


def numbers(
    curves: pd.DataFrame, minima: pd.DataFrame, landscape: pd.DataFrame, *, level: float, rays: int
) -> pd.DataFrame:
    """Choose one level curve, the landscape close to it, the minimum, and evenly turned rays.

    Args:
        curves: Level curves in both spaces.
        minima: Minima of the model.
        landscape: Predicted values on grids (space, level, row, column, x_1 ... y): of those of
            space "curve" the one about that level is taken; in input space, what is near it.
        level: The level wanted; the nearest one in ``curves`` is taken.
        rays: How many points of the curve are numbered, at even steps of the angle.

    Returns:
        Layers "landscape", "curve", "ray" and "minimum" for the panels "latent" and "input";
        without any curve the landscape over all codes and the minimum alone.
    """
    curve = nearest_level(curves, level)
    ends = _at_even_angles(curve, rays)
    close = of(landscape, space="latent" if curve.empty else "curve")
    grid = _thinned(close if curve.empty else nearest_level(close, curve["level"].iloc[0]))
    grids = {"latent": grid, "input": _near(curve, grid)}
    parts = {"curve": curve, "ray": ends, "minimum": lowest(minima)}
    return pd.concat(
        [
            layer(part, space, kind, space)
            for space in _SPACES
            for kind, part in {"landscape": grids[space], **parts}.items()
        ],
        ignore_index=True,
    )


def _at_even_angles(curve: pd.DataFrame, rays: int) -> pd.DataFrame:
    if curve.empty:
        return curve
    wanted = np.arange(rays) * 2 * np.pi / rays
    away = np.abs(np.angle(np.exp(1j * (wanted[:, None] - curve["angle"].to_numpy()))))
    return curve.iloc[away.argmin(axis=1)].assign(point=np.arange(1, rays + 1))


def _near(curve: pd.DataFrame, grid: pd.DataFrame) -> pd.DataFrame:
    """The dots whose images are near a curve in input space; h may carry others far away."""
    if curve.empty:
        return grid
    names = ["x_1", "x_2"]
    low, high = curve[names].min(), curve[names].max()
    away = (grid[names] - (low + high) / 2).abs() / (high - low)
    return grid[(away <= 0.5 + _MARGIN).all(axis=1)]


def _thinned(grid: pd.DataFrame) -> pd.DataFrame:
    step = -(-max(grid["row"].nunique(), 1) // _DOTS_PER_SIDE)
    return grid[(grid["row"] % step == 0) & (grid["column"] % step == 0)]


@styled()
def draw(numbers: pd.DataFrame) -> Figure:
    """Draw coloured points, the curve on top, and the same numbers at matching points."""
    figure = new_figure(PAGE_WIDTH, 3.1)
    values = of(numbers, series="landscape")["value"]
    scale = PowerNorm(0.5, values.min(), values.max())  # more colours near the curve
    panels = figure.subplots(1, 2)
    for axes, space, mark in zip(panels, _SPACES, "ab", strict=True):
        part = of(numbers, panel=space)
        draw_dots(axes, part, scale, size=6)
        draw_curves(axes, part)
        note_absence(axes, part)
        if space == "latent":
            _draw_rays(axes, part)
        _draw_numbers(axes, part)
        draw_minima(axes, part)
        frame_plane(axes, space)
        letter(axes, mark, f"{space} space")
    bar = figure.colorbar(panels[0].collections[0], ax=panels, label="predicted $y$", shrink=0.9)
    bar.ax.hlines(of(numbers, series="curve")["level"].unique(), 0, 1, color=INK)
    figure.legend(handles=[minimum_key("minimum")], loc="outside lower center")
    return figure


def _draw_rays(axes: Axes, part: pd.DataFrame) -> None:
    centre = of(part, series="minimum").iloc[0]
    for ray in of(part, series="ray").itertuples():
        ends = [centre.horizontal, ray.horizontal], [centre.vertical, ray.vertical]
        axes.plot(*ends, color=INK, lw=0.6, zorder=3)


def _draw_numbers(axes: Axes, part: pd.DataFrame) -> None:
    """A number outside the curve at the end of each ray."""
    curve = of(part, series="curve").sort_values("point")[["horizontal", "vertical"]].to_numpy()
    for end in of(part, series="ray").itertuples():
        place = np.array([end.horizontal, end.vertical])
        axes.scatter(*place, s=9, c="white", edgecolor=INK, lw=0.8, zorder=4)
        axes.annotate(
            str(end.point), place, 8 * _outward(curve, place), textcoords="offset points",
            size=7, ha="center", va="center", zorder=6, path_effects=[_HALO],
        )  # fmt: skip


def _outward(curve: Float[np.ndarray, "n 2"], place: Float[np.ndarray, "2"]) -> np.ndarray:
    """The unit normal that leaves a closed curve at one of its points."""
    here = np.hypot(*(curve - place).T).argmin()
    along = curve[(here + 1) % len(curve)] - curve[here - 1]
    across, up = curve.T
    turn = np.sign(across @ np.roll(up, -1) - up @ np.roll(across, -1))
    return turn * np.array([along[1], -along[0]]) / np.hypot(*along)
