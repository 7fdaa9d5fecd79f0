"""The numbers that a reader looks at first, of a model's test split."""

from typing import NamedTuple

__all__ = ["HEADLINE", "Number"]


class Number(NamedTuple):
    """What a number is called, and what it is multiplied by where people read it."""

    name: str
    factor: int = 1


# By their key in metrics.json; a model has those that its data have.
HEADLINE = {
    "reconstruction_exact": Number("exactly reconstructed, %", 100),
    "reconstruction_psnr": Number("reconstruction, dB"),
    "property_mae": Number("error of the property"),
    "invariance_mae": Number("change in one cycle"),
    "invariance_hard_mae": Number("change in one cycle through the likeliest input"),
}
