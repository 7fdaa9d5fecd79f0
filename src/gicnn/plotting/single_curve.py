"""Figure 1: one level curve in input space and, opened up, in latent space."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gicnn.plotting.plane import (
    draw_curves,
    draw_minima,
    frame_plane,
    layer,
    lowest,
    minimum_key,
    nearest_level,
    note_absence,
    of,
)
from gicnn.plotting.style import ACCENT, MUTED, PAGE_WIDTH, letter, new_figure, styled

__all__ = ["draw", "numbers"]

_SPACES = ("input", "latent")


def numbers(
    curves: pd.DataFrame, minima: pd.DataFrame, *, level: float, angle: float
) -> pd.DataFrame:
    """Choose one level curve, the minimum, and the point of the curve at an angle.

    Args:
        curves: Level curves in both spaces (level, curve, point, angle, z_1, z_2, x_1, x_2, y).
        minima: Minima of the model (z_1, z_2, x_1, x_2, y).
        level: The level wanted; the nearest one in ``curves`` is taken.
        angle: Where the pointer points, in radians.

    Returns:
        Layers "curve", "pointer" and "minimum" for the panels "input" and "latent"; without any
        curve the minimum alone.
    """
    curve = nearest_level(curves, level)
    turned = np.abs(np.angle(np.exp(1j * (curve["angle"] - angle))))
    nearest = curve.iloc[np.argsort(turned)[:1]]
    parts = {"curve": curve, "pointer": nearest, "minimum": lowest(minima)}
    return pd.concat(
        [layer(part, space, kind, space) for space in _SPACES for kind, part in parts.items()],
        ignore_index=True,
    )


@styled()
def draw(numbers: pd.DataFrame) -> Figure:
    """Draw the curve in both spaces; the pointer turns about the minimum in the latent one."""
    figure = new_figure(PAGE_WIDTH, 3.3)
    for axes, space, mark in zip(figure.subplots(1, 2), _SPACES, "ab", strict=True):
        part = of(numbers, panel=space)
        draw_curves(axes, part)
        note_absence(axes, part)
        if space == "latent" and len(of(part, series="pointer")):
            _draw_pointer(axes, part)
        _draw_tip(axes, part)
        draw_minima(axes, part)
        frame_plane(axes, space)
        letter(axes, mark, f"{space} space{_level(part)}")
    figure.legend(handles=[minimum_key("minimum")], loc="outside lower center")
    return figure


def _level(part: pd.DataFrame) -> str:
    levels = of(part, series="curve")["level"]
    return "" if levels.empty else f", $y$ = {levels.iloc[0]:g}"


def _draw_tip(axes: Axes, part: pd.DataFrame) -> None:
    tip = of(part, series="pointer")
    axes.scatter(
        tip["horizontal"], tip["vertical"], s=30, c="white", edgecolor=ACCENT, lw=1.4, zorder=6
    )


def _draw_pointer(axes: Axes, part: pd.DataFrame) -> None:
    """A line from the minimum to the curve, the zero direction, and the angle between them."""
    tip, centre = (
        of(part, series=kind)[["horizontal", "vertical"]].to_numpy()[0]
        for kind in ("pointer", "minimum")
    )
    along = tip - centre
    reach = np.hypot(*along)
    angle = np.arctan2(along[1], along[0]) % (2 * np.pi)
    arc = np.linspace(0, angle, 60)
    ring = centre[:, None] + 0.3 * reach * np.stack([np.cos(arc), np.sin(arc)])
    axes.plot([centre[0], centre[0] + 0.6 * reach], [centre[1]] * 2, color=MUTED, lw=1)
    axes.plot(*ring, color=ACCENT, lw=1)
    axes.plot(*np.stack([centre, tip], axis=1), color=ACCENT, lw=1.4, zorder=4)
    place = centre + 0.42 * reach * np.array([np.cos(angle / 2), np.sin(angle / 2)])
    axes.text(*place, r"$\theta$", color=ACCENT, ha="center", va="center")
    radius = (centre + tip) / 2 + 0.09 * reach * np.array([-np.sin(angle), np.cos(angle)])
    axes.text(*radius, r"$\gamma(\theta)$", color=ACCENT, ha="right", va="bottom")
