"""Level curves of the true functions, where they have a closed form."""

import math
from collections.abc import Callable

import numpy as np
from jaxtyping import Float64

__all__ = ["TRUE_CURVES", "rosenbrock_curve", "rosenbrock_printed_curve"]


def rosenbrock_curve(level: float, count: int) -> Float64[np.ndarray, "count 2"]:
    r"""Points once around a level curve of :func:`gicnn.data.grids.rosenbrock`.

    .. math::
        1 - 10 x_1 = y^2 \cos t, \quad 10 (10 x_2 - 100 x_1^2) = y^2 \sin t

    Shapes:
        returns: (count, 2); the first point is not repeated

    Example:
        >>> rosenbrock_curve(1.0, 4).round(6) + 0.0
        array([[0.  , 0.  ],
               [0.1 , 0.11],
               [0.2 , 0.4 ],
               [0.1 , 0.09]])
    """
    along, across = _circle(level, count)
    first = (1 - along) / 10
    return np.stack([first, 10 * first**2 + across / 100], -1)


def rosenbrock_printed_curve(level: float, count: int) -> Float64[np.ndarray, "count 2"]:
    r"""Points once around a level curve of :func:`gicnn.data.grids.rosenbrock_printed`.

    .. math::
        1 - 10 x_1 = y^2 \cos t, \quad 100 (x_2 - x_1^2) = y^2 \sin t

    Shapes:
        returns: (count, 2); the first point is not repeated
    """
    along, across = _circle(level, count)
    first = (1 - along) / 10
    return np.stack([first, first**2 + across / 100], -1)


def _circle(level: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    turn = np.arange(count) * (2 * math.pi / count)
    return level**2 * np.cos(turn), level**2 * np.sin(turn)


TRUE_CURVES: dict[str, Callable[[float, int], np.ndarray]] = {
    "rosenbrock": rosenbrock_curve,
    "rosenbrock_printed": rosenbrock_printed_curve,
}
"""Level curves by the name of the function, for those of ``FUNCTIONS`` that have a formula."""
