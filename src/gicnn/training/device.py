"""Where a training runs, and that it does the same there each time."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import torch

__all__ = [
    "choose_device",
    "compute_on",
    "describe_device",
    "deterministic",
    "is_shortage",
    "products",
    "take_faster_kernels",
]

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
_BFLOAT16 = ("avx512_bf16", "amx_bf16")  # as torch.cpu calls these instructions


def compute_on(wish: str, work: Callable[[torch.device], T]) -> T:
    """Do some work on the device wished for; under "auto" on the CPU if the GPU is too small.

    Args:
        wish: As for :func:`choose_device`.
        work: Takes the device; called anew if the GPU's memory does not suffice, or no longer.

    Raises:
        ValueError: As of :func:`choose_device`.
        RuntimeError: A GPU was asked for by name and has too little memory.
    """
    device = choose_device(wish)
    try:
        return work(device)
    except RuntimeError as error:
        if not is_shortage(error):
            raise
        free, total = (amount / 1e6 for amount in torch.cuda.mem_get_info(device))
        shortage = (
            f"{describe_device(device)} has too little memory for this: {free:.0f} MB of "
            f"{total:.0f} MB are free ({error})"
        )
        if wish != "auto":
            raise RuntimeError(
                f"{shortage}; end what else runs on it, or set device to 'cpu' in the config"
            ) from error
    _LOG.warning("%s; going on with the CPU", shortage)
    torch.cuda.empty_cache()
    return work(torch.device("cpu"))


def is_shortage(error: RuntimeError) -> bool:
    """Whether an error says that a GPU has too little memory; CUDA's libraries say so in theirs."""
    said = ("CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED")
    return isinstance(error, torch.OutOfMemoryError) or any(text in str(error) for text in said)


def choose_device(wish: str) -> torch.device:
    """The device for a wish: "auto", "cpu" or "cuda" (with or without an index).

    Raises:
        ValueError: A GPU was asked for and there is none, or none that torch can use, or the
            wish is unknown.
    """
    if wish == "cpu":
        return torch.device("cpu")
    if wish != "auto" and not wish.startswith("cuda"):
        raise ValueError(f"device must be 'auto', 'cpu' or 'cuda', got {wish!r}")
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    device = torch.device("cuda" if wish == "auto" else wish)
    if (device.index or 0) < count:
        problem = _problem(device)
    else:
        problem = f"torch {torch.__version__} sees {count} GPUs"
    if problem is None:
        return device
    if wish != "auto":
        raise ValueError(
            f"device {wish!r} was asked for, but {problem}; "
            "set device to 'auto' or 'cpu' in the config"
        )
    _LOG.info("on the CPU: %s", problem)
    return torch.device("cpu")


def _problem(device: torch.device) -> str | None:
    """Why a GPU that is there cannot be used, such as one too old for this torch."""
    try:
        torch.ones(1, device=device).add(1).item()
    except RuntimeError as error:
        return f"{describe_device(device)} cannot be used: {str(error).splitlines()[0]}"
    return None


def describe_device(device: torch.device) -> str:
    """The device in words."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"CPU, {torch.get_num_threads()} threads, {torch.backends.cpu.get_cpu_capability()}"


def take_faster_kernels() -> None:
    """On AMD's CPUs let torch take its AVX2 kernels; call it before the first operation on tensors.

    Its AVX-512 ones for log1p and expm1, hence for softplus and ELU, take four to six times as
    long there, and a training of molecules an eighth longer. ATEN_CPU_CAPABILITY of the
    environment goes first.
    """
    able = torch.cpu.get_capabilities()
    if able.get("avx2") and "AMD" in able.get("cpu_name", ""):
        os.environ.setdefault("ATEN_CPU_CAPABILITY", "avx2")


@contextmanager
def deterministic(device: torch.device) -> Iterator[None]:
    """On a GPU, take the algorithms that give the same bits each time; a CPU's do anyway.

    Where torch has none it warns and takes another. Convolutions keep to float32, too.
    """
    before = torch.are_deterministic_algorithms_enabled()
    warned = torch.is_deterministic_algorithms_warn_only_enabled()
    rounded = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    if device.type == "cuda":
        # Without this workspace cuBLAS promises nothing; it is read when first needed.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before, warn_only=warned)
        torch.backends.cudnn.allow_tf32 = rounded


@contextmanager
def products(precision: str, device: torch.device) -> Iterator[None]:
    """Multiply the matrices of a forward pass, and of its backward pass, in some precision.

    A GPU, fast enough, and a CPU without instructions for bfloat16 keep to float32.

    Args:
        precision: "float32", or "bfloat16" for factors and products with 8 significant bits, and
            sums with 24. Where ``PreciseLinear`` is the last layer, outputs keep all of theirs.
        device: The products are made there.
    """
    able = device.type == "cpu" and any(map(torch.cpu.get_capabilities().get, _BFLOAT16))
    with torch.autocast("cpu", torch.bfloat16, enabled=able and precision == "bfloat16"):
        yield
