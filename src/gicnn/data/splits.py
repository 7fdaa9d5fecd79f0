"""Training, validation and test parts, fixed by a seed."""

import hashlib
from collections.abc import Mapping

import numpy as np
from jaxtyping import Int64, UInt8

from gicnn.types import SPLITS

__all__ = ["UNUSED", "draw_splits", "split_digests"]

UNUSED = 255
"""What stands for a sample in no split."""


def draw_splits(count: int, sizes: Mapping[str, int], seed: int) -> UInt8[np.ndarray, "count"]:
    """Draw disjoint splits from ``count`` samples.

    The test part is drawn first and the training part last, so shrinking the training part
    leaves the others as they are.

    Args:
        count: How many samples there are.
        sizes: How many samples each split takes; splits left out take none.
        seed: The same seed gives the same splits on every machine.

    Returns:
        For each sample the position of its split in ``SPLITS``, or ``UNUSED``.

    Raises:
        ValueError: A size is negative, or the sizes ask for more than there is.

    Example:
        >>> draw_splits(4, {"train": 2, "test": 2}, seed=0)
        array([2, 0, 2, 0], dtype=uint8)
    """
    wanted = sum(sizes.values())
    if min(sizes.values()) < 0 or wanted > count:
        raise ValueError(f"cannot draw {dict(sizes)}, {wanted} in all, from {count} samples")
    order = np.random.default_rng(seed).permutation(count)
    split = np.full(count, UNUSED, dtype=np.uint8)
    start = 0
    for name in reversed(SPLITS):
        stop = start + sizes.get(name, 0)
        split[order[start:stop]] = SPLITS.index(name)
        start = stop
    return split


def split_digests(
    split: UInt8[np.ndarray, "n"], index: Int64[np.ndarray, "n"]
) -> dict[str, dict[str, int | str]]:
    """Size of each split, and the SHA-256 of its sorted source positions as little-endian int64."""
    summary: dict[str, dict[str, int | str]] = {}
    for number, name in enumerate(SPLITS):
        members = np.sort(index[split == number]).astype("<i8")
        digest = hashlib.sha256(members.tobytes()).hexdigest()
        summary[name] = {"count": len(members), "sha256": digest}
    return summary
