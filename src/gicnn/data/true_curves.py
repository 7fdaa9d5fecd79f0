"""Level curves of the true functions, where they have a closed form."""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["TRUE_CURVES", "rosenbrock_curve", "rosenbrock_printed_curve"]


def rosenbrock_curve(level: float, count: int) -> Float[Tensor, "count 2"]:
    r"""Points once around a level curve of :func:`gicnn.data.grids.rosenbrock`.

    .. math::
        1 - 10 x_1 = y^2 \cos t, \quad 10 (10 x_2 - 100 x_1^2) = y^2 \sin t

    Shapes:
        returns: (count, 2), in float64; the first point is not repeated

    Example:
        >>> rosenbrock_curve(1.0, 4).round(decimals=6) + 0.0
        tensor([[0.0000, 0.0000],
                [0.1000, 0.1100],
                [0.2000, 0.4000],
                [0.1000, 0.0900]], dtype=torch.float64)
    """
    along, across = _circle(level, count)
    first = (1 - along) / 10
    return torch.stack([first, 10 * first**2 + across / 100], -1)


def rosenbrock_printed_curve(level: float, count: int) -> Float[Tensor, "count 2"]:
    r"""Points once around a level curve of :func:`gicnn.data.grids.rosenbrock_printed`.

    .. math::
        1 - 10 x_1 = y^2 \cos t, \quad 100 (x_2 - x_1^2) = y^2 \sin t

    Shapes:
        returns: (count, 2), in float64; the first point is not repeated
    """
    along, across = _circle(level, count)
    first = (1 - along) / 10
    return torch.stack([first, first**2 + across / 100], -1)


def _circle(level: float, count: int) -> tuple[Tensor, Tensor]:
    turn = torch.arange(count, dtype=torch.float64) * (2 * math.pi / count)
    return level**2 * turn.cos(), level**2 * turn.sin()


TRUE_CURVES: dict[str, Callable[[float, int], Tensor]] = {
    "rosenbrock": rosenbrock_curve,
    "rosenbrock_printed": rosenbrock_printed_curve,
}
"""Level curves by the name of the function, for those of ``FUNCTIONS`` that have a formula."""
