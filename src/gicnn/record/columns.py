"""Whether two tables of two runs count as the same, column by column, and why."""

import math

import pandas as pd

from gicnn.record.agreement import Verdict
from gicnn.record.tolerances import Tolerance

__all__ = ["same_column", "same_length"]

_ENDLESS = [math.inf, -math.inf]


def same_length(one: int, other: int, tolerance: Tolerance) -> tuple[Verdict, str]:
    """Two tables agree in length if neither has many more rows than the other."""
    if one == other:
        return "identical", "the same number of rows"
    near = max(one, other) <= tolerance.lengths * max(min(one, other), 1)
    said = f"{tolerance.lengths:g} times as many rows"
    return ("within tolerance", f"no {said}") if near else ("different", f"more than {said}")


def same_column(
    one: pd.Series, other: pd.Series, tolerance: Tolerance
) -> tuple[Verdict, str, tuple[str, str]]:
    """Two columns of points agree if their means are near, measured by their spread, and that too.

    The points themselves follow from weights, so that the order of rows is not compared.
    """
    if one.equals(other):
        return "identical", "the same values", ("", "")
    are_numbers = [pd.api.types.is_numeric_dtype(column) for column in (one, other)]
    if not any(are_numbers):
        reason = "names and pictures follow from weights; nothing is asked of them"
        return "within tolerance", reason, ("", "")
    if not all(are_numbers):
        return "different", "numbers in one run only", (str(one.dtype), str(other.dtype))
    return _same_points(one, other, tolerance)


def _same_points(
    one: pd.Series, other: pd.Series, tolerance: Tolerance
) -> tuple[Verdict, str, tuple[str, str]]:
    one, other = (column.astype("Float64").replace(_ENDLESS, pd.NA) for column in (one, other))
    gaps = [1 - column.count() / max(len(column), 1) for column in (one, other)]
    few = max(tolerance.gaps, 1 / max(min(len(one), len(other)), 1))
    emptied = gaps.count(1) == 1 and tolerance.gaps < 1
    if emptied or abs(gaps[0] - gaps[1]) > few:
        shown = tuple(f"{gap:.0%} missing" for gap in gaps)
        return "different", "far more values are missing in one run", shown
    points = [column.dropna().astype(float) for column in (one, other)]
    if not all(map(len, points)):
        return "within tolerance", "no values", ("", "")
    means = [column.mean() for column in points]
    narrow, wide = sorted(column.std(ddof=0) for column in points)
    shown = tuple(f"mean {mean:.4g}" for mean in means)
    if wide > max(tolerance.factor * narrow, tolerance.relative * max(map(abs, means))):
        reason = f"more than {tolerance.factor:g} times as wide a spread"
        return "different", reason, shown
    if abs(means[0] - means[1]) <= tolerance.spreads * narrow:
        return "within tolerance", f"means within {tolerance.spreads:g} standard deviations", shown
    relative = tolerance.relative if max(map(len, points)) == 1 else tolerance.means
    if math.isclose(*means, rel_tol=relative, abs_tol=tolerance.absolute):
        return "within tolerance", f"means within {relative:.2g} of each other", shown
    reason = f"means further apart than {tolerance.spreads:g} standard deviations"
    return "different", reason, shown
