"""Where a training runs."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["choose_device", "describe_device", "matmul_precision"]


def choose_device(wish: str) -> torch.device:
    """The device for a wish: "auto", "cpu" or "cuda" (with or without an index).

    Raises:
        ValueError: A GPU was asked for and there is none, or the wish is unknown.
    """
    if wish == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if wish == "cpu":
        return torch.device("cpu")
    if not wish.startswith("cuda"):
        raise ValueError(f"device must be 'auto', 'cpu' or 'cuda', got {wish!r}")
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    index = torch.device(wish).index or 0
    if index >= count:
        raise ValueError(
            f"device {wish!r} was asked for, but torch {torch.__version__} sees {count} GPUs; "
            "set device to 'auto' or 'cpu' in the config"
        )
    return torch.device(wish)


def describe_device(device: torch.device) -> str:
    """The device in words."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"CPU, {torch.get_num_threads()} threads, {torch.backends.cpu.get_cpu_capability()}"


@contextmanager
def matmul_precision(wish: str) -> Iterator[None]:
    """Multiply float32 matrices as torch's "highest", "high" or "medium" precision says.

    "medium" takes shorter factors and float32 sums where the hardware has them (TF32 on GPUs,
    bfloat16 on CPUs with AMX), which is up to twice as fast; elsewhere it changes nothing.
    """
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(wish)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
