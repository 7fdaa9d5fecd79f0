"""How far two runs may be apart that count as the same though their bits differ, and why."""

from dataclasses import dataclass

__all__ = ["HARDLY_TRAINED", "TRAINED", "Tolerance"]

_ROUNDING = 1e-6


@dataclass(frozen=True)
class Tolerance:
    """How far numbers of two runs may be apart.

    Attributes:
        why: The reason for these numbers, for readers.
        relative: Of each other, of shares of what goes wrong.
        gaps: By how much the shares of missing values of a column may differ.
        decibels: The same for numbers that are logarithms.
        lengths: How many times as many rows: points on a path that are invalid or met twice are
            left out of a table.
        spreads: Of the means of a column of points, in the smaller of its standard deviations.
        widths: How many times as wide an interval may be.
        factor: Between numbers that fail a band alike, and between standard deviations; they vary
            more than what keeps a band.
        floor: What numbers that fail a band count as at least, when a factor is taken.
        absolute: Of each other, for numbers near 0.
        few: By how many examples shares of nearly all may differ: the next run may well have
            no failure where this one has one or two.
        means: Relative, of the means of a column that hardly varies.
        by_interval: Whether numbers with intervals are judged by these alone.
        any_verdict: Whether a claim may get another verdict, but for one that no training changes.
    """

    why: str
    relative: float = 0.3
    gaps: float = 0.3
    decibels: float = 1.0
    lengths: float = 2.0
    spreads: float = 0.5
    widths: float = 4.0
    factor: float = 10.0
    floor: float = 0.0
    absolute: float = _ROUNDING
    few: int = 3
    means: float = _ROUNDING
    by_interval: bool = True
    any_verdict: bool = False


TRAINED = Tolerance(
    "Other processors and libraries round sums in another order, and training amplifies that "
    "within some hundred steps to what another seed would do: numbers agree as far as seeds do."
)
# Another set of kernels (SSE4 in the place of AVX-512) turned two verdicts of 23 and moved numbers by
# less than TRAINED allows; a processor of another maker may do more.
HARDLY_TRAINED = Tolerance(
    "After a few epochs errors still halve with each, and on another processor rounding decides "
    "how far a training has got: verdicts may turn, and numbers agree up to a factor of 3, those "
    "that fail a band of 10.",
    relative=0.7,
    means=0.7,
    by_interval=False,
    decibels=3.0,
    gaps=1.0,
    lengths=20.0,
    spreads=3.0,
    widths=10.0,
    floor=1.0,
    absolute=0.2,
    any_verdict=True,
)
