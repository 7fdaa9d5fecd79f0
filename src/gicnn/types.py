"""Records that cross layers."""

from dataclasses import dataclass

from torch import Tensor

__all__ = ["SPLITS", "Split"]

SPLITS = ("train", "validation", "test")  # coded 0, 1, 2 in tensors.safetensors


@dataclass(frozen=True)
class Split:
    """One split of a dataset, on one device.

    Attributes:
        x: Inputs, (n, *shape).
        y: Property in its own unit, (n,).
        index: Position in the source, (n,).
        label: Class, (n,), where the dataset has classes.
    """

    x: Tensor
    y: Tensor
    index: Tensor
    label: Tensor | None = None
