"""Tensors in safetensors files: whole or absent, never pickled."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from gicnn.files import write_atomically
from gicnn.types import SPLITS, Split

__all__ = ["load_splits", "load_tensors", "save_tensors"]

_NOTE = "note"


def save_tensors(
    path: str | Path, tensors: Mapping[str, Tensor], note: Mapping[str, Any] | None = None
) -> None:
    """Write tensors, and a note beside them, so that equal content gives equal bytes.

    Args:
        path: The file, replaced only once the new one is complete.
        tensors: By name; they are moved to the CPU.
        note: Anything that JSON can hold; its order is kept.

    Raises:
        OSError: The file cannot be written, with what to do when the disk is full.
    """
    still = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    metadata = None if note is None else {_NOTE: json.dumps(note)}
    content = safetensors.torch.save(still, metadata)
    with write_atomically(path) as temporary:
        temporary.write_bytes(content)


def load_tensors(
    path: str | Path, device: str = "cpu"
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Read tensors and the note written with them (empty if there was none).

    Raises:
        ValueError: The file is not a safetensors file, or is cut short.
    """
    try:
        with safe_open(path, framework="pt", device=device) as content:
            tensors = {name: content.get_tensor(name) for name in content.keys()}  # noqa: SIM118
            note = json.loads((content.metadata() or {}).get(_NOTE, "{}"))
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path} is damaged ({error}); delete it and run again") from error
    return tensors, note


def load_splits(path: str | Path, device: str | torch.device = "cpu") -> dict[str, Split]:
    """Read a dataset's ``tensors.safetensors`` and take it apart by split, on a device."""
    tensors, _ = load_tensors(path)
    splits = {}
    for code, name in enumerate(SPLITS):
        rows = tensors["split"] == code
        names = tensors.keys() & {"x", "y", "index", "label"}
        parts = {key: tensors[key][rows].to(device) for key in names}
        splits[name] = Split(**parts)
    return splits
