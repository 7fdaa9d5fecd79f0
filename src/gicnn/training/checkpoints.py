"""The whole state of a training in one file, so that a stopped one goes on as if it had not."""

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from gicnn.tensors import load_tensors, save_tensors

__all__ = ["fingerprint", "load_checkpoint", "save_checkpoint"]

_LOG = logging.getLogger(__name__)


def fingerprint(facts: Mapping[str, Any], data: str) -> str:
    """Digest of everything a training follows from; a checkpoint of another one is not used.

    Args:
        facts: Settings, code, seed, device, threads, versions: ``run_facts.describe_run``.
        data: Digest of the dataset.
    """
    return hashlib.sha256(json.dumps([facts, data], sort_keys=True).encode()).hexdigest()


def save_checkpoint(
    path: Path,
    modules: Mapping[str, nn.Module],
    optimiser: Optimizer,
    progress: Mapping[str, Any],
) -> None:
    """Write modules, optimiser and progress.

    Args:
        path: The file, replaced as a whole.
        modules: By name, such as the model and its running average.
        optimiser: With state that consists of tensors.
        progress: JSON-able facts: step, fingerprint, history so far.
    """
    tensors = {
        f"module.{name}.{key}": value
        for name, module in modules.items()
        for key, value in module.state_dict().items()
    }
    for index, state in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{index}.{key}": value for key, value in state.items()}
    save_tensors(path, tensors, progress)


def load_checkpoint(
    path: Path,
    modules: Mapping[str, nn.Module],
    optimiser: Optimizer,
    expected: str,
    device: torch.device,
) -> dict[str, Any] | None:
    """Restore what ``save_checkpoint`` wrote and return the progress, or None to start afresh.

    A file that is damaged or belongs to other settings, data or code is left aside with a
    message in the log.
    """
    if not path.exists():
        return None
    try:
        tensors, progress = load_tensors(path, str(device))
    except ValueError as error:
        _LOG.warning("checkpoint ignored: %s", error)
        return None
    if progress.get("fingerprint") != expected:
        _LOG.info("checkpoint %s is of other settings, data or code: starting afresh", path)
        return None
    if not _fits(tensors, modules, optimiser):
        _LOG.warning("checkpoint %s lacks a part of the state: starting afresh", path)
        return None
    for name, module in modules.items():
        module.load_state_dict(_below(tensors, f"module.{name}."))
    _restore_optimiser(optimiser, _below(tensors, "optimiser."))
    _LOG.info("going on from step %d of %s", progress["step"], path)
    return progress


def _fits(
    tensors: Mapping[str, Tensor], modules: Mapping[str, nn.Module], optimiser: Optimizer
) -> bool:
    """Whether every module and every parameter of the optimiser finds its tensors."""
    for name, module in modules.items():
        state, kept = module.state_dict(), _below(tensors, f"module.{name}.")
        if {key: value.shape for key, value in state.items()} != {
            key: value.shape for key, value in kept.items()
        }:
            return False
    parameters = sum(len(group["params"]) for group in optimiser.param_groups)
    return len({name.split(".")[0] for name in _below(tensors, "optimiser.")}) == parameters


def _restore_optimiser(optimiser: Optimizer, tensors: Mapping[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        index, key = name.split(".")
        state.setdefault(int(index), {})[key] = value
    groups = optimiser.state_dict()["param_groups"]
    optimiser.load_state_dict({"state": state, "param_groups": groups})


def _below(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}
