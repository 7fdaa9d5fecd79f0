"""A model without any level curve has its figures all the same, and they say so."""

import pytest

from gicnn.plotting import comparison, curve_family, parameterisation, single_curve
from gicnn.plotting.plane import of
from gicnn.plotting.save import save


def drawn(name, curves, minima, landscape):
    if name == "single_curve":
        numbers = single_curve.numbers(curves, minima, level=1.0, angle=0.9)
        return numbers, single_curve.draw(numbers)
    if name == "parameterisation":
        numbers = parameterisation.numbers(curves, minima, landscape, level=1.0, rays=8)
        return numbers, parameterisation.draw(numbers)
    if name == "curve_family":
        numbers = curve_family.numbers(curves, minima, landscape)
        return numbers, curve_family.draw(numbers, window=3.0)
    tables = {"curves": curves, "minima": minima, "landscape": landscape}
    numbers = comparison.numbers({"one": tables, "other": tables})
    return numbers, comparison.draw(numbers)


def words(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


NAMES = ["single_curve", "parameterisation", "curve_family", "comparison"]


@pytest.mark.parametrize("name", NAMES)
def test_figure_without_curves_says_so_in_every_panel(name, curves, minima, landscape, tmp_path):
    numbers, figure = drawn(name, curves.iloc[:0], minima, landscape)
    panels = 4 if name == "comparison" else 2

    assert sum(word.startswith("no curve") for word in words(figure)) == panels
    assert of(numbers, series="curve").empty
    save(
        figure,
        numbers,
        svg=tmp_path / "a.svg",
        png=tmp_path / "a.png",
        table=tmp_path / "a.parquet",
    )


@pytest.mark.parametrize("name", NAMES)
def test_figure_with_curves_does_not(name, curves, minima, landscape):
    _, figure = drawn(name, curves, minima, landscape)
    assert not any(word.startswith("no curve") for word in words(figure))
