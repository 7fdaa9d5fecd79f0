"""What a model makes of each example of a split."""

import torch
from torch import Tensor

from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["predict"]


@torch.no_grad()
def predict(model: SideInformationVAE, split: Split, batch_size: int = 500) -> dict[str, Tensor]:
    """Predictions by way of posterior means, one row per example.

    Args:
        model: In evaluation mode.
        split: On the model's device.
        batch_size: Examples at a time; it bounds memory and changes no number beyond rounding.

    Returns:
        Columns of length n on the CPU: ``index``, ``y``, ``predicted`` (y of section 4.1),
        ``cycled`` (y', from the expected input), ``cycled_hard`` (from the most likely input),
        ``squared_error`` (mean over the features, expected input against true) and ``exact``
        (whether the most likely input is the true one).
    """
    rows = [_predict_batch(model, x) for x in split.x.split(batch_size)]
    columns = {name: torch.cat([row[name] for row in rows]).cpu() for name in rows[0]}
    return {"index": split.index.cpu(), "y": split.y.cpu()} | columns


def _predict_batch(model: SideInformationVAE, x: Tensor) -> dict[str, Tensor]:
    z = model.encode(x)
    parameters = model.decode(z)
    mean, mode = model.likelihood.mean(parameters), model.likelihood.mode(parameters)
    cycled = model.predict(model.encode(mean))
    cycled_hard = cycled if mode is mean else model.predict(model.encode(mode))
    return {
        "predicted": model.predict(z),
        "cycled": cycled,
        "cycled_hard": cycled_hard,
        "squared_error": (mean - x).square().flatten(1).mean(-1),
        "exact": (mode == x).flatten(1).all(-1),
    }
