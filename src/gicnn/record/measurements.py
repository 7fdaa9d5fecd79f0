"""One number out of a run's files, and whether it lies in the band that it should."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from statistics import fmean, stdev
from typing import Any, Literal, TypedDict

from gicnn.record.keys import look_up

__all__ = ["STATUSES", "Measurement", "Read", "Status", "inside", "measure"]

Status = Literal["reproduced", "partly", "not reproduced", "not attempted"]
STATUSES: tuple[Status, ...] = ("reproduced", "partly", "not reproduced", "not attempted")
Read = Callable[[str], dict[str, Any] | None]


class Measurement(TypedDict):
    """One number that speaks for or against a claim.

    ``measured`` is the mean over ``values`` and ``spread`` their standard deviation; both are
    None where there is nothing to take them of. ``interval`` holds the ends that the run gives a
    single value, None where it gives none or there are several values. ``missing`` says what could not be read. A
    ``premise`` is what other measurements rest on, or what holds by construction: it can spoil
    a claim, but is no evidence for it.
    """

    name: str
    unit: str
    printed: float | None
    premise: bool
    measured: float | None
    spread: float | None
    interval: list[float] | None
    band: dict[str, float]
    reason: str
    status: Status
    values: list[dict[str, Any]]
    missing: list[str]


def measure(spec: Mapping[str, Any], read: Read, seeds: Sequence[int]) -> Measurement:
    """Take one measurement of the ledger, for every seed and every run that it names.

    Args:
        spec: The measurement, as the ledger's schema describes it.
        read: Returns the content of a JSON file, or None if this run has no such file.
        seeds: What ``{seed}`` in a file pattern stands for.

    Raises:
        ValueError: A value is not a finite number, or a ratio is to 0.
    """
    values: list[dict[str, Any]] = []
    missing: list[str] = []
    for place in _places(spec, seeds):
        source = spec["file"].format(**place)
        value, absent = _value(spec, place, read)
        missing.extend(absent)
        if value is not None:
            values.append({"file": source, "value": value})
    numbers = [item["value"] for item in values]
    return Measurement(
        name=spec["name"],
        unit=spec["unit"],
        printed=spec["printed"],
        premise=spec.get("premise", False),
        measured=fmean(numbers) if numbers else None,
        spread=stdev(numbers) if len(numbers) > 1 else None,
        interval=_interval(spec, values, read),
        band=dict(spec["band"]),
        reason=spec["reason"],
        status=_verdict(numbers, spec["band"], missing),
        values=values,
        missing=missing,
    )


def _places(spec: Mapping[str, Any], seeds: Sequence[int]) -> Iterator[dict[str, Any]]:
    """What ``{seed}`` and ``{run}`` stand for, one combination at a time."""
    patterns = spec["file"] + spec.get("relative_to", {}).get("file", "")
    used = seeds if "{seed}" in patterns else seeds[:1]
    for run, seed in product(spec.get("runs", [""]), used):
        yield {"run": run, "seed": seed}


def _value(
    spec: Mapping[str, Any], place: Mapping[str, Any], read: Read
) -> tuple[float | None, list[str]]:
    """The number at one place, and the names of what it lacks."""
    wanted = [spec, spec["relative_to"]] if "relative_to" in spec else [spec]
    numbers, missing = [], []
    for source in wanted:
        file, key = source["file"].format(**place), source["key"]
        number = _number(read(file), file, key)
        numbers.append(number)
        if number is None:
            missing.append(f"{key} in {file}")
    if missing:
        return None, missing
    return _ratio(numbers, wanted[-1], place) * spec.get("scale", 1), []


def _interval(
    spec: Mapping[str, Any], values: Sequence[Mapping[str, Any]], read: Read
) -> list[float] | None:
    """The ends of the one value's interval, in our unit."""
    if "interval" not in spec or len(values) != 1:
        return None
    file, key = values[0]["file"], spec["interval"]
    ends = [_number(read(file), file, f"{key}[{end}]") for end in (0, 1)]
    return None if None in ends else [end * spec.get("scale", 1) for end in ends]


def _number(document: dict[str, Any] | None, file: str, key: str) -> float | None:
    value = look_up(document, key)
    if value is None:
        return None
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(
            f"{key} in {file} is {value!r}, not a finite number; "
            "look into the log of the job that wrote this file, mend the cause and rerun it"
        )
    return float(value)


def _ratio(numbers: list[Any], last: Mapping[str, Any], place: Mapping[str, Any]) -> float:
    if len(numbers) == 1:
        return numbers[0]
    if numbers[1] == 0:
        file = last["file"].format(**place)
        raise ValueError(f"{last['key']} in {file} is 0, and a ratio to it has no value")
    return numbers[0] / numbers[1]


def _verdict(numbers: list[float], band: Mapping[str, float], missing: list[str]) -> Status:
    if not numbers:
        return "not attempted"
    if not all(inside(number, band) for number in _judged(numbers, band)):
        return "not reproduced"
    return "partly" if missing else "reproduced"


def _judged(numbers: list[float], band: Mapping[str, float]) -> list[float]:
    """Their mean; but each of them where the band is one number, since 0 and 2 are not 1."""
    exact = "minimum" in band and band["minimum"] == band.get("maximum")
    return numbers if exact else [fmean(numbers)]


def inside(number: float, band: Mapping[str, float]) -> bool:
    """Whether a number lies in a band, whose ends belong to it even after rounding."""
    ends = [end for end in band.values() if math.isclose(number, end, rel_tol=1e-9)]
    above = number >= band.get("minimum", -math.inf)
    return bool(ends) or (above and number <= band.get("maximum", math.inf))
