"""The same picture gives the same bytes, whoever draws it."""

from io import BytesIO

import matplotlib
import pandas as pd
import pytest
from PIL import Image

from gicnn.plotting import comparison, parameterisation
from gicnn.plotting.save import save


@pytest.fixture(scope="module")
def draw(curves, minima, landscape):
    def drawn():
        numbers = parameterisation.numbers(curves, minima, landscape, level=1.0, rays=4)
        return parameterisation.draw(numbers), numbers

    return drawn


def saved(folder, figure, numbers):
    paths = {kind: folder / f"picture.{kind}" for kind in ("svg", "png", "parquet")}
    save(figure, numbers, svg=paths["svg"], png=paths["png"], table=paths["parquet"])
    return {kind: path.read_bytes() for kind, path in paths.items()}


@pytest.fixture(scope="module")
def figure_and_numbers(draw):
    return draw()


@pytest.fixture(scope="module")
def files(figure_and_numbers, tmp_path_factory):
    return saved(tmp_path_factory.mktemp("first"), *figure_and_numbers)


def test_a_picture_saved_twice_gives_the_same_bytes(tmp_path, figure_and_numbers, files):
    assert saved(tmp_path, *figure_and_numbers) == files


def test_a_picture_drawn_twice_gives_the_same_bytes_whatever_the_readers_settings(
    tmp_path, draw, files
):
    own = {"font.size": 20, "svg.fonttype": "none", "savefig.dpi": 50, "axes.grid": True}
    with matplotlib.rc_context(own):
        assert saved(tmp_path, *draw()) == files


def test_a_picture_with_a_surface_gives_the_same_bytes(tmp_path, curves, minima, landscape):
    tables = {"curves": curves, "minima": minima, "landscape": landscape}
    numbers = comparison.numbers({"one": tables, "other": tables})
    first, second = (saved(tmp_path, comparison.draw(numbers), numbers) for _ in range(2))
    assert first == second


def test_files_hold_no_date_and_no_version(files):
    assert b"<dc:date>" not in files["svg"]
    assert matplotlib.__version__.encode() not in files["svg"]
    assert b"Matplotlib" not in files["png"]


def test_the_png_has_200_dots_per_inch_and_the_table_is_what_was_drawn(files, figure_and_numbers):
    figure, numbers = figure_and_numbers

    with Image.open(BytesIO(files["png"])) as image:
        assert image.size == tuple(round(200 * inches) for inches in figure.get_size_inches())
    pd.testing.assert_frame_equal(pd.read_parquet(BytesIO(files["parquet"])), numbers)


def test_numbers_that_cannot_be_saved_leave_no_half_file(tmp_path, figure_and_numbers):
    figure, numbers = figure_and_numbers
    with pytest.raises(Exception, match="object"):
        saved(tmp_path, figure, numbers.assign(value=[object()] * len(numbers)))

    assert sorted(path.name for path in tmp_path.iterdir()) == ["picture.png", "picture.svg"]
