"""Whether two claims or two numbers of two runs count as the same, and why."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from gicnn.record.measurements import inside
from gicnn.record.tolerances import Tolerance

__all__ = ["Verdict", "same_claim", "same_number"]

Verdict = Literal["identical", "within tolerance", "different"]

_WORDS = ("where", "statement")
_ASKED_OF_A_CLAIM = ("owed_to", "figures", "tables")
_ASKED = ("name", "unit", "printed", "band", "premise")
# Of successes, which are near where the shares of failures are.
_SHARES = ("reconstruction_exact", "reconstruction_valid")
# Of these hardly any example fails, so that the counts of two runs differ by chance.
_NEARLY_ALL = ("reconstruction_valid",)
_BEHIND = ("spread", "interval", "values")


def same_claim(
    one: Mapping[str, Any], other: Mapping[str, Any], tolerance: Tolerance
) -> tuple[Verdict, str]:
    """Two claims agree if they ask for the same and get the same verdicts by numbers that are near.

    Near are numbers that both lie in their band, or within the tolerance's factor. A number that
    only one run has is never near, and a verdict that no training changes is never another one.
    """
    if _asked(one) != _asked(other):
        return "different", "other measurements, bands, printed numbers or evidence"
    verdicts, numbers = zip(_got(one), _got(other), strict=True)
    same = verdicts[0] == verdicts[1]
    if same and numbers[0] == numbers[1]:
        return _in_full(one, other)
    if not all(_both_or_neither(one, other, place, tolerance) for place in range(len(numbers[0]))):
        return "different", "a number that only one of the runs has"
    may_turn = tolerance.any_verdict and not one["owed_to"]
    if not same and not may_turn:
        return "different", "another verdict"
    judged = zip(*numbers, (item["band"] for item in one["measurements"]), strict=True)
    if not all(_near(a, b, band, tolerance) for a, b, band in judged):
        return "different", "numbers of another size"
    if not same:
        return "within tolerance", "hardly trained, so that rounding may decide"
    return "within tolerance", "the same verdict, by numbers in the band or of the same size"


def _asked(claim: Mapping[str, Any]) -> list[Any]:
    measurements = [[item[key] for key in _ASKED] for item in claim["measurements"]]
    return [*(claim[key] for key in _ASKED_OF_A_CLAIM), measurements]


def _got(claim: Mapping[str, Any]) -> tuple[list[str], list[float | None]]:
    """The verdicts on a claim and its measurements, and the numbers measured."""
    items = claim["measurements"]
    verdicts = [claim["status"], *(item["status"] for item in items)]
    return verdicts, [item["measured"] for item in items]


def _in_full(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Verdict, str]:
    """Two claims with the same numbers and verdicts, in all that they say besides."""
    if [one[key] for key in _WORDS] != [other[key] for key in _WORDS]:
        return "within tolerance", "the same numbers for a claim in other words"
    behind = [[item[key] for item in c["measurements"] for key in _BEHIND] for c in (one, other)]
    if behind[0] != behind[1]:
        return "within tolerance", "the same means of other values"
    if one != other:
        return "within tolerance", "the same numbers, of which other things are said"
    return "identical", "the same numbers"


def _both_or_neither(
    one: Mapping[str, Any], other: Mapping[str, Any], place: int, tolerance: Tolerance
) -> bool:
    """Whether both runs have a number, or may lack it: hardly trained, a file may have too little."""
    pair = [(claim, claim["measurements"][place]) for claim in (one, other)]
    lacking = [(claim, item) for claim, item in pair if item["measured"] is None]
    if len(lacking) != 1:
        return True
    claim, item = lacking[0]
    files = {gap.rpartition(" in ")[2] for gap in item["missing"]}
    return tolerance.any_verdict and bool(files) and files <= {*claim["files"]}


def _near(
    a: float | None, b: float | None, band: Mapping[str, float], tolerance: Tolerance
) -> bool:
    if a is None or b is None or (inside(a, band) and inside(b, band)):
        return True
    small, large = sorted((abs(a), abs(b)))
    if large <= max(tolerance.absolute, tolerance.floor):
        return True
    return large <= tolerance.factor * max(small, tolerance.floor) and a * b >= 0


def same_number(
    key: str, one: Mapping[str, Any], other: Mapping[str, Any], tolerance: Tolerance
) -> tuple[Verdict, str]:
    """Two metrics agree if their intervals do; without intervals, if they are near.

    Args:
        key: Of the number, such as ``splits.test.property_mae``.
        one: The first run's metrics by such keys, ``intervals.test.property_mae`` among them.
        other: The second run's.
        tolerance: How near.
    """
    a, b = one[key], other[key]
    interval = key.replace("splits.", "intervals.", 1)
    ends = [numbers.get(interval) for numbers in (one, other)] if interval != key else [None, None]
    if a == b and ends[0] == ends[1]:
        return "identical", "the same number"
    if not isinstance(a, float) or not isinstance(b, float):
        return "different", "counts, names and units have no tolerance"
    if key.endswith(_SHARES):
        if key.endswith(_NEARLY_ALL) and _few_apart(key, one, other, tolerance):
            return "within tolerance", f"counts within {tolerance.few} examples of each other"
        a, b = 1 - a, 1 - b
        ends = [end and [1 - end[1], 1 - end[0]] for end in ends]
    if all(ends) and tolerance.by_interval:
        return _by_interval((a, b), ends, tolerance)
    if key.endswith("psnr"):
        near, said = abs(a - b) <= tolerance.decibels, f"{tolerance.decibels:g} dB of each other"
    elif abs(a - b) <= tolerance.absolute:
        near, said = True, f"{tolerance.absolute:g} of each other"
    else:
        near = math.isclose(a, b, rel_tol=tolerance.relative)
        said = f"{tolerance.relative:.0%} of each other"
    return ("within tolerance", f"within {said}") if near else ("different", f"not within {said}")


def _few_apart(
    key: str, one: Mapping[str, Any], other: Mapping[str, Any], tolerance: Tolerance
) -> bool:
    """Whether two shares of equally many examples differ by a few of these."""
    count = f"{key.rpartition('.')[0]}.count"
    examples = one.get(count)
    if not isinstance(examples, int) or other.get(count) != examples:
        return False
    return abs(one[key] - other[key]) * examples <= tolerance.few + 1e-6


def _by_interval(
    numbers: tuple[float, float], ends: Sequence[Sequence[float]], tolerance: Tolerance
) -> tuple[Verdict, str]:
    """Intervals say something if each holds its number and they are alike in width."""
    if not all(low <= number <= high for number, (low, high) in zip(numbers, ends, strict=True)):
        return "different", "a number that does not lie in its own 95 % interval"
    narrow, wide = sorted(high - low for low, high in ends)
    if wide > max(tolerance.widths * narrow, tolerance.relative * max(map(abs, numbers))):
        return "different", f"a 95 % interval more than {tolerance.widths:g} times as wide"
    if max(low for low, _ in ends) <= min(high for _, high in ends):
        return "within tolerance", "their 95 % intervals overlap"
    return "different", "their 95 % intervals do not overlap"
