"""What the headline numbers do under the other choice, where a run has tried it."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, TypedDict

from gicnn.record.measurements import Read

__all__ = ["Sensitivity", "sensitivities"]

# Of the test split: what a reader looks at first, by key, with its name and factor.
_NUMBERS = {
    "reconstruction_exact": ("exactly reconstructed, %", 100),
    "reconstruction_psnr": ("reconstruction, dB", 1),
    "property_mae": ("error of the property", 1),
    "invariance_mae": ("change in one cycle", 1),
}


class Sensitivity(TypedDict):
    """One headline number under the choice that was made, and under the other one."""

    name: str
    other: str
    chosen_value: float
    other_value: float


def sensitivities(
    deviation: Mapping[str, Any], read: Read, seeds: Sequence[int]
) -> list[Sensitivity]:
    """Compare two models' test numbers, means over seeds; empty where the run lacks one of them.

    Args:
        deviation: With ``sensitivity`` if an ablation measures it: ``chosen``, a dataset and
            model, and ``other``, the one with the other choice, both as in the paths of results.
        read: Returns the content of a JSON file, or None if this run has no such file.
        seeds: Of the run.
    """
    wanted = deviation.get("sensitivity")
    if wanted is None:
        return []
    chosen, other = (
        [read(f"evaluation/{wanted[side]}/seed-{seed}/metrics.json") for seed in seeds]
        for side in ("chosen", "other")
    )
    if None in chosen or None in other:
        return []
    return list(_compared(wanted["other"], chosen, other))


def _compared(
    label: str, chosen: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]
) -> Iterator[Sensitivity]:
    tests = [[entry["splits"]["test"] for entry in side] for side in (chosen, other)]
    for key, (name, factor) in _NUMBERS.items():
        if all(key in test for side in tests for test in side):
            one, another = (factor * fmean(test[key] for test in side) for side in tests)
            yield Sensitivity(name=name, other=label, chosen_value=one, other_value=another)
