"""Figure 5: pictures along a path on one level set, and the angle that is read from each."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gicnn.plotting.style import ACCENT, INK, MINIMUM, MUTED, PAGE_WIDTH, new_figure, styled

__all__ = ["CLASSES", "draw", "numbers", "shown_angle"]

_COLUMNS = ["kind", "step", "t", "level", "y", "y_judge", "label", "shown", "image"]
CLASSES = (
    "T-shirt", "trousers", "pullover", "dress", "coat",
    "sandal", "shirt", "sneaker", "bag", "ankle boot",
)  # fmt: skip


def numbers(path: pd.DataFrame, *, pictures: int) -> pd.DataFrame:
    """Choose which pictures of a path are shown; all angles are kept.

    Args:
        path: References ("reference", two) and points of the path ("path"), with image, y and
            y_judge, as the level-set step wrote them.
        pictures: How many reconstructions are shown, evenly spread over the path.

    Returns:
        kind, step, t, level, y, y_judge, label, shown, image; references first and last. Images
        that are not shown are empty.

    Raises:
        ValueError: There are not two references, or no path.
    """
    ends = path[path["kind"] == "reference"].sort_values("t")
    steps = path[path["kind"] == "path"].sort_values("step")
    if len(ends) != 2 or steps.empty:
        raise ValueError(
            f"a path needs two references and a step, got {len(ends)} and {len(steps)}"
        )
    table = pd.concat([ends.iloc[:1], steps, ends.iloc[1:]], ignore_index=True)
    shown = 1 + np.unique(np.linspace(0, len(steps) - 1, pictures).round().astype(int))
    table["shown"] = table.index.isin([0, *shown, len(table) - 1])
    table["image"] = table["image"].where(table["shown"], None)
    return table[_COLUMNS]


@styled()
def draw(numbers: pd.DataFrame) -> Figure:
    """Draw the strip of pictures, angles below, and both angles along the path."""
    figure = new_figure(PAGE_WIDTH, 2.6)
    strip, curve = figure.subfigures(2, 1, height_ratios=[1, 1.55])
    shown = numbers[numbers["shown"]]
    panels = strip.subplots(1, len(shown), gridspec_kw={"wspace": 0.02})
    for axes, row in zip(panels, shown.itertuples(), strict=True):
        _draw_picture(axes, row)
    _draw_angles(curve.subplots(), numbers)
    return figure


def shown_angle(degrees: float) -> str:
    """An angle below a picture, with a mark where there is none.

    Example:
        >>> shown_angle(35.6), shown_angle(float("nan"))
        ('36°', '?')
    """
    return f"{degrees:.0f}°" if np.isfinite(degrees) else "?"


def _draw_picture(axes: Axes, row: tuple) -> None:
    """One picture, dark on white; a frame marks a reference."""
    side = int(np.sqrt(len(row.image)))
    image = np.asarray(row.image, dtype=float).reshape(side, side)
    axes.imshow(image, cmap="gray_r", vmin=0, vmax=1, interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    given = row.kind == "reference"
    if given:
        axes.set_title(CLASSES[row.label], color=ACCENT, size=7.5, pad=3)
    axes.spines[:].set(visible=given, color=ACCENT, linewidth=1.6)
    axes.set_xlabel(shown_angle(row.y_judge), labelpad=3, color=ACCENT if given else INK, size=8)


def _draw_angles(axes: Axes, numbers: pd.DataFrame) -> None:
    steps = numbers[numbers["kind"] == "path"]
    shown = steps[steps["shown"]]
    axes.axhline(steps["level"].iloc[0], color=MUTED, lw=1, ls=(0, (4, 2)), label="level")
    axes.plot(steps["t"], steps["y"], color=MINIMUM, label="predicted by the model")
    axes.plot(steps["t"], steps["y_judge"], color=ACCENT, label="read by the judge")
    axes.plot(shown["t"], shown["y_judge"], "o", ms=3.5, color=ACCENT)
    axes.set_ylim(*_angle_limits(steps))
    axes.set(xlabel="position on the path", ylabel="angle (degrees)", xlim=(-0.02, 1.02))
    axes.legend(ncols=3, loc="upper right", bbox_to_anchor=(1, 1.1))


def _angle_limits(steps: pd.DataFrame) -> tuple[float, float]:
    """At least ten degrees either side of the level, so that small errors look small."""
    level = steps["level"].iloc[0]
    off = (steps[["y", "y_judge"]] - level).abs().to_numpy()
    reach = max(10.0, 1.15 * off[np.isfinite(off)].max(initial=0.0))
    return level - reach, level + reach
