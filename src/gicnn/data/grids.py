"""Synthetic functions of two variables, sampled on a grid (section 5.1)."""

import math
from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.data.dataset import Dataset
from gicnn.types import SPLITS

__all__ = ["FUNCTIONS", "build_grid", "gaussian_mixture", "rosenbrock", "rosenbrock_printed"]


def rosenbrock(x: Float[Tensor, "*batch 2"]) -> Float[Tensor, "*batch"]:
    r"""Modified Rosenbrock function whose minimum, 0, is where the paper says: (0.1, 0.1).

    .. math::
        \sqrt[4]{(1 - 10 x_1)^2 + 100 (10 x_2 - 100 x_1^2)^2}

    It has a cusp at its minimum, where automatic differentiation gives NaN.

    Shapes:
        x: (*batch, 2), returns: (*batch,)

    Example:
        >>> rosenbrock(torch.tensor([[0.1, 0.1], [0.0, 0.0]], dtype=torch.float64)).round()
        tensor([0., 1.], dtype=torch.float64)
    """
    first, second = x.unbind(-1)
    return _fourth_root(1 - 10 * first, 10 * (10 * second - 100 * first**2))


def rosenbrock_printed(x: Float[Tensor, "*batch 2"]) -> Float[Tensor, "*batch"]:
    r"""Modified Rosenbrock function as section 5.1 prints it; its minimum, 0, is at (0.1, 0.01).

    .. math::
        \sqrt[4]{(1 - 10 x_1)^2 + 100 (10 (x_2 - x_1^2))^2}

    Shapes:
        x: (*batch, 2), returns: (*batch,)
    """
    first, second = x.unbind(-1)
    return _fourth_root(1 - 10 * first, 100 * (second - first**2))


def _fourth_root(a: Tensor, b: Tensor) -> Tensor:
    return (a**2 + b**2).sqrt().sqrt()


_MEAN = 0.2
_VARIANCE = 0.02


def gaussian_mixture(x: Float[Tensor, "*batch 2"]) -> Float[Tensor, "*batch"]:
    r"""Two Gaussians in equal parts, turned upside down and 0 at both of their modes.

    The means are (-0.2, 0) and (0.2, 0), both covariances 0.02 times the identity. Two
    minima mean that no level set just above 0 is connected (section 5.1, figure 4).

    Shapes:
        x: (*batch, 2), returns: (*batch,)
    """
    mode = torch.tensor([_mode(), 0.0], dtype=x.dtype, device=x.device)
    return _density(mode) - _density(x)


def _density(x: Tensor) -> Tensor:
    first, second = x.unbind(-1)
    bumps = sum(
        torch.exp(-((first - mean) ** 2 + second**2) / (2 * _VARIANCE)) for mean in (-_MEAN, _MEAN)
    )
    return bumps / (2 * 2 * math.pi * _VARIANCE)


def _mode() -> float:
    """The right-hand mode: each bump pulls the other's peak a little towards the middle."""
    position = _MEAN
    for _ in range(100):
        position = _MEAN * math.tanh(_MEAN * position / _VARIANCE)
    return position


FUNCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "rosenbrock": rosenbrock,
    "rosenbrock_printed": rosenbrock_printed,
    "gaussian_mixture": gaussian_mixture,
}
"""The true functions by name."""


def build_grid(
    function: str, extent: float, points_per_side: int, validation: int, test: int, seed: int
) -> Dataset:
    """Sample a function on a square grid for training, and at random points beside it.

    Args:
        function: A key of ``FUNCTIONS``.
        extent: The square is [-extent, extent] on both axes.
        points_per_side: The grid has this number squared of training points.
        validation: How many points are drawn uniformly from the square for validation.
        test: How many more are drawn for the test.
        seed: Fixes the points that are drawn.

    Returns:
        x of shape (n, 2) and y of shape (n,), both without units. Training comes first, row
        by row, then validation, then test; the index counts through.

    Raises:
        ValueError: The function has an unknown name.
    """
    if function not in FUNCTIONS:
        raise ValueError(f"no function {function!r}; there are {', '.join(FUNCTIONS)}")
    axis = np.linspace(-extent, extent, points_per_side)
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    drawn = np.random.default_rng(seed).uniform(-extent, extent, size=(validation + test, 2))
    x = torch.from_numpy(np.concatenate([grid, drawn]).astype(np.float32))
    counts = torch.tensor([len(grid), validation, test])
    return Dataset(
        x=x,
        y=FUNCTIONS[function](x.double()).float(),
        split=torch.arange(len(SPLITS), dtype=torch.uint8).repeat_interleave(counts),
        index=torch.arange(len(x)),
        units={"x": "1", "y": "1"},
    )
