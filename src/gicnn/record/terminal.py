"""The record as text for a terminal."""

import textwrap
from collections.abc import Sequence

from gicnn.record import wording
from gicnn.record.claims import Claim, Record
from gicnn.record.measurements import Measurement

__all__ = ["to_table"]

_HEADINGS = ("measured quantity", "printed", "measured", "band", "verdict")
_SHARES = (0.26, 0.16, 0.25, 0.14, 0.19)
_INDENT = 4
_GAP = 2


def to_table(record: Record, width: int = 100) -> str:
    """Lay the claims out in a table that wraps and is never wider than ``width`` characters.

    Raises:
        ValueError: The width is less than 60, too little for five columns.
    """
    if width < 60:
        raise ValueError(f"width must be at least 60, got {width}")
    columns = _columns(width)
    blocks = [_heading(record, width), _row(_HEADINGS, columns)]
    blocks += [_claim(claim, columns, width) for claim in record["claims"]]
    return "\n\n".join([*blocks, textwrap.fill(wording.counts(record), width)]) + "\n"


def _columns(width: int) -> list[int]:
    room = width - _INDENT - _GAP * (len(_SHARES) - 1)
    return [int(share * room) for share in _SHARES]


def _heading(record: Record, width: int) -> str:
    lines = [wording.TITLE, wording.about(record), wording.warning(record)]
    return "\n".join(textwrap.fill(line, width) for line in lines if line)


def _claim(claim: Claim, columns: Sequence[int], width: int) -> str:
    mark = wording.MARKS[claim["status"]]
    head = f"{mark} {wording.verdict(claim).upper()} · {claim['where']} · {claim['id']}"
    lines = [textwrap.fill(head, width), _indented(claim["statement"], width)]
    lines += [_measurement(item, columns, width) for item in claim["measurements"]]
    return "\n".join(lines)


def _measurement(item: Measurement, columns: Sequence[int], width: int) -> str:
    verdict = f"{wording.MARKS[item['status']]} {item['status']}"
    cells = (wording.printed(item), wording.measured(item), wording.band(item["band"]), verdict)
    row = _row((wording.name(item), *cells), columns)
    gaps = [_indented(f"missing: {name}", width) for name in item["missing"]]
    return "\n".join([row, *gaps])


def _row(cells: Sequence[str], columns: Sequence[int]) -> str:
    wrapped = [
        textwrap.wrap(cell, room, break_on_hyphens=False)
        for cell, room in zip(cells, columns, strict=True)
    ]
    height = max(len(lines) for lines in wrapped)
    lines = []
    for level in range(height):
        parts = [lines[level] if level < len(lines) else "" for lines in wrapped]
        padded = (part.ljust(room) for part, room in zip(parts, columns, strict=True))
        lines.append((" " * _INDENT + (" " * _GAP).join(padded)).rstrip())
    return "\n".join(lines)


def _indented(text: str, width: int) -> str:
    margin = " " * _INDENT
    return textwrap.fill(text, width, initial_indent=margin, subsequent_indent=margin)
