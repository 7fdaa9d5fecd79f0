"""How wrong level curves are, by distance from the training data."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from gicnn.plotting.plane import layer, of
from gicnn.plotting.style import ACCENT, MINIMUM, MUTED

__all__ = ["draw_errors", "error_layers"]

_INNERMOST = 0.5  # where the first range, which begins at 0, begins on a logarithmic axis
_BEYOND = 3.0  # how far the last range, which has no end, is drawn, in times of its beginning
_SERIES = {
    "relative_error": ("error of $y$, % of the level", ACCENT),
    "displacement": ("distance from the true curve, % of that from the centre", MINIMUM),
}


def error_layers(extrapolation: pd.DataFrame, panel: str) -> pd.DataFrame:
    """Choose the errors that are shares, in the ranges that hold any point.

    Args:
        extrapolation: Errors by distance (quantity, distance_from, distance_to, mean, low,
            median, high).
        panel: The panel in which they are drawn.

    Returns:
        Layers "relative_error" and "displacement": ``horizontal`` is where a range begins and
        ``until`` where it ends, in half sides of the training square; ``vertical`` is the
        median, with ``low`` and ``high``, and ``value`` the mean, in per cent.
    """
    return pd.concat(
        [_layer(of(extrapolation, quantity=name), panel, name) for name in _SERIES],
        ignore_index=True,
    )


def _layer(ranges: pd.DataFrame, panel: str, series: str) -> pd.DataFrame:
    shown = ranges[ranges["median"].notna()].reset_index(drop=True)
    shares = ["low", "median", "high", "mean"]
    shown[shares] = 100 * shown[shares]
    until = shown["distance_to"].clip(upper=_BEYOND * shown["distance_from"].max())
    points = layer(shown, panel, series, "distance", "mean")
    return points.assign(until=until, low=shown["low"], high=shown["high"])


def draw_errors(axes: Axes, numbers: pd.DataFrame) -> None:
    """Draw the median of each range as a step, with its 10 to 90 % band, on logarithmic axes."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    for name, (label, colour) in _SERIES.items():
        part = of(numbers, series=name)
        if len(part):
            _draw_steps(axes, part, label, colour)
    axes.axvline(1, color=MUTED, lw=1, ls=(0, (4, 2)), zorder=1)
    axes.text(0.97, 0.97, "training data", transform=axes.get_xaxis_transform(),
              size=7, color=MUTED, ha="right", va="top")  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel("distance from the centre, in half sides of the training square")
    axes.set_ylabel("%", rotation=0, ha="right", va="center")


def _draw_steps(axes: Axes, part: pd.DataFrame, label: str, colour: str) -> None:
    edges = part["horizontal"].clip(lower=_INNERMOST)
    for start, row in zip(edges, part.itertuples(), strict=True):
        band = axes.fill_between([start, row.until], row.low, row.high, color=colour, alpha=0.2)
        band.set_linewidth(0)
    axes.step([*edges, part["until"].iloc[-1]], [*part["vertical"], part["vertical"].iloc[-1]],
              where="post", color=colour, label=label)  # fmt: skip
