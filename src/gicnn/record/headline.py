"""What metrics.json holds, and which of its numbers a reader looks at first."""

from typing import NamedTuple

__all__ = ["HEADLINE", "METRICS", "Number"]


class Number(NamedTuple):
    """What a number is called, and what it is multiplied by where people read it."""

    name: str
    factor: int = 1


# By their key in metrics.json; a model has those that its data have.
HEADLINE = {
    "reconstruction_exact": Number("exactly reconstructed, %", 100),
    "reconstruction_valid": Number("reconstructed as a valid molecule, %", 100),
    "reconstruction_psnr": Number("reconstruction, dB"),
    "property_mae": Number("error of the property"),
    "invariance_mae": Number("change in one cycle"),
    "invariance_hard_mae": Number("change in one cycle through the likeliest input"),
}

_ENDS = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
# The schema of the file: numbers by split, and the ends of their intervals.
METRICS = {
    "type": "object",
    "required": ["dataset", "model", "splits"],
    "properties": {
        "dataset": {"type": "string"},
        "model": {"type": "string"},
        "splits": {
            "type": "object",
            "required": ["test"],
            "additionalProperties": {"type": "object"},
        },
        "intervals": {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": _ENDS},
        },
    },
}
