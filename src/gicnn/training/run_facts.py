"""What is worth knowing about a training afterwards."""

from collections.abc import Mapping
from typing import Any

import torch

from gicnn.circumstances import peak_memory_mb, versions
from gicnn.models.build import count_parameters
from gicnn.training.fit import Fitted

__all__ = ["describe_cost", "describe_run"]

_LIBRARIES = ("torch", "numpy", "zuko", "safetensors")


def describe_run(settings: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """What the weights follow from, data aside: a checkpoint fits a run with the same facts.

    The kind of processor decides last bits too, but a training that was stopped may go on elsewhere.

    Args:
        settings: Model, training, device and code digest, as the rule passed them.
        seed: Of the training.
    """
    return {
        "settings": dict(settings),
        "seed": seed,
        "versions": versions(_LIBRARIES),
    }


def describe_cost(fitted: Fitted) -> dict[str, Any]:
    """Devices, size and cost: time in seconds, memory in MB (the CPU's of the last stretch)."""
    gpu = torch.cuda.max_memory_allocated() / 1e6 if torch.cuda.is_initialized() else 0.0
    return {
        "devices": fitted.devices,
        "parameters": count_parameters(fitted.model),
        "seconds": round(fitted.seconds, 1),
        "peak_memory_mb": peak_memory_mb(),
        "peak_gpu_memory_mb": round(gpu),
    }
