"""How the learning rate and the weight of the divergence change while training."""

import math
from collections.abc import Callable

__all__ = ["beta_schedule", "learning_rate_schedule"]


def beta_schedule(
    start: float, factor: float, every: int, unit: str, steps_per_epoch: int
) -> Callable[[int], float]:
    """Weight of the divergence at a step: ``start`` times ``factor`` after each interval.

    Args:
        start: The first value.
        factor: The multiplier, at most 1; 1 keeps the weight constant.
        every: The interval, in ``unit``.
        unit: "epoch" or "batch".
        steps_per_epoch: The number of batches in an epoch.

    Example:
        >>> beta = beta_schedule(1.0, 0.5, every=2, unit="epoch", steps_per_epoch=10)
        >>> [beta(step) for step in (0, 19, 20, 40)]
        [1.0, 1.0, 0.5, 0.25]
    """
    if unit not in ("epoch", "batch"):
        raise ValueError(f"unit must be 'epoch' or 'batch', got {unit!r}")
    interval = every * (steps_per_epoch if unit == "epoch" else 1)
    return lambda step: start * factor ** (step // interval)


def learning_rate_schedule(
    shape: str, start: float, end: float, power: float, steps: int
) -> Callable[[int], float]:
    """Learning rate at a step, from ``start`` to ``end`` over ``steps``.

    Args:
        shape: "constant" (``end`` and ``power`` play no part), "cosine" or "polynomial".
        start: The first learning rate.
        end: The last learning rate.
        power: The exponent of the polynomial decay.
        steps: The number of steps of the whole training.

    Example:
        >>> rate = learning_rate_schedule("polynomial", 1.0, 0.0, power=2, steps=10)
        >>> [rate(0), rate(5)]
        [1.0, 0.25]
    """
    left: dict[str, Callable[[float], float]] = {
        "constant": lambda done: 1.0,
        "cosine": lambda done: 0.5 * (1 + math.cos(math.pi * done)),
        "polynomial": lambda done: (1 - done) ** power,
    }
    if shape not in left:
        raise ValueError(f"shape must be one of {', '.join(left)}, got {shape!r}")
    floor = start if shape == "constant" else end
    return lambda step: floor + (start - floor) * left[shape](min(step / steps, 1.0))
