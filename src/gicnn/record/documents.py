"""JSON files of a run, read with distrust: they may have been cut off, altered or made by hand."""

import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import shorten
from typing import Any

from gicnn.validation import InvalidContentError, check

__all__ = ["read_document", "read_json"]

_LENGTH = 500
_ADVICE = "bring back the file, or delete it and run again"


def read_json(path: str | Path) -> Any:  # noqa: ANN401
    """Content of a JSON file.

    Raises:
        ValueError: It is none.
    """
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON ({error}); {_ADVICE}") from error


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def read_document(path: str | Path, schema: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Content of a JSON file that follows a schema.

    Raises:
        ValueError: It does not, or is no JSON.
    """
    document = read_json(path)
    try:
        check(document, schema, str(path))
    except InvalidContentError as error:
        text = shorten(str(error), _LENGTH, placeholder=" …")
        raise ValueError(f"{text}; {_ADVICE}") from error
    return document
