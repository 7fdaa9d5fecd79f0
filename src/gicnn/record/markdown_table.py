"""A table in Markdown."""

from collections.abc import Iterable, Sequence

from gicnn.record.wording import number

__all__ = ["lay_out"]


def lay_out(head: Sequence[str], rows: Iterable[Sequence[float | str | None]]) -> str:
    """Lay out rows under their heading: numbers as everywhere in the record, nothing for None.

    Example:
        >>> print(lay_out(["model", "error"], [["plain", 4.7112], ["other", None]]))
        | model | error |
        |---|---|
        | plain | 4.71 |
        | other |  |
    """
    lines = [_line(head), "|---" * len(head) + "|", *(_line(map(_cell, row)) for row in rows)]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: float | str | None) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else number(value)
