"""Reading what a run has left, and writing the record of it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gicnn.files import write_atomically, write_json
from gicnn.record.claims import Record
from gicnn.record.documents import read_json
from gicnn.record.markdown import to_markdown
from gicnn.record.measurements import Read
from gicnn.record.page import to_html

__all__ = ["reader", "save"]


def reader(paths: Iterable[str | Path], root: str | Path) -> Read:
    """A function from a path below ``root`` to the content of that JSON file.

    It knows the given files and no others, so that what an earlier run left lying about is
    never taken for evidence of this one.
    """
    known = {Path(path).relative_to(root).as_posix(): Path(path) for path in paths}

    def read(name: str) -> dict[str, Any] | None:
        path = known.get(name)
        return read_json(path) if path else None

    return read


def save(record: Record, json: str | Path, markdown: str | Path, page: str | Path) -> None:
    """Write the record for programs, for a terminal or repository, and for a browser."""
    write_json(json, record)
    for path, text in ((markdown, to_markdown(record)), (page, to_html(record))):
        with write_atomically(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
