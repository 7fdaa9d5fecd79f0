"""What a radius search knows of each of its rays."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from gicnn.levelset.forecast import Forecast

__all__ = [
    "NOT_FINITE",
    "NOT_REACHED",
    "NO_DIRECTION",
    "REACHED",
    "SEARCHING",
    "UNRESOLVED",
    "Search",
]

SEARCHING, REACHED, NOT_REACHED, NOT_FINITE, UNRESOLVED, NO_DIRECTION = -1, 0, 1, 2, 3, 4


@dataclass
class Search:
    r"""What is known of each ray.

    Points are compared as :math:`\rho = \log r` and
    :math:`h = \log((f - f_0) / (\alpha - f_0))`, with :math:`f_0` the value at the centre: then
    any power of the radius is a straight line with its root at the level, and interpolation is
    exact on cones and paraboloids and good on what lies between them.
    """

    next: Float[Tensor, " n"]
    """Radius to evaluate next."""
    limit: Float[Tensor, " n"]
    """Radius beyond which not to look."""
    slope: Float[Tensor, " n"]
    """Latest estimate of dh / d log r, at the newest evaluation."""
    bend: Float[Tensor, " n"]
    """What is expected of its own derivative; 0 where nothing is."""
    low: Float[Tensor, " n"]
    """Largest radius known to lie below the level."""
    high: Float[Tensor, " n"]
    """Smallest radius known to lie above it; infinite until one is known."""
    broken: Bool[Tensor, " n"]
    """Whether the function is not a number there."""
    logs: Float[Tensor, "n 3"]
    """log r of the last three evaluations, newest first; NaN for none."""
    heights: Float[Tensor, "n 3"]
    """h of the last three evaluations."""
    radius: Float[Tensor, " n"]
    """Radius of the smallest residual so far."""
    residual: Float[Tensor, " n"]
    """That residual, f minus level."""
    stalls: Int[Tensor, " n"]
    """Evaluations in a row that did not bring h four times closer to zero."""
    steps: Int[Tensor, " n"]
    """Evaluations so far."""
    status: Int[Tensor, " n"]
    """SEARCHING, or how the search ended."""

    @classmethod
    def start(cls, forecast: Forecast, limit: Float[Tensor, " n"]) -> "Search":
        """Begin where the roots are expected."""
        first = forecast.first
        count = torch.zeros_like(first, dtype=torch.int64)
        unknown = torch.full_like(first, torch.nan)
        return cls(
            next=torch.minimum(first, limit),
            limit=limit.clone(),
            slope=forecast.slope.clone(),
            bend=forecast.bend.clone(),
            low=torch.zeros_like(first),
            high=torch.full_like(first, torch.inf),
            broken=torch.zeros_like(count, dtype=torch.bool),
            logs=unknown.unsqueeze(-1).repeat(1, 3),
            heights=unknown.unsqueeze(-1).repeat(1, 3),
            radius=unknown,
            residual=torch.full_like(first, torch.inf),
            stalls=count,
            steps=count.clone(),
            status=torch.full_like(count, SEARCHING),
        )

    def pick(self, which: Bool[Tensor, " n"] | Int[Tensor, " m"]) -> "Search":
        """Keep some of the rays."""
        return Search(*(field[which] for field in vars(self).values()))

    def put(self, which: Bool[Tensor, " n"] | Int[Tensor, " m"], part: "Search") -> None:
        """Write back what :meth:`pick` took."""
        for name, field in vars(self).items():
            field[which] = getattr(part, name)
