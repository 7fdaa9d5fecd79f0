"""What a few searched rays tell of all the others."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["Forecast", "Pilots", "describe", "pilot_count", "step_to_root"]

_FEWEST = 64
_PER_FEATURE = 4
_SHARE = 0.1  # of the rays: so many pilots at most, but for the fewest
_RIDGE = 1e-3


@dataclass(frozen=True)
class Forecast:
    r"""Where each ray should meet its level, and how h runs there.

    About its root, :math:`h = s\,x + \tfrac{b}{2} x^2` with :math:`x = \log r - \log r^*`; see
    :class:`gicnn.levelset.roots.Search` for h.
    """

    first: Float[Tensor, " n"]
    """Radius of the root."""
    slope: Float[Tensor, " n"]
    """s."""
    bend: Float[Tensor, " n"]
    """b."""

    @classmethod
    def unknown(cls, first: Float[Tensor, ""], like: Float[Tensor, " n"]) -> "Forecast":
        """Take the paraboloid's slope at some small radius."""
        zero = torch.zeros_like(like)
        return cls(first=zero + first, slope=zero + 2.0, bend=zero)


@dataclass(frozen=True)
class Pilots:
    """Rays whose roots are known."""

    features: Float[Tensor, "p f"]
    """What the roots may depend on: see :func:`describe`."""
    log_radius: Float[Tensor, " p"]
    """Logarithm of each root."""
    slope: Float[Tensor, " p"]
    """dh / d log r there."""
    bend: Float[Tensor, " p"]
    """The second derivative."""

    def forecast(self, features: Float[Tensor, "n f"]) -> Forecast:
        """Predict other rays: by ridge regression on the features, or by the mean of few pilots."""
        known = torch.stack([self.log_radius, self.slope, self.bend], dim=-1)
        mean = known.mean(dim=0)
        predicted = mean.expand(len(features), -1)
        if len(known) >= _PER_FEATURE * features.shape[1]:
            predicted = mean + features @ _ridge(self.features, known - mean)
        log_radius, slope, bend = predicted.unbind(dim=-1)
        return Forecast(log_radius.exp(), slope, bend)


def pilot_count(rays: int, dim: int) -> int:
    """Count the rays worth searching first: enough for a regression, or a few for the mean."""
    wanted = _PER_FEATURE * _feature_count(dim)
    return wanted if _FEWEST < wanted <= _SHARE * rays else _FEWEST


def describe(directions: Float[Tensor, "n d"], rise: Float[Tensor, " n"]) -> Float[Tensor, "n f"]:
    """Give the features of rays: direction, its products, and the height of the level."""
    rows, columns = torch.triu_indices(*[directions.shape[1]] * 2, device=directions.device)
    products = directions[:, rows] * directions[:, columns]
    return torch.cat([directions, products, rise.log().unsqueeze(-1)], dim=-1)


def step_to_root(
    height: Float[Tensor, " n"], slope: Float[Tensor, " n"], bend: Float[Tensor, " n"]
) -> Float[Tensor, " n"]:
    """Solve h + s x + b/2 x^2 = 0 for the nearer x; where there is none, without b."""
    root = (slope.square() - 2 * bend * height).sqrt()
    return -2 * height / (slope + torch.where(root.isnan(), slope, root))


def _feature_count(dim: int) -> int:
    return dim + dim * (dim + 1) // 2 + 1


def _ridge(features: Float[Tensor, "p f"], values: Float[Tensor, "p 3"]) -> Float[Tensor, "f 3"]:
    damping = _RIDGE * torch.eye(features.shape[1]).to(features)
    return torch.linalg.solve(features.mT @ features + damping, features.mT @ values)
