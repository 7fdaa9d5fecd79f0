"""One dataset as tensors, saved in an open format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jaxtyping import Float32, Int64, UInt8
from torch import Tensor

from gicnn.tensors import save_tensors

__all__ = ["Dataset", "save_dataset"]


@dataclass(frozen=True)
class Dataset:
    """Inputs, the property of each, and which split each belongs to.

    Attributes:
        x: The inputs.
            Shape: (n, *shape)
        y: The property, in physical units.
            Shape: (n,)
        split: 0 train, 1 validation, 2 test.
            Shape: (n,)
        index: The position of each sample in its source.
            Shape: (n,)
        units: The units of x and y.
        extra: Further tensors with one entry for each sample, by name.
        facts: What else was counted or measured while it was built, for its card.
    """

    x: Float32[Tensor, "n *shape"]
    y: Float32[Tensor, " n"]
    split: UInt8[Tensor, " n"]
    index: Int64[Tensor, " n"]
    units: Mapping[str, str]
    extra: Mapping[str, Tensor] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """All tensors by name."""
        return {
            "x": self.x,
            "y": self.y,
            "split": self.split,
            "index": self.index,
            **self.extra,
        }


def save_dataset(dataset: Dataset, path: str | Path) -> None:
    """Write all tensors to one safetensors file; the same dataset always gives the same bytes."""
    save_tensors(path, dataset.tensors)
