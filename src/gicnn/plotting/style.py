"""One look for every picture, whatever the reader's own matplotlib settings are."""

from contextlib import AbstractContextManager

import matplotlib.style
import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

__all__ = [
    "ACCENT",
    "EMPTY",
    "INK",
    "LANDSCAPE",
    "LEVELS",
    "MINIMUM",
    "MUTED",
    "PAGE_WIDTH",
    "letter",
    "new_figure",
    "styled",
]

PAGE_WIDTH = 6.9  # inches: the text width of the paper's two columns
INK = "#1a1a1a"
MUTED = "#8a8f98"
EMPTY = "#f1f2f4"
ACCENT = "#d55e00"  # with the blue, a pair that colour-blind readers tell apart
MINIMUM = "#0072b2"

_SETTINGS = {
    "font.family": "DejaVu Sans",  # matplotlib brings it, so the picture is the same everywhere
    "font.size": 8.5,
    "axes.titlesize": 9,
    "axes.labelsize": 8.5,
    "axes.linewidth": 0.7,
    "axes.edgecolor": "#444444",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "lines.solid_joinstyle": "round",
    "figure.facecolor": "white",
    "figure.constrained_layout.w_pad": 0.05,
    "figure.constrained_layout.h_pad": 0.05,
}


def _part(name: str, low: float, high: float) -> ListedColormap:
    colours = colormaps[name](np.linspace(low, high, 256))
    return ListedColormap(colours, name=f"{name}_part")


LANDSCAPE = _part("magma_r", 0.02, 0.66)  # light enough that black curves stay readable
LEVELS = _part("viridis", 0.0, 0.88)  # dark enough for thin lines on white


def styled() -> AbstractContextManager[None]:
    """The settings under which every picture is drawn; a decorator as well."""
    return matplotlib.style.context(["default", _SETTINGS])


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, inches wide and high, that arranges its own margins."""
    return Figure(figsize=(width, height), layout="constrained")


def letter(axes: Axes, mark: str, title: str) -> None:
    """Title a panel, with its letter first."""
    axes.set_title(f"({mark})  {title}", loc="left")
