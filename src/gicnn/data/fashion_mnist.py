"""Rotated Fashion-MNIST: pictures of clothes, and the angle each was turned by (section 5.2)."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, UInt8
from torch import Tensor
from torch.nn import functional

from gicnn.data.dataset import Dataset
from gicnn.data.splits import UNUSED, draw_splits

__all__ = ["build_fashion_mnist", "read_idx", "rotate"]

_CHUNK = 2000
_ROUNDING = 1e-6
_ANGLES = 1  # apart from the stream that draws the splits


def read_idx(path: str | Path) -> UInt8[np.ndarray, "..."]:
    """Read an array of bytes in IDX form, the format of MNIST and its relatives.

    Raises:
        ValueError: The file is not of that form or is shorter or longer than it says.
    """
    content = Path(path).read_bytes()
    rank = content[3] if content[:3] == b"\x00\x00\x08" and len(content) > 3 else 0
    start = 4 + 4 * rank
    whole = rank and len(content) >= start
    shape = np.frombuffer(content[4:start], dtype=">i4") if whole else np.empty(0)
    if not whole or len(content) != start + int(shape.prod()):
        raise ValueError(f"{path} is no whole IDX file of bytes; remove it and fetch it again")
    return np.frombuffer(content, dtype=np.uint8, offset=start).reshape(shape)


def rotate(
    images: Float[Tensor, "n channels side side"], degrees: Float[Tensor, " n"]
) -> Float[Tensor, "n channels side side"]:
    """Turn each picture about its centre by its own angle, bilinearly; what comes in is black.

    Equal to ``torchvision.transforms.functional.rotate`` with bilinear interpolation, for a
    whole batch at once.

    Shapes:
        images: (n, channels, side, side), degrees: (n,), counter-clockwise positive,
        returns: (n, channels, side, side)
    """
    cos, sin = torch.cos(degrees * math.pi / 180), torch.sin(degrees * math.pi / 180)
    zero = torch.zeros_like(cos)
    turn = torch.stack([cos, -sin, zero, sin, cos, zero], dim=-1).reshape(-1, 2, 3)
    grid = functional.affine_grid(turn.to(images.dtype), list(images.shape), align_corners=False)
    return functional.grid_sample(images, grid, align_corners=False)


def build_fashion_mnist(
    files: Mapping[str, str | Path],
    labels: Sequence[int],
    padding: int,
    crop: int,
    max_degrees: float,
    train: int,
    validation: int,
    test: int,
    seed: int,
) -> Dataset:
    """Keep some kinds of clothes, and turn every picture by a random angle.

    Args:
        files: Paths of ``train_images``, ``train_labels``, ``test_images``, ``test_labels``.
        labels: The kinds that are kept.
        padding: Black pixels put around each picture before it is turned.
        crop: Pixels cut off on each side afterwards.
        max_degrees: Angles are uniform between minus and plus this.
        train: How many pictures of the source's training part are for training.
        validation: How many others of that part are for validation.
        test: How many pictures of the source's test part are for the test.
        seed: Fixes splits and angles. A picture's angle does not depend on the sizes.

    Returns:
        x of shape (n, 1, side, side) in [0, 1]; y of shape (n,) in degrees, counter-clockwise
        positive; extra ``label`` of shape (n,). The index counts through the source's training
        part and on through its test part. The fact ``cut_off`` says how many pictures lost any
        grey by cropping, how many more than a thousandth of it, and the largest share.

    Raises:
        ValueError: More pictures are asked for than there are.
    """
    pixels = np.concatenate([read_idx(files["train_images"]), read_idx(files["test_images"])])
    parts = [read_idx(files["train_labels"]), read_idx(files["test_labels"])]
    label = np.concatenate(parts)
    from_test = np.arange(len(label)) >= len(parts[0])
    wanted = np.isin(label, list(labels))
    split = np.full(len(label), UNUSED, dtype=np.uint8)
    sizes = {"train": train, "validation": validation}
    split[wanted & ~from_test] = draw_splits(int((wanted & ~from_test).sum()), sizes, seed)
    split[wanted & from_test] = draw_splits(int((wanted & from_test).sum()), {"test": test}, seed)
    angles = np.random.default_rng([seed, _ANGLES]).uniform(
        -max_degrees, max_degrees, size=len(label)
    )

    index = np.flatnonzero(split != UNUSED)
    y = torch.from_numpy(angles[index].astype(np.float32))
    x, lost = _turned(torch.from_numpy(pixels[index]), y, padding, crop)
    return Dataset(
        x=x,
        y=y,
        split=torch.from_numpy(split[index]),
        index=torch.from_numpy(index),
        units={"x": "share of white", "y": "degree"},
        extra={"label": torch.from_numpy(label[index].astype(np.int64))},
        facts={
            "cut_off": {
                "pictures": int((lost > _ROUNDING).sum()),
                "more_than_a_thousandth": int((lost > 1e-3).sum()),
                "largest_share": lost.max().item(),
            }
        },
    )


def _turned(
    pixels: UInt8[Tensor, "n side side"], degrees: Float[Tensor, " n"], padding: int, crop: int
) -> tuple[Float[Tensor, "n 1 cropped cropped"], Float[Tensor, " n"]]:
    """Turned pictures, and the share of each one's grey that cropping cut off."""
    chunks, lost = [], []
    for part, angle in zip(pixels.split(_CHUNK), degrees.split(_CHUNK), strict=True):
        turned = rotate(functional.pad(part[:, None].float() / 255, [padding] * 4), angle)
        cropped = functional.pad(turned, [-crop] * 4)
        whole, kept = (grey.sum((1, 2, 3), dtype=torch.float64) for grey in (turned, cropped))
        chunks.append(cropped.clamp(0, 1))
        lost.append(torch.where(whole > 0, 1 - kept / whole, 0))
    return torch.cat(chunks), torch.cat(lost)
