"""Save a picture and its numbers so that the same picture gives the same bytes."""

from pathlib import Path

import matplotlib
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from gicnn.files import write_atomically
from gicnn.plotting.style import styled

__all__ = ["save"]

_RESOLUTION = 200
_SVG = {"svg.hashsalt": "gicnn", "svg.fonttype": "path"}


def save(
    figure: Figure, numbers: pd.DataFrame, *, svg: str | Path, png: str | Path, table: str | Path
) -> None:
    """Write a figure as SVG and PNG, and the numbers in it as Parquet.

    The files hold no date and no software version.

    Args:
        figure: The picture.
        numbers: What is drawn in it.
        svg: Where the vector picture goes.
        png: Where the picture of 200 dots per inch goes.
        table: Where the numbers go.
    """
    with styled(), matplotlib.rc_context(_SVG):
        _settle(figure)
        with write_atomically(svg) as path:
            FigureCanvasSVG(figure).print_svg(path, metadata={"Date": None, "Creator": None})
        with write_atomically(png) as path:
            figure.set_dpi(_RESOLUTION)  # the SVG writer leaves its own
            FigureCanvasAgg(figure).print_png(path, metadata={"Software": None})
    with write_atomically(table) as path:
        _save_small(numbers, path)


def _save_small(numbers: pd.DataFrame, path: Path) -> None:
    """Pack the first bytes of all numbers together, which along a curve are much the same."""
    numbers.to_parquet(
        path,
        index=False,
        compression="zstd",
        compression_level=15,
        use_dictionary=False,
        use_byte_stream_split=list(numbers.select_dtypes("floating").columns),
    )


def _settle(figure: Figure) -> None:
    """Arrange the panels once and for all: arranging anew at each draw moves them a little."""
    figure.set_dpi(_RESOLUTION)
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
