"""What a dataset consists of and how it was made, for people and for comparison."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from gicnn.data.dataset import Dataset
from gicnn.data.splits import split_digests
from gicnn.types import SPLITS

__all__ = ["describe"]


def describe(
    dataset: Dataset,
    settings: Mapping[str, Any],
    sources: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Counts, shapes, ranges, units, split sizes and digests, source digests, settings and facts.

    Args:
        dataset: What was built.
        settings: The arguments it was built with.
        sources: Digest and size of each raw file, by name; empty for synthetic data.
    """
    return {
        "count": len(dataset.y),
        "tensors": {name: _summary(tensor) for name, tensor in dataset.tensors.items()},
        "units": dict(dataset.units),
        "splits": split_digests(dataset.split.numpy(), dataset.index.numpy()),
        "property_by_split": _property_by_split(dataset),
        "sources": {name: dict(source) for name, source in sources.items()},
        "settings": dict(settings),
        **dataset.facts,
    }


def _summary(tensor: Tensor) -> dict[str, Any]:
    kind = str(tensor.dtype).removeprefix("torch.")
    low, high = tensor.aminmax()
    return {
        "shape": list(tensor.shape),
        "dtype": kind,
        "minimum": low.item(),
        "maximum": high.item(),
    }


def _property_by_split(dataset: Dataset) -> dict[str, dict[str, float]]:
    summary = {}
    for number, name in enumerate(SPLITS):
        values = dataset.y[dataset.split == number].double()
        if len(values):
            mean, deviation = values.mean().item(), values.std(correction=0).item()
            summary[name] = {"mean": mean, "standard_deviation": deviation}
    return summary
