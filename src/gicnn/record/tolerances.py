"""When two runs count as the same though their bits differ, and why.

Another processor or library rounds sums in another order. Training amplifies that within some
hundred steps to what another seed would do, so that trained numbers agree as far as seeds do.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

__all__ = [
    "HARDLY_TRAINED",
    "TRAINED",
    "Tolerance",
    "Verdict",
    "same_claim",
    "same_column",
    "same_length",
    "same_number",
]

Verdict = Literal["identical", "within tolerance", "different"]

_ROUNDING = 1e-6
_ASKED = ("name", "unit", "printed", "band", "premise")
_GOT = ("status", "measured")


@dataclass(frozen=True)
class Tolerance:
    """How far numbers of two runs may be apart.

    Attributes:
        relative: Of each other; about what seeds differ by.
        decibels: The same for numbers that are logarithms.
        lengths: How many times as many rows: points on a path that are invalid or met twice are
            left out of a table.
        spreads: Of the means of a column of points, in its standard deviations.
        factor: Between numbers that fail a band alike; they vary more than what keeps it.
        absolute: Of each other, for numbers near 0.
        means: Relative, of the means of a column that hardly varies.
        by_interval: Whether numbers with intervals are judged by these.
        any_verdict: Whether a claim may get another verdict.
    """

    relative: float = 0.3
    decibels: float = 1.0
    lengths: float = 2.0
    spreads: float = 0.5
    factor: float = 10.0
    absolute: float = _ROUNDING
    means: float = _ROUNDING
    by_interval: bool = True
    any_verdict: bool = False


TRAINED = Tolerance()
# After a few epochs errors fall by half in each, and rounding decides how far a training has got:
# between an Intel with AMX and an AMD without, shares of exact graphs differed 18-fold. What is
# left to compare: files, keys, columns, counts and bands, and numbers by their order of magnitude.
HARDLY_TRAINED = Tolerance(
    relative=0.99,
    decibels=10.0,
    lengths=100.0,
    spreads=10.0,
    absolute=0.2,
    means=0.99,
    by_interval=False,
    any_verdict=True,
)


def same_claim(
    one: Mapping[str, Any], other: Mapping[str, Any], tolerance: Tolerance = TRAINED
) -> tuple[Verdict, str]:
    """Two claims agree if they ask for the same and get the same verdicts by numbers that are near.

    Near are numbers that both lie in their band, or within the tolerance's factor.
    """
    asked, got = (
        [[_only(m, keys) for m in claim["measurements"]] for claim in (one, other)]
        for keys in (_ASKED, _GOT)
    )
    if asked[0] != asked[1]:
        return "different", "other measurements, bands or printed numbers"
    verdicts = [[one["status"], *(m.get("status") for m in got[0])]]
    verdicts += [[other["status"], *(m.get("status") for m in got[1])]]
    if got[0] == got[1] and verdicts[0] == verdicts[1]:
        return "identical", "the same numbers"
    if tolerance.any_verdict:
        return "within tolerance", "hardly trained, so that rounding may decide"
    if verdicts[0] != verdicts[1]:
        return "different", "another verdict"
    pairs = zip(got[0], got[1], strict=True)
    if all(_near(a, b, tolerance) for a, b in pairs):
        return "within tolerance", "the same verdict, by numbers in the band or of the same size"
    return "different", "the same verdict, but by numbers of another size"


def _only(measurement: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: measurement.get(key) for key in keys}


def _near(one: Mapping[str, Any], other: Mapping[str, Any], tolerance: Tolerance) -> bool:
    a, b = one["measured"], other["measured"]
    if a is None or b is None:
        return a is b
    if one["status"] == "reproduced" or a == b:
        return True
    return a * b > 0 and 1 / tolerance.factor <= a / b <= tolerance.factor


def same_number(
    key: str,
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    tolerance: Tolerance = TRAINED,
) -> tuple[Verdict, str]:
    """Two metrics agree if their intervals overlap; without intervals, if they are near.

    Args:
        key: Of the number, such as ``splits.test.property_mae``.
        one: The first run's metrics by such keys, ``intervals.test.property_mae`` among them.
        other: The second run's.
        tolerance: How near.
    """
    a, b = one[key], other[key]
    if a == b:
        return "identical", "the same number"
    if not isinstance(a, float) or not isinstance(b, float):
        return "different", "counts, names and units have no tolerance"
    interval = key.replace("splits.", "intervals.", 1)
    if one.get(interval) and other.get(interval) and tolerance.by_interval:
        if _overlap(one[interval], other[interval]):
            return "within tolerance", "their 95 % intervals overlap"
        return "different", "their 95 % intervals do not overlap"
    if key.endswith("psnr"):
        near, said = abs(a - b) <= tolerance.decibels, f"{tolerance.decibels:g} dB of each other"
    else:
        near = math.isclose(a, b, rel_tol=tolerance.relative, abs_tol=tolerance.absolute)
        said = f"{tolerance.relative:.0%} of each other"
    return ("within tolerance", f"within {said}") if near else ("different", f"not within {said}")


def _overlap(one: list[float], other: list[float]) -> bool:
    return max(one[0], other[0]) <= min(one[1], other[1])


def same_length(one: int, other: int, tolerance: Tolerance = TRAINED) -> tuple[Verdict, str]:
    """Two tables agree in length if neither has many more rows than the other."""
    if one == other:
        return "identical", "the same number of rows"
    near = max(one, other) <= tolerance.lengths * max(min(one, other), 1)
    said = f"{tolerance.lengths:g} times as many rows"
    return ("within tolerance", f"no {said}") if near else ("different", f"more than {said}")


def same_column(
    one: pd.Series, other: pd.Series, tolerance: Tolerance = TRAINED
) -> tuple[Verdict, str, tuple[str, str]]:
    """Two columns of points agree if their means are near, measured by their spread."""
    if one.equals(other):
        return "identical", "the same values", ("", "")
    if not (pd.api.types.is_numeric_dtype(one) and pd.api.types.is_numeric_dtype(other)):
        reason = "names and pictures follow from weights; nothing is asked of them"
        return "within tolerance", reason, ("", "")
    means, spread = (one.mean(), other.mean()), max(one.std(ddof=0), other.std(ddof=0))
    shown = f"mean {means[0]:.4g}", f"mean {means[1]:.4g}"
    relative = tolerance.relative if len(one) == 1 else tolerance.means
    near = abs(means[0] - means[1]) <= tolerance.spreads * spread or math.isclose(
        *means, rel_tol=relative, abs_tol=tolerance.absolute
    )
    said = f"{tolerance.spreads:g} standard deviations"
    return (
        ("within tolerance", f"means within {said}", shown)
        if near
        else ("different", f"means further apart than {said}", shown)
    )
