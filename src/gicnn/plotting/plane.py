"""What pictures of a plane share: layers of one long table, and how each kind is drawn."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Normalize
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from gicnn.plotting.style import INK, LANDSCAPE, MINIMUM, MUTED

__all__ = [
    "as_grid",
    "corners",
    "draw_curves",
    "draw_dots",
    "draw_mesh",
    "draw_minima",
    "draw_outline",
    "frame_plane",
    "layer",
    "look_at",
    "lowest",
    "minimum_key",
    "nearest_level",
    "note_absence",
    "of",
]

_AXES = {
    "input": ("x_1", "x_2"),
    "latent": ("z_1", "z_2"),
    "distance": ("distance_from", "median"),
}
_LABELS = {"input": ("$x_1$", "$x_2$"), "latent": ("$z_1$", "$z_2$")}


def layer(
    frame: pd.DataFrame, panel: str, series: str, space: str, value: str = "y"
) -> pd.DataFrame:
    """Points of one kind in one panel, in the columns that all layers share.

    Args:
        frame: A table with the two columns of the space, a column ``value``, and perhaps curve,
            point, angle, level, goes_on, row and column.
        panel: The panel in which the points are drawn.
        series: What they are, such as "curve".
        space: "input" (x_1, x_2), "latent" (z_1, z_2) or "distance" (distance_from, median).
        value: The column that decides the colour.

    Returns:
        panel, series, space, curve, point, row, column, angle, level, goes_on, horizontal,
        vertical, value; whole numbers are -1 and others NaN where they mean nothing.
    """
    across, up = _AXES[space]
    whole = {name: frame.get(name, -1) for name in ("curve", "point", "row", "column")}
    real = {name: frame.get(name, np.nan) for name in ("angle", "level")}
    linked = {"goes_on": frame.get("goes_on", False)}
    drawn = {"horizontal": frame[across], "vertical": frame[up], "value": frame[value]}
    names = {"panel": panel, "series": series, "space": space}
    return pd.DataFrame({**names, **whole, **real, **linked, **drawn}).reset_index(drop=True)


def of(numbers: pd.DataFrame, **values: str) -> pd.DataFrame:
    """The rows whose columns have these values."""
    for name, value in values.items():
        numbers = numbers[numbers[name] == value]
    return numbers


def nearest_level(curves: pd.DataFrame, level: float) -> pd.DataFrame:
    """The curves of the level nearest to the one wanted; an empty table stays empty."""
    levels = curves["level"].unique()
    return curves[curves["level"] == min(levels, key=lambda each: abs(each - level), default=0.0)]


def lowest(minima: pd.DataFrame) -> pd.DataFrame:
    """The one minimum of least value, as a table of one row."""
    return minima.nsmallest(1, "y")


def corners(landscape: pd.DataFrame, space: str) -> pd.DataFrame:
    """Five points, first and last the same, around a landscape."""
    across, up = _AXES[space]
    part = of(landscape, space=space)
    left, right = part[across].min(), part[across].max()
    low, high = part[up].min(), part[up].max()
    points = {across: [left, right, right, left, left], up: [low, low, high, high, low]}
    return pd.DataFrame({**points, "y": np.nan, "point": range(5)})


def draw_curves(
    axes: Axes, numbers: pd.DataFrame, colour: Callable[[float], object] | None = None
) -> None:
    """Draw each level curve, broken where it does not go on to the next point."""
    for (level, _), curve in of(numbers, series="curve").groupby(["level", "curve"]):
        line = _traced(curve.sort_values("point"))
        axes.plot(*line, color=INK if colour is None else colour(level), zorder=3)


def _traced(curve: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates back to the first point, with a hole wherever the curve does not go on."""
    around = np.r_[0 : len(curve), 0]
    after = np.flatnonzero(~curve["goes_on"].to_numpy()) + 1
    across, up = (curve[name].to_numpy()[around] for name in ("horizontal", "vertical"))
    return np.insert(across, after, np.nan), np.insert(up, after, np.nan)


def draw_minima(axes: Axes, numbers: pd.DataFrame) -> None:
    """Draw stationary points as blue dots."""
    dots = of(numbers, series="minimum")
    axes.scatter(
        dots["horizontal"], dots["vertical"], s=34, c=MINIMUM, edgecolor="white", lw=0.8, zorder=5
    )


def minimum_key(label: str) -> Line2D:
    """What a legend shows for the dots of :func:`draw_minima`."""
    look = {"marker": "o", "ms": 5.5, "mfc": MINIMUM, "mec": "white", "mew": 0.8}
    return Line2D([], [], ls="", label=label, **look)


def draw_mesh(axes: Axes, numbers: pd.DataFrame, scale: Normalize | None) -> QuadMesh:
    """Draw a landscape as a coloured surface."""
    grid = as_grid(of(numbers, series="landscape"))
    return axes.pcolormesh(*grid, cmap=LANDSCAPE, norm=scale, shading="nearest", rasterized=True)


def as_grid(landscape: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Horizontal and vertical coordinates and values of a landscape, each by row and column."""
    shape = (landscape["row"].nunique(), landscape["column"].nunique())
    ordered = landscape.sort_values(["row", "column"])
    across, up, value = (
        ordered[name].to_numpy().reshape(shape) for name in ("horizontal", "vertical", "value")
    )
    return across, up, value


def draw_dots(axes: Axes, numbers: pd.DataFrame, scale: Normalize, size: float) -> None:
    """Draw a landscape as coloured points."""
    dots = of(numbers, series="landscape")
    axes.scatter(
        dots["horizontal"],
        dots["vertical"],
        c=dots["value"],
        cmap=LANDSCAPE,
        norm=scale,
        s=size,
        lw=0,
    )


def note_absence(axes: Axes, numbers: pd.DataFrame) -> None:
    """Say so where a model has no level curve, as one that has hardly been trained."""
    if of(numbers, series="curve").empty:
        value = of(numbers, series="minimum")["value"].min()
        axes.text(
            0.5, 0.04, f"no curve: from this model's minimum, y = {value:.3g},\nno level is met",
            transform=axes.transAxes, size=7, color=MUTED, ha="center", va="bottom", zorder=6,
        )  # fmt: skip


def draw_outline(axes: Axes, numbers: pd.DataFrame) -> None:
    """Draw the border of the training data."""
    border = of(numbers, series="training square").sort_values("point")
    axes.plot(
        border["horizontal"], border["vertical"], color=MUTED, lw=1, ls=(0, (4, 2)), zorder=2
    )


def frame_plane(axes: Axes, space: str) -> None:
    """A square panel with the names of its axes; where angles count, equal units both ways."""
    axes.set_box_aspect(1)
    if space == "latent":
        axes.set_aspect("equal", adjustable="datalim")
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.set_xlabel(_LABELS[space][0])
    axes.set_ylabel(_LABELS[space][1], rotation=0, ha="right", va="center")


def look_at(axes: Axes, low: pd.Series, high: pd.Series) -> None:
    """Show a square around a box given by its corners (horizontal, vertical), with a margin."""
    half = 0.52 * (high - low).max()
    middle = (low + high) / 2
    axes.set_xlim(middle["horizontal"] - half, middle["horizontal"] + half)
    axes.set_ylim(middle["vertical"] - half, middle["vertical"] + half)
