"""When two runs count as the same though their bits differ, and why.

Another processor or library rounds sums in another order. Training amplifies that within some
hundred steps to what another seed would do, so that trained numbers agree as far as seeds do.
"""

import math
from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd

__all__ = ["Verdict", "same_claim", "same_column", "same_length", "same_number"]

Verdict = Literal["identical", "within tolerance", "different"]

# About what numbers without an interval differ by from seed to seed; decibels are logarithms.
_RELATIVE = 0.3
_DECIBELS = 1.0
_ROUNDING = 1e-6
# What fails a band varies more than what keeps it.
_FACTOR = 10
_ASKED = ("name", "unit", "printed", "band", "premise")
_GOT = ("status", "measured")
# Points on a path that are invalid or met twice are left out of a table.
_LENGTHS = 2
# Means of a column of points, in its standard deviations.
_SPREADS = 0.5


def same_claim(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Verdict, str]:
    """Two claims agree if they ask for the same and get the same verdicts by numbers that are near.

    Near are numbers that both lie in their band, or within a factor of ten.
    """
    asked, got = (
        [[_only(m, keys) for m in claim["measurements"]] for claim in (one, other)]
        for keys in (_ASKED, _GOT)
    )
    if asked[0] != asked[1]:
        return "different", "other measurements, bands or printed numbers"
    verdicts = [[one["status"], *(m.get("status") for m in got[0])]]
    verdicts += [[other["status"], *(m.get("status") for m in got[1])]]
    if verdicts[0] != verdicts[1]:
        return "different", "another verdict"
    if got[0] == got[1]:
        return "identical", "the same numbers"
    pairs = zip(got[0], got[1], strict=True)
    if all(_near(a.get("measured"), b.get("measured"), a.get("status")) for a, b in pairs):
        return "within tolerance", "the same verdict, by numbers in the band or of the same size"
    return "different", "the same verdict, but by numbers of another size"


def _only(measurement: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: measurement.get(key) for key in keys}


def _near(one: float | None, other: float | None, status: str | None) -> bool:
    if one is None or other is None:
        return one is other
    if status == "reproduced" or one == other:
        return True
    return one * other > 0 and 1 / _FACTOR <= one / other <= _FACTOR


def same_number(key: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Verdict, str]:
    """Two metrics agree if their intervals overlap; without intervals, if they are near.

    Args:
        key: Of the number, such as ``splits.test.property_mae``.
        one: The first run's metrics by such keys, ``intervals.test.property_mae`` among them.
        other: The second run's.
    """
    a, b = one[key], other[key]
    if a == b:
        return "identical", "the same number"
    if not isinstance(a, float) or not isinstance(b, float):
        return "different", "counts, names and units have no tolerance"
    interval = key.replace("splits.", "intervals.", 1)
    if one.get(interval) and other.get(interval):
        apart = max(one[interval][0], other[interval][0]) > min(
            one[interval][1], other[interval][1]
        )
        return (
            ("different", "their 95 % intervals do not overlap")
            if apart
            else ("within tolerance", "their 95 % intervals overlap")
        )
    if key.endswith("psnr"):
        near, said = abs(a - b) <= _DECIBELS, f"{_DECIBELS:g} dB of each other"
    else:
        near = math.isclose(a, b, rel_tol=_RELATIVE, abs_tol=_ROUNDING)
        said = f"{_RELATIVE:.0%} of each other, as seeds are"
    return ("within tolerance", f"within {said}") if near else ("different", f"not within {said}")


def same_length(one: int, other: int) -> tuple[Verdict, str]:
    """Two tables agree in length if neither has more than twice the other's rows."""
    if one == other:
        return "identical", "the same number of rows"
    near = max(one, other) <= _LENGTHS * min(one, other)
    said = f"{_LENGTHS} times as many rows"
    return ("within tolerance", f"no {said}") if near else ("different", f"more than {said}")


def same_column(one: pd.Series, other: pd.Series) -> tuple[Verdict, str, tuple[str, str]]:
    """Two columns of points agree if their means are near, measured by their spread."""
    if one.equals(other):
        return "identical", "the same values", ("", "")
    if not (pd.api.types.is_numeric_dtype(one) and pd.api.types.is_numeric_dtype(other)):
        reason = "names and pictures follow from weights; nothing is asked of them"
        return "within tolerance", reason, ("", "")
    means, spread = (one.mean(), other.mean()), max(one.std(ddof=0), other.std(ddof=0))
    shown = f"mean {means[0]:.4g}", f"mean {means[1]:.4g}"
    near = abs(means[0] - means[1]) <= _SPREADS * spread or math.isclose(
        *means, rel_tol=_RELATIVE if len(one) == 1 else _ROUNDING, abs_tol=_ROUNDING
    )
    said = f"{_SPREADS} standard deviations"
    return (
        ("within tolerance", f"means within {said}", shown)
        if near
        else ("different", f"means further apart than {said}", shown)
    )
