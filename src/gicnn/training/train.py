"""One training from a dataset's file to a fitted model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from gicnn.files import sole_writer
from gicnn.models.build import build_model, property_units
from gicnn.provenance import file_digest
from gicnn.tensors import load_splits
from gicnn.training.checkpoints import fingerprint
from gicnn.training.device import compute_on
from gicnn.training.fit import Fitted, fit
from gicnn.training.run_facts import describe_run

__all__ = ["train"]


def train(
    tensors: str | Path, settings: Mapping[str, Any], seed: int, checkpoint: str | Path, title: str
) -> Fitted:
    """Build a model and fit it, on the device that the settings wish for.

    Args:
        tensors: The dataset.
        settings: ``model``, ``training`` and ``device``, sections of the config; all else in them
            counts, too, for whether a checkpoint is of this training.
        seed: Of weights, batches and noise.
        checkpoint: Where the state is kept while training lasts.
        title: What the progress bar calls it.

    Raises:
        RuntimeError: Another process is at this training, or a GPU asked for by name is too small.
        ValueError: The device cannot be had, or settings do not fit each other.
    """
    facts = fingerprint(describe_run(settings, seed), data=file_digest(tensors))

    def fit_on(device: torch.device) -> Fitted:
        splits = load_splits(tensors, device)
        torch.manual_seed(seed)
        units = property_units(settings["model"], splits["train"].y)
        model = build_model(settings["model"], splits["train"].x.shape[1:], units).to(device)
        return fit(
            model,
            splits["train"],
            splits["validation"],
            title=title,
            seed=seed,
            checkpoint=Path(checkpoint),
            fingerprint=facts,
            **settings["training"],
        )

    with sole_writer(checkpoint):
        return compute_on(settings["device"], fit_on)
