"""The record as Markdown."""

from collections.abc import Iterator

from gicnn.record import wording
from gicnn.record.claims import Claim, Record
from gicnn.record.markdown_table import lay_out
from gicnn.record.measurements import Measurement

__all__ = ["to_markdown"]

_HEAD = ("measured quantity", "printed", "measured", "band", "verdict")


def to_markdown(record: Record) -> str:
    """Lay the claims out as Markdown: a section a claim, a table row a measurement."""
    parts = [f"# {wording.TITLE}", wording.about(record), wording.counts(record) + "."]
    if wording.warning(record):
        parts.insert(1, f"> **{wording.warning(record)}**")
    for claim in record["claims"]:
        parts.extend(_claim(claim))
    if record["deviations"]:
        parts.append("## Where the paper is wrong, silent or contradicts itself")
        parts.extend(_deviation(deviation) for deviation in record["deviations"])
    return "\n\n".join(parts) + "\n"


def _claim(claim: Claim) -> Iterator[str]:
    mark = wording.MARKS[claim["status"]]
    yield f"## {mark} {wording.verdict(claim)}: {_plain(claim['id'])}"
    yield f"{_plain(claim['where'])}. {_plain(claim['statement'])}"
    if claim["measurements"]:
        yield lay_out(_HEAD, map(_row, claim["measurements"]))
    reasons = {item["reason"]: item["name"] for item in claim["measurements"]}
    lines = [f"- Band of “{_plain(name)}”: {_plain(why)}" for why, name in reasons.items()]
    lines += [f"- Missing: `{gap}`" for item in claim["measurements"] for gap in item["missing"]]
    lines += [f"- Shown by [{path}]({path})" for path in claim["figures"] + claim["tables"]]
    if lines:
        yield "\n".join(lines)


def _row(item: Measurement) -> list[str]:
    cells = (
        wording.name(item),
        wording.printed(item),
        wording.measured(item),
        wording.band(item["band"]),
        f"{wording.MARKS[item['status']]} {item['status']}",
    )
    return [_plain(cell) for cell in cells]


def _deviation(deviation: dict) -> str:
    kind = f"**{_plain(deviation['where'])}** ({_plain(deviation['id'])})"
    tried = wording.sensitivity(deviation)
    return (
        f"- {kind}. Printed: {_plain(deviation['printed'])} {_plain(deviation['problem'])} "
        f"*Choice:* {_plain(deviation['choice'])} "
        f"*Consequence:* {_plain(deviation['consequence'])}"
        f"{f' *Measured:* {_plain(tried)}.' if tried else ''}"
    )


def _plain(text: str) -> str:
    """Text that Markdown leaves alone, on one line."""
    line = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in "\\`*_|<>[]" else letter for letter in line)
