"""Beside Figure 5: one path for each pair of classes."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gicnn.plotting.image_path import CLASSES, shown_angle
from gicnn.plotting.style import INK, PAGE_WIDTH, new_figure, styled

__all__ = ["draw", "numbers"]

_COLUMNS = ["start_label", "end_label", "t", "read", "image"]


def numbers(pictures: pd.DataFrame) -> pd.DataFrame:
    """Sort the pictures of one path for each ordered pair of classes.

    Args:
        pictures: start_label, end_label, t, read (the judge's angle) and image, as the
            level-set step wrote them.

    Returns:
        The same columns, by classes and position, the images in whole steps of grey from 0 to 255.
    """
    rows = pictures.sort_values(_COLUMNS[:3], ignore_index=True)[_COLUMNS]
    grey = [np.round(255 * np.asarray(image)).astype(np.uint8) for image in rows["image"]]
    return rows.assign(image=grey)


@styled()
def draw(numbers: pd.DataFrame) -> Figure:
    """Draw a strip for each pair of classes, in two columns; below each picture stands its angle.

    Args:
        numbers: As ``numbers`` gives them.
    """
    strips = [rows for _, rows in numbers.groupby(["start_label", "end_label"])]
    rows = -(-len(strips) // 2)
    figure = new_figure(PAGE_WIDTH, 0.55 * rows)
    panels = figure.subplots(rows, 2, squeeze=False)
    for axes in panels.flat:
        axes.set_axis_off()
    for axes, strip in zip(panels.T.flat, strips, strict=False):
        _draw_strip(axes, strip)
    return figure


def _draw_strip(axes: Axes, strip: pd.DataFrame) -> None:
    images = [np.asarray(image, dtype=float) for image in strip["image"]]
    side = int(np.sqrt(len(images[0])))
    axes.imshow(
        np.hstack([image.reshape(side, side) for image in images]),
        cmap="gray_r", vmin=0, vmax=255, interpolation="nearest",
    )  # fmt: skip
    for place, read in enumerate(strip["read"]):
        text = shown_angle(read)
        axes.text((place + 0.5) * side, side + 1, text, size=5.5, color=INK, ha="center", va="top")
    first, last = (CLASSES[int(strip[name].iloc[0])] for name in ("start_label", "end_label"))
    axes.text(-2, side / 2, f"{first} to\n{last}", size=6, ha="right", va="center", color=INK)
