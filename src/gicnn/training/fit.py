"""The one training loop."""

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gicnn.interruption import postponed_interruption
from gicnn.models.vae import SideInformationVAE
from gicnn.training.device import deterministic
from gicnn.training.progress import progress_bar
from gicnn.training.steps import Training
from gicnn.types import Split

__all__ = ["Fitted", "fit"]

_LOG = logging.getLogger(__name__)
_SECONDS_BETWEEN_CHECKPOINTS = 20.0


@dataclass(frozen=True)
class Fitted:
    """What a training leaves behind.

    Attributes:
        model: The one to keep, in evaluation mode: the average where asked for.
        history: One row for each epoch.
        seconds: Spent, all stretches together.
        devices: It was trained on, one after the other, in words.
    """

    model: SideInformationVAE
    history: list[dict[str, float]]
    seconds: float
    devices: list[str]


def fit(
    model: SideInformationVAE,
    train: Split,
    validation: Split,
    *,
    seed: int,
    checkpoint: Path,
    fingerprint: str,
    title: str,
    **settings: Any,  # noqa: ANN401
) -> Fitted:
    """Fit a model; every step follows from the seed and its number alone.

    Told to stop, it writes a checkpoint first; killed, there is one of the last half minute. A
    second call with the same arguments goes on from it and ends with the same weights bit for
    bit (on a GPU: where torch has deterministic algorithms).

    Args:
        model: On its device; its weights are changed.
        train: The training split, on the same device.
        validation: Watched, never used to choose.
        seed: Of batches and of noise.
        checkpoint: Where the state is kept while training lasts.
        fingerprint: Of settings, data and code, kept with the checkpoint.
        title: What the progress bar calls it.
        settings: The other arguments of ``Training``.

    Raises:
        NonFiniteLossError: Naming epoch, term and settings; the checkpoint stays.
        RuntimeError: Among others, a GPU's memory ran short; the last checkpoint stays.
        KeyboardInterrupt: Ctrl-C came; a checkpoint was written.
        SystemExit: SIGTERM came; a checkpoint was written.
    """
    training = Training(model, train, seed=seed, **settings)
    training.restore(checkpoint, fingerprint)
    saved = time.monotonic()
    _LOG.info("training from step %d to %d", training.progress.step, training.steps)
    bar = progress_bar(title, training.progress.step, training.steps)
    with bar, deterministic(train.x.device), postponed_interruption() as interruption:
        while training.progress.step < training.steps:
            training.advance()
            bar.update()
            if training.ends_epoch:
                row = training.close_epoch(validation)
                bar.set_postfix(epoch=row["epoch"], loss=f"{row['loss']:.4g}", refresh=False)
            if interruption.asked or time.monotonic() - saved > _SECONDS_BETWEEN_CHECKPOINTS:
                training.save(checkpoint, fingerprint)
                saved = time.monotonic()
            if interruption.asked:
                interruption.leave()
    return Fitted(
        training.average.eval(),
        training.progress.history,
        training.seconds,
        training.progress.devices,
    )
