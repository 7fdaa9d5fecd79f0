"""What the headline numbers do under the other choice, where a run has tried it."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, TypedDict

from gicnn.record.headline import HEADLINE
from gicnn.record.keys import look_up
from gicnn.record.measurements import Read

__all__ = ["Sensitivity", "sensitivities"]


_HEADLINE = [
    {
        "name": item.name,
        "file": "evaluation/{model}/seed-{seed}/metrics.json",
        "key": f"splits.test.{key}",
        "factor": item.factor,
    }
    for key, item in HEADLINE.items()
]


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
    """Compare pairs of models by their headline numbers and others, means over seeds.

    Args:
        deviation: With ``sensitivities`` if models measure it, each with ``chosen``, a dataset
            and model, and ``other``, the one with the other choice, both as in paths of results;
            and with ``numbers`` if more is to be compared than the headline numbers on the test
            split: ``name``, ``file`` with ``{model}`` and ``{seed}`` in it, and ``key``.
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
    pair: Mapping[str, Any], run: str, read: Read, seeds: Sequence[int]
) -> list[Sensitivity]:
    found = []
    for number in (*_HEADLINE, *pair.get("numbers", [])):
        values = [_mean(number, pair[side], read, seeds) for side in ("chosen", "other")]
        if None not in values:
            one, another = values
            found.append(
                Sensitivity(
                    name=number["name"],
                    other=pair["other"],
                    run=run,
                    chosen_value=one,
                    other_value=another,
                )
            )
    return found


def _mean(number: Mapping[str, Any], model: str, read: Read, seeds: Sequence[int]) -> float | None:
    files = (number["file"].format(model=model, seed=seed) for seed in seeds)
    values = [look_up(read(file), number["key"]) for file in files]
    return None if None in values else number.get("factor", 1) * fmean(values)
