"""A model without any level curve has its figures all the same, and they say so."""

import pytest

from gicnn.plotting import comparison, curve_family, parameterisation, single_curve
from gicnn.plotting.plane import of
from gicnn.plotting.save import save


@pytest.fixture
def tables(curves, minima, landscape, extrapolation):
    return {
        "curves": curves,
        "minima": minima,
        "landscape": landscape,
        "extrapolation": extrapolation,
    }


def without_curves(tables):
    """What a model leaves whose minimum is above every level."""
    nothing = ["mean", "low", "median", "high", "farthest"]
    empty = tables["extrapolation"].assign(points=0, **dict.fromkeys(nothing, float("nan")))
    return {**tables, "curves": tables["curves"].iloc[:0], "extrapolation": empty}


def drawn(name, tables, true_curve):
    curves, minima, landscape, extrapolation = tables.values()
    if name == "single_curve":
        numbers = single_curve.numbers(curves, minima, level=1.0, angle=0.9)
        return numbers, single_curve.draw(numbers)
    if name == "parameterisation":
        numbers = parameterisation.numbers(curves, minima, landscape, level=1.0, rays=8)
        return numbers, parameterisation.draw(numbers)
    if name == "curve_family":
        numbers = curve_family.numbers(curves, minima, landscape, extrapolation, true_curve)
        return numbers, curve_family.draw(numbers, window=3.0)
    numbers = comparison.numbers({"one": tables, "other": tables})
    return numbers, comparison.draw(numbers)


def words(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


NAMES = ["single_curve", "parameterisation", "curve_family", "comparison"]


@pytest.mark.parametrize("name", NAMES)
def test_figure_without_curves_says_so_in_every_panel(name, tables, true_curve, tmp_path):
    numbers, figure = drawn(name, without_curves(tables), true_curve)
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
def test_figure_with_curves_does_not(name, tables, true_curve):
    _, figure = drawn(name, tables, true_curve)
    assert not any(word.startswith("no curve") for word in words(figure))
