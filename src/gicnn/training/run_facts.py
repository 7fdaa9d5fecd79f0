"""What is worth knowing about a training afterwards."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from gicnn.circumstances import peak_memory_mb, versions
from gicnn.models.build import count_parameters
from gicnn.training.device import describe_device

__all__ = ["describe_cost", "describe_run"]

_LIBRARIES = ("torch", "numpy", "zuko", "safetensors")


def describe_run(settings: Mapping[str, Any], seed: int, device: torch.device) -> dict[str, Any]:
    """All that the weights follow from, data aside: a checkpoint fits a run with the same facts.

    Args:
        settings: Model, training, device and code digest, as the rule passed them.
        seed: Of the training.
        device: Where it runs.
    """
    return {
        "settings": dict(settings),
        "seed": seed,
        "device": describe_device(device),
        "versions": versions(_LIBRARIES),
    }


def describe_cost(model: nn.Module, seconds: float) -> dict[str, Any]:
    """Size and cost: time in seconds, memory in MB (the CPU's of the last stretch)."""
    gpu = torch.cuda.max_memory_allocated() / 1e6 if torch.cuda.is_initialized() else 0.0
    return {
        "parameters": count_parameters(model),
        "seconds": round(seconds, 1),
        "peak_memory_mb": peak_memory_mb(),
        "peak_gpu_memory_mb": round(gpu),
    }
