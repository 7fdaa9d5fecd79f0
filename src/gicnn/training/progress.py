"""How far a training has come: what is kept of it, and what is shown."""

import sys
from dataclasses import dataclass, field

from tqdm import tqdm

__all__ = ["Progress", "progress_bar"]


@dataclass
class Progress:
    """What a training has come to, besides weights and optimiser.

    Attributes:
        step: Steps made.
        history: One row for each finished epoch.
        sums: Of the unfinished epoch.
        seconds: Spent so far, all stretches together.
        devices: It ran on, in words, each as often as it changed.
    """

    step: int = 0
    history: list[dict[str, float]] = field(default_factory=list)
    sums: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    devices: list[str] = field(default_factory=list)


def progress_bar(title: str, step: int, steps: int) -> tqdm:
    """Steps done, loss and time left; seldom where nobody watches, as in a log file."""
    return tqdm(
        desc=title,
        total=steps,
        initial=step,
        unit="step",
        file=sys.stderr,
        mininterval=1 if sys.stderr.isatty() else 30,
        dynamic_ncols=sys.stderr.isatty(),
        ncols=100,
    )
