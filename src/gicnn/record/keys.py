"""Dotted keys into nested results."""

import re
from typing import Any

__all__ = ["look_up"]

_PART = r"[A-Za-z_]\w*(?:\[\w+\])*"
_KEY = re.compile(rf"{_PART}(?:\.{_PART})*", re.ASCII)
_STEP = re.compile(r"\[(\w+)\]|(\w+)", re.ASCII)


def look_up(document: object, key: str) -> Any:  # noqa: ANN401
    """Follow a key such as ``splits.test.count``; None if there is nothing at its end.

    A name in brackets picks the item of a list whose ``id`` it is, a number its position.

    Raises:
        ValueError: The key cannot be read.

    Example:
        >>> look_up({"checks": [{"id": "full_rank", "holds": True}]}, "checks[full_rank].holds")
        True
        >>> look_up({"minimum": {"x": [0.1, 0.01]}}, "minimum.x[1]")
        0.01
    """
    if _KEY.fullmatch(key) is None:
        raise ValueError(
            f"cannot read the key {key!r}: write names joined by dots, "
            "with [id] or [position] after a list"
        )
    for choice, name in _STEP.findall(key):
        document = _field(document, name) if name else _item(document, choice)
    return document


def _field(document: object, name: str) -> object:
    return document.get(name) if isinstance(document, dict) else None


def _item(document: object, choice: str) -> object:
    if not isinstance(document, list):
        return None
    if choice.isdecimal():
        return document[int(choice)] if int(choice) < len(document) else None
    named = (item for item in document if isinstance(item, dict) and item.get("id") == choice)
    return next(named, None)
