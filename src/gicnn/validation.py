"""Strict checks of configuration-like content, with messages that say what to do.

Schemas may use two keywords of our own: ``rising`` for lists, ``differing`` for keys of a mapping.
"""

import math
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators

__all__ = ["InvalidContentError", "check", "check_sections"]


def _is_integer(_: object, value: object) -> bool:
    """A whole number written as one: 1.0 would name a folder of its own."""
    return isinstance(value, int) and not isinstance(value, bool)


def _rising(_: object, wanted: bool, content: object, __: object) -> Iterator[ValidationError]:
    """Keyword ``rising``: each number of a list is larger than the one before."""
    if wanted and isinstance(content, list):
        for first, second in pairwise(content):
            if _are_numbers(first, second) and not first < second:
                yield ValidationError(f"must rise, yet {second} follows {first}")


def _differing(
    _: object, keys: list[str], content: object, __: object
) -> Iterator[ValidationError]:
    """Keyword ``differing``: no two of these keys have the same value."""
    if isinstance(content, Mapping):
        values = [content[key] for key in keys if key in content]
        if any(value in values[:place] for place, value in enumerate(values)):
            yield ValidationError(f"{' and '.join(keys)} must differ, but are {values}")


def _are_numbers(*values: object) -> bool:
    return all(isinstance(value, int | float) for value in values)


_Validator = validators.extend(
    Draft202012Validator,
    validators={"rising": _rising, "differing": _differing},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)


class InvalidContentError(ValueError):
    """Content that does not follow its schema."""


def check_sections(content: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]) -> None:
    """Check each top-level section against the schema of its name; no section may lack one.

    Raises:
        InvalidContentError: Listing every section that is unknown, missing or wrong.
    """
    problems = [_unknown(name, schemas) for name in content if name not in schemas]
    problems += [f"section {name!r} is missing" for name in schemas if name not in content]
    for name in schemas.keys() & content.keys():
        problems += _problems(content[name], schemas[name], name)
        problems += _not_numbers(content[name], name)
    if problems:
        raise InvalidContentError("; ".join(sorted(problems)))


def check(content: Any, schema: Mapping[str, Any], name: str) -> None:  # noqa: ANN401
    """Check one document.

    Raises:
        InvalidContentError: Listing every place that is wrong.
    """
    if problems := _problems(content, schema, name):
        raise InvalidContentError("; ".join(sorted(problems)))


def _not_numbers(content: Any, name: str) -> list[str]:  # noqa: ANN401
    """Where content is infinite or not a number, which every numerical bound lets pass."""
    if isinstance(content, float) and not math.isfinite(content):
        return [f"{name}: {content} is not a finite number"]
    if isinstance(content, Mapping):
        items = content.items()
    else:
        items = enumerate(content) if isinstance(content, list) else ()
    return [problem for key, value in items for problem in _not_numbers(value, f"{name}.{key}")]


def _problems(content: Any, schema: Mapping[str, Any], name: str) -> list[str]:  # noqa: ANN401
    errors = _Validator(schema).iter_errors(content)
    return [problem for error in errors for problem in _describe(error, name)]


def _describe(error: ValidationError, name: str) -> list[str]:
    where = ".".join([name, *map(str, error.absolute_path)])
    if error.validator == "additionalProperties" and "properties" in error.schema:
        known = error.schema["properties"]
        return [f"{where}: {_unknown(key, known)}" for key in error.instance if key not in known]
    if error.validator == "type" and isinstance(error.instance, str):
        wanted = error.validator_value
        hint = "" if wanted == "array" else _number_hint(error.instance, wanted == "integer")
        return [f"{where}: {error.message}{hint}"]
    if error.validator in ("oneOf", "anyOf") and error.context:
        return _describe_nearest(error, name)
    return [f"{where}: {error.message}"]


def _describe_nearest(error: ValidationError, name: str) -> list[str]:
    """Of several alternatives, told apart by their ``kind``, the problems of the one meant."""
    where = ".".join([name, *map(str, error.absolute_path)])
    branches: dict[int, list[ValidationError]] = {}
    for cause in error.context:
        branches.setdefault(cause.schema_path[0], []).append(cause)
    ruled_out = {
        number: cause.validator_value
        for number, causes in branches.items()
        for cause in causes
        if cause.validator == "const" or (cause.validator == "type" and not cause.path)
    }
    meant = [causes for number, causes in branches.items() if number not in ruled_out]
    if len(meant) == 1:
        return [problem for cause in meant[0] for problem in _describe(cause, name)]
    if isinstance(error.instance, Mapping) and "kind" in error.instance:
        known = ", ".join(sorted(set(ruled_out.values()) - {"null", "object"}))
        return [f"{where}.kind: unknown kind {error.instance['kind']!r}; known: {known}"]
    return [f"{where}: {error.instance!r} is none of what may stand here"]


def _unknown(key: object, known: Mapping[str, Any]) -> str:
    if not isinstance(key, str):
        return f"key {key!r} is not text; YAML reads a bare on, yes, no or null so: quote it"
    close = get_close_matches(key, known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(sorted(known))}"
    return f"unknown key {key!r}; {hint}"


def _number_hint(text: str, whole: bool) -> str:
    try:
        number = float(text)
    except ValueError:
        return ""
    if whole and number.is_integer():
        return f"; write a whole number without quotes, such as {int(number)}"
    form = f"{int(number)}" if text.strip().lstrip("+-").isdigit() else f"{number:.1e}"
    return f"; write a number without quotes and powers of ten with a dot, such as {form}"
