"""claims.json, read back."""

from pathlib import Path

from gicnn.record.claims import Claim, Record
from gicnn.record.documents import read_document
from gicnn.record.measurements import STATUSES, Measurement

__all__ = ["load_record"]

_TEXT, _NUMBER = {"type": "string"}, {"type": "number"}
_TEXTS = {"type": "array", "items": _TEXT}
_STATUS = {"enum": list(STATUSES)}
_TEXT_OR_NONE = {"type": ["string", "null"]}
_NUMBER_OR_NONE = {"type": ["number", "null"]}
_ENDS = {"type": ["array", "null"], "items": _NUMBER, "minItems": 2, "maxItems": 2}
_VALUE = {
    "type": "object",
    "required": ["file", "value"],
    "properties": {"file": _TEXT, "value": _NUMBER},
}
_MEASUREMENT = {
    **dict.fromkeys(("name", "unit", "reason"), _TEXT),
    **dict.fromkeys(("printed", "measured", "spread"), _NUMBER_OR_NONE),
    "premise": {"type": "boolean"},
    "interval": _ENDS,
    "band": {"type": "object", "minProperties": 1, "additionalProperties": _NUMBER},
    "status": _STATUS,
    "values": {"type": "array", "items": _VALUE},
    "missing": _TEXTS,
}
_CLAIM = {
    **dict.fromkeys(("id", "where", "statement"), _TEXT),
    "status": _STATUS,
    "meant": {"type": "boolean"},
    **dict.fromkeys(("expected", "owed_to"), _TEXT_OR_NONE),
    **dict.fromkeys(("files", "figures", "tables"), _TEXTS),
}
_DEVIATION = {
    **dict.fromkeys(("id", "where", "printed", "problem", "choice", "consequence"), _TEXT),
    "sensitivities": {"type": "array", "items": {"type": "object"}},
}


def _all_of(keys: type, properties: dict) -> dict:
    """An object that has every key of a typed dictionary."""
    return {"type": "object", "required": sorted(keys.__annotations__), "properties": properties}


_MEASUREMENTS = {"type": "array", "items": _all_of(Measurement, _MEASUREMENT)}
_CLAIMS = {"type": "array", "items": _all_of(Claim, _CLAIM | {"measurements": _MEASUREMENTS})}
_RECORD = _all_of(
    Record,
    {
        "recipe": _TEXT,
        "seeds": {"type": "array", "items": {"type": "integer"}},
        "counts": {"type": "object", "required": list(STATUSES)},
        "claims": _CLAIMS,
        "deviations": {
            "type": "array",
            "items": {"type": "object", "required": list(_DEVIATION), "properties": _DEVIATION},
        },
        "places": {"type": "object", "additionalProperties": _TEXT},
    },
)


def load_record(path: str | Path) -> Record:
    """Read a claims.json.

    Raises:
        ValueError: It is none; the message names the file and what is wrong.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(
            f"{path} is not there; name the results of a finished run, or a record of one"
        )
    record = read_document(path, _RECORD)
    names = [claim["id"] for claim in record["claims"]]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{path} has several claims {', '.join(twice)}; run again")
    found = {status: 0 for status in STATUSES}
    for claim in record["claims"]:
        found[claim["status"]] += 1
    if found != record["counts"]:
        raise ValueError(f"{path} counts other verdicts than its claims have; run again")
    return record
