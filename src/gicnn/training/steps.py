"""A model being fitted, one batch at a time."""

import copy
import time
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from gicnn.models.vae import SideInformationVAE
from gicnn.seeds import derive_seed
from gicnn.training.checkpoints import load_checkpoint, save_checkpoint
from gicnn.training.device import describe_device, products
from gicnn.training.objectives import Terms, objective
from gicnn.training.progress import Progress
from gicnn.training.schedules import beta_schedule, learning_rate_schedule
from gicnn.training.validation import errors
from gicnn.types import Split

__all__ = ["NonFiniteLossError", "Training"]

_OPTIMISERS = {"adam": partial(torch.optim.Adam, fused=True), "adamax": torch.optim.Adamax}


class NonFiniteLossError(ArithmeticError):
    """A term of the loss became infinite or not a number."""


class Training:
    """A model being fitted: one call of ``advance`` per batch.

    Args:
        model: On its device.
        train: The training split, on the same device.
        seed: Of batches and of noise.
        epochs: Passes over the training split.
        batch_size: Examples in a batch; the last batch of an epoch may be smaller.
        optimiser: "adam" or "adamax".
        learning_rate: Arguments of ``learning_rate_schedule`` but ``steps``.
        beta: Arguments of ``beta_schedule`` but ``steps_per_epoch``.
        property_weight: Weight of the property's likelihood.
        cycle: See ``objectives.objective``; left out for exact bijections.
        gradient_norm: The largest; a longer gradient is shortened to it. None lets all pass.
        averaging: Decay of the running average of the weights; 0 for none.
        precision: Of products of matrices: "float32", or "bfloat16" on CPUs that have it.
    """

    def __init__(
        self,
        model: SideInformationVAE,
        train: Split,
        *,
        seed: int,
        epochs: int,
        batch_size: int,
        optimiser: str,
        learning_rate: Mapping[str, Any],
        beta: Mapping[str, Any],
        property_weight: float,
        cycle: Mapping[str, Any] | None,
        gradient_norm: float | None,
        averaging: float,
        precision: str,
    ) -> None:
        self.model = model.train()
        self.average = copy.deepcopy(model) if averaging else model
        self.averaging = averaging
        self.gradient_norm = gradient_norm
        self.train = train
        self.target = (train.y - model.offset) / model.scale
        self.seed = seed
        self.precision = precision
        self.batch_size = batch_size
        self.steps_per_epoch = -(-len(train.x) // batch_size)
        self.steps = epochs * self.steps_per_epoch
        self.rate_at = learning_rate_schedule(**learning_rate, steps=self.steps)
        self.beta_at = beta_schedule(**beta, steps_per_epoch=self.steps_per_epoch)
        self.weights = {"property_weight": property_weight, "cycle": cycle}
        if model.exact:
            self.weights["cycle"] = None
        self.optimiser = _OPTIMISERS[optimiser](model.parameters(), lr=self.rate_at(0))
        self.progress = Progress()
        self.started = time.monotonic()

    @property
    def ends_epoch(self) -> bool:
        """Whether the step just made was the last one of an epoch."""
        return self.progress.step % self.steps_per_epoch == 0

    @property
    def seconds(self) -> float:
        """Time spent, earlier stretches included."""
        return self.progress.seconds + time.monotonic() - self.started

    def advance(self) -> None:
        """Make one step."""
        step = self.progress.step
        batch = self._batch(*divmod(step, self.steps_per_epoch))
        torch.manual_seed(derive_seed(self.seed, "noise", step))
        beta = self.beta_at(step)
        x, y = self.train.x[batch], self.target[batch]
        with products(self.precision, x.device):
            terms = objective(self.model, x, y, beta=beta, **self.weights)
        self._add(terms, len(batch))
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate_at(step)
        self.optimiser.zero_grad(set_to_none=True)
        terms.loss.backward()
        if self.gradient_norm is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.gradient_norm)
        self.optimiser.step()
        self._move_average(step)
        self.progress.step += 1

    def close_epoch(self, validation: Split) -> dict[str, float]:
        """Add one row to the history: mean terms, schedules, errors on validation."""
        sums, step = self.progress.sums, self.progress.step
        row: dict[str, float] = {"epoch": step // self.steps_per_epoch}
        row |= {name: total / sums["count"] for name, total in sums.items() if name != "count"}
        row |= {"beta": self.beta_at(step - 1), "learning_rate": self.rate_at(step - 1)}
        measured = errors(self.average, validation)
        row |= {f"validation_{name}": error for name, error in measured.items()}
        self.progress.history.append(row)
        self.progress.sums = {}
        return row

    def save(self, checkpoint: Path, fingerprint: str) -> None:
        """Keep the state, unless a weight is no longer finite."""
        if all(bool(parameter.isfinite().all()) for parameter in self.model.parameters()):
            now = {"fingerprint": fingerprint, "seconds": self.seconds}
            progress = asdict(self.progress) | now
            save_checkpoint(checkpoint, self._modules(), self.optimiser, progress)

    def restore(self, checkpoint: Path, fingerprint: str) -> None:
        """Go back to a kept state of this very training, if there is one."""
        device = self.train.x.device
        kept = load_checkpoint(checkpoint, self._modules(), self.optimiser, fingerprint, device)
        if kept is not None:
            del kept["fingerprint"]
            self.progress = Progress(**kept)
        here = describe_device(device)
        if self.progress.devices[-1:] != [here]:
            self.progress.devices.append(here)

    def _modules(self) -> dict[str, nn.Module]:
        averaged = {"average": self.average} if self.averaging else {}
        return {"model": self.model} | averaged

    def _batch(self, epoch: int, position: int) -> Tensor:
        """Indices of one batch; the order of an epoch is drawn once."""
        if position == 0 or not hasattr(self, "_order"):
            generator = torch.Generator().manual_seed(derive_seed(self.seed, "order", epoch))
            order = torch.randperm(len(self.train.x), generator=generator)
            self._order = order.to(self.train.x.device)
        return self._order[position * self.batch_size : (position + 1) * self.batch_size]

    def _add(self, terms: Terms, count: int) -> None:
        """Add a batch to the epoch's sums, and stop if a term is not finite."""
        numbers = torch.stack(list(vars(terms).values())).detach().tolist()
        values = dict(zip(vars(terms), numbers, strict=True))
        unsound = [name for name, value in values.items() if value - value != 0]
        if unsound:
            epoch = self.progress.step // self.steps_per_epoch + 1
            raise NonFiniteLossError(
                f"the loss is not finite in epoch {epoch}, step {self.progress.step + 1}: "
                f"{', '.join(unsound)} of {values}; settings: batch_size {self.batch_size}, "
                f"learning rate {self.rate_at(self.progress.step):.3g}, "
                f"beta {self.beta_at(self.progress.step):.3g}, {self.weights}. Lower the learning "
                "rate or that term's weight; other settings start afresh"
            )
        sums = self.progress.sums
        sums["count"] = sums.get("count", 0.0) + count
        for name, value in values.items():
            sums[name] = sums.get(name, 0.0) + value * count

    @torch.no_grad()
    def _move_average(self, step: int) -> None:
        """Exponential average of the weights, quicker at the start; statistics are copied."""
        if not self.averaging:
            return
        weight = 1 - min(self.averaging, (1 + step) / (10 + step))
        kept, current = list(self.average.parameters()), list(self.model.parameters())
        torch._foreach_lerp_(kept, current, weight)
        for ours, theirs in zip(self.average.buffers(), self.model.buffers(), strict=True):
            ours.copy_(theirs)
