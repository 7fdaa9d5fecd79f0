"""The words and numbers that every form of the record shares."""

from collections.abc import Iterable, Mapping
from typing import Any

from gicnn.record.claims import Claim, Record
from gicnn.record.measurements import STATUSES, Measurement, Status

__all__ = [
    "MARKS",
    "SHRUNKEN",
    "TITLE",
    "about",
    "band",
    "counts",
    "measured",
    "name",
    "number",
    "owed",
    "printed",
    "sensitivity",
    "verdict",
    "warning",
]

TITLE = "What the paper claims and what this run measured"
# The recipe whose numbers say nothing about the paper.
SHRUNKEN = "smoke"
MARKS: dict[Status, str] = {
    "reproduced": "✓",
    "partly": "~",
    "not reproduced": "✗",
    "not attempted": "○",
}


def number(value: float) -> str:
    """Three significant digits; whole numbers in full; no share is rounded up to all.

    Example:
        >>> number(0.99432), number(16306), number(4.5), number(1.2e-7), number(1)
        ('0.994', '16,306', '4.5', '1.2e-07', '1')
        >>> number(99.96)
        '99.96'
    """
    if (float(value).is_integer() and abs(value) < 1e9) or abs(value) >= 999.5:
        return f"{value:,.0f}" if abs(value) < 1e9 else f"{value:.3g}"
    digits = 3
    while digits < 6 and abs(value) < abs(float(f"{value:.{digits}g}")) in (1.0, 100.0):
        digits += 1
    return f"{value:.{digits}g}"


def name(item: Measurement) -> str:
    """What was measured, and whether it is a premise only."""
    return f"{item['name']} (premise)" if item["premise"] else item["name"]


def printed(item: Measurement) -> str:
    """The paper's own number with its unit."""
    return "no number" if item["printed"] is None else _with_unit(number(item["printed"]), item)


def measured(item: Measurement) -> str:
    """The mean with its unit, and the spread of several values or the interval of one."""
    if item["measured"] is None:
        return "not measured"
    text = _apart(item["measured"], item["band"].values())
    if item["spread"]:
        text += f" ± {number(item['spread'])}"
    if item["interval"]:
        text += f" ({' to '.join(number(end) for end in item['interval'])})"
    return _with_unit(text, item)


def _apart(value: float, ends: Iterable[float]) -> str:
    """A number with as many digits as tell it from the ends of a band that it just misses."""
    near = [end for end in ends if number(value) == number(end) and value != end]
    digits = 4
    while near and digits < 16 and float(f"{value:.{digits}g}") in near:
        digits += 1
    return f"{value:.{digits}g}" if near else number(value)


def band(limits: Mapping[str, float]) -> str:
    """The band in words.

    Example:
        >>> band({"minimum": 96}), band({"minimum": 1, "maximum": 1})
        ('at least 96', 'exactly 1')
    """
    ends = {end: number(limit) for end, limit in limits.items()}
    if len(ends) < 2:
        words = {"minimum": "at least", "maximum": "at most"}
        return "".join(f"{words[end]} {limit}" for end, limit in ends.items())
    if limits["minimum"] == limits["maximum"]:
        return f"exactly {ends['minimum']}"
    return f"{ends['minimum']} to {ends['maximum']}"


def counts(record: Record) -> str:
    """How many claims got which verdict, and how many of them no training can change."""
    total = len(record["claims"])
    parts = [f"{MARKS[status]} {record['counts'][status]} {status}" for status in STATUSES]
    said = owed(record)
    return f"{total} claims: " + ", ".join(parts) + (f"; {said}" if said else "")


def owed(record: Record) -> str:
    """How many verdicts no training can change; empty if that is said of none."""
    count = sum(claim["owed_to"] is not None for claim in record["claims"])
    return f"{count} of them by construction or choice, whatever is trained" if count else ""


def verdict(claim: Claim) -> str:
    """The verdict on a claim, what it is owed to, and whether it was expected.

    Example:
        >>> verdict({"status": "partly", "owed_to": None, "expected": "reproduced", "meant": True})
        'partly (expected: reproduced)'
    """
    notes = []
    if claim["owed_to"]:
        notes.append(f"by {claim['owed_to']}")
    if claim["expected"] not in (None, claim["status"]):
        notes.append(f"expected: {claim['expected']}")
    if not claim["meant"]:
        notes.append("says nothing about the paper")
    return f"{claim['status']} ({'; '.join(notes)})" if notes else claim["status"]


def about(record: Record) -> str:
    """Which recipe and seeds the numbers come from, and how to read them."""
    seeds = ", ".join(map(str, record["seeds"]))
    return (
        f"Recipe {record['recipe']}, seed{'s' * (len(record['seeds']) > 1)} {seeds}. "
        "A measurement marked as a premise can lower a verdict, never raise it. "
        "± is the standard deviation over seeds; brackets hold the 95 % interval of one seed's "
        "number over the examples."
    )


def warning(record: Record) -> str:
    """What to say first about numbers that are not meant to be believed; empty otherwise."""
    if record["recipe"] != SHRUNKEN:
        return ""
    return (
        "SMOKE RUN. These numbers come from shrunken settings that only show that every step "
        "works. They say nothing about the paper."
    )


def _with_unit(text: str, item: Measurement) -> str:
    return text if item["unit"] == "1" else f"{text} {item['unit']}"


def sensitivity(deviation: Mapping[str, Any]) -> str:
    """The headline numbers under the other choice, and under ours; empty if no run tried it.

    Example:
        >>> tried = {"name": "error", "chosen_value": 4.4, "other_value": 5.1}
        >>> sensitivity({"sensitivities": [tried | {"other": "qm9/less", "run": "this run"}]})
        'with qm9/less (this run): error 5.1, not 4.4'
    """
    tried: dict[str, list[str]] = {}
    for item in deviation.get("sensitivities", []):
        other, chosen = number(item["other_value"]), number(item["chosen_value"])
        text = f"{item['name']} {other}, {'as here' if other == chosen else f'not {chosen}'}"
        tried.setdefault(f"with {item['other']} ({item['run']})", []).append(text)
    return ". ".join(f"{other}: {'; '.join(texts)}" for other, texts in tried.items())
