"""What is worth knowing about a training afterwards."""

import platform
import resource
import sys
import time
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import torch
from torch import nn

from gicnn.models.build import count_parameters
from gicnn.training.device import describe_device

__all__ = ["RunFacts"]

_LIBRARIES = ("torch", "numpy", "zuko", "safetensors")


class RunFacts:
    """Settings, machine and cost of one training, from construction to ``describe``.

    A resumed training reports the cost of its last stretch.

    Args:
        settings: Model, training, device and code digest, as the rule passed them.
        seed: Of the training.
        device: Where it runs.
    """

    def __init__(self, settings: Mapping[str, Any], seed: int, device: torch.device) -> None:
        self.settings = dict(settings)
        self.seed = seed
        self.device = device
        self.started = time.monotonic()

    def describe(self, model: nn.Module) -> dict[str, Any]:
        """The facts as JSON-able values; memory in MB, time in seconds."""
        return {
            "settings": self.settings,
            "seed": self.seed,
            "device": describe_device(self.device),
            "threads": torch.get_num_threads(),
            "parameters": count_parameters(model),
            "seconds": round(time.monotonic() - self.started, 1),
            "peak_memory_mb": round(_peak_memory()),
            "versions": {name: version(name) for name in _LIBRARIES}
            | {"python": platform.python_version()},
        }


def _peak_memory() -> float:
    """Largest resident size of this process; Linux counts in kB, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
