"""What the headline numbers do under the other choice, where a run has tried it."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, TypedDict

from gicnn.record.headline import HEADLINE
from gicnn.record.measurements import Read

__all__ = ["Sensitivity", "sensitivities"]


class Sensitivity(TypedDict):
    """One headline number under the choice that was made, and under the other one.

    ``run`` says which run tried both, in words.
    """

    name: str
    other: str
    run: str
    chosen_value: float
    other_value: float


def sensitivities(
    deviation: Mapping[str, Any], runs: Mapping[str, tuple[Read, Sequence[int]]]
) -> list[Sensitivity]:
    """Compare pairs of models by their test numbers, means over seeds.

    Args:
        deviation: With ``sensitivities`` if models measure it, each with ``chosen``, a dataset
            and model, and ``other``, the one with the other choice, both as in paths of results.
        runs: By name, in the order of preference: what returns the content of a JSON file, or
            None if that run has no such file, and the run's seeds.

    Returns:
        Of each pair what the first run says that has both; nothing of a pair that none has.
    """
    return [
        item
        for pair in deviation.get("sensitivities", [])
        for item in next(filter(None, (_of_run(pair, name, *runs[name]) for name in runs)), [])
    ]


def _of_run(
    pair: Mapping[str, str], run: str, read: Read, seeds: Sequence[int]
) -> list[Sensitivity]:
    chosen, other = (
        [read(f"evaluation/{pair[side]}/seed-{seed}/metrics.json") for seed in seeds]
        for side in ("chosen", "other")
    )
    return [] if None in chosen + other else list(_compared(pair["other"], run, chosen, other))


def _compared(
    label: str, run: str, chosen: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]
) -> Iterator[Sensitivity]:
    tests = [[entry["splits"]["test"] for entry in side] for side in (chosen, other)]
    for key, (name, factor) in HEADLINE.items():
        if all(key in test for side in tests for test in side):
            one, another = (factor * fmean(test[key] for test in side) for side in tests)
            yield Sensitivity(
                name=name, other=label, run=run, chosen_value=one, other_value=another
            )
