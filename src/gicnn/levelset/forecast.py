"""What a few searched rays tell of all the others."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["Forecast", "Pilots", "pilot_count", "step_to_root"]

_FEWEST = 64
_PER_FEATURE = 4
_SHARE = 0.1  # of the rays: so many pilots at most, but for the fewest
_RIDGE = 1e-3


@dataclass(frozen=True)
class Forecast:
    r"""Where each ray should meet its level, and how h runs there.

    About its root, :math:`h = s\,x + \tfrac{b}{2} x^2` with :math:`x = \log r - \log r^*`; see
    :class:`gicnn.levelset.search.Search` for h.
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

    directions: Float[Tensor, "p d"]
    """Unit vectors."""
    rise: Float[Tensor, " p"]
    """Height of the level above the centre."""
    log_radius: Float[Tensor, " p"]
    """Logarithm of each root."""
    slope: Float[Tensor, " p"]
    """dh / d log r there."""
    bend: Float[Tensor, " p"]
    """The second derivative."""

    def forecast(self, directions: Float[Tensor, "n d"], rise: Float[Tensor, " n"]) -> Forecast:
        """Predict other rays.

        By ridge regression on the direction, its products and the logarithm of the rise, or by the
        mean of few pilots.
        """
        known = torch.stack([self.log_radius, self.slope, self.bend], dim=-1)
        predicted = known.mean(dim=0).expand(len(directions), -1)
        if len(known) >= _PER_FEATURE * _feature_count(directions.shape[1]):
            predicted = predicted + self._regression(known, directions, rise)
        log_radius, slope, bend = predicted.unbind(dim=-1)
        return Forecast(log_radius.exp(), slope, bend)

    def _regression(
        self, known: Float[Tensor, "p 3"], directions: Float[Tensor, "n d"], rise: Tensor
    ) -> Float[Tensor, "n 3"]:
        dim = directions.shape[1]
        rows, columns = torch.triu_indices(dim, dim, device=directions.device)
        products = self.directions[:, rows] * self.directions[:, columns]
        logarithm = self.rise.log().unsqueeze(-1)
        features = torch.cat([self.directions, products, logarithm], dim=-1)
        weights = _ridge(features, known - known.mean(dim=0))

        # As forms: the products of all rays would take more time than all else here.
        linear, products, height = weights.split([dim, len(rows), 1])
        forms = directions.new_zeros(3, dim, dim)
        forms[:, rows, columns] = products.mT
        quadratic = torch.stack([((directions @ form) * directions).sum(-1) for form in forms], -1)
        return directions @ linear + quadratic + rise.log().unsqueeze(-1) * height


def pilot_count(rays: int, dim: int) -> int:
    """Count the rays worth searching first: enough for a regression, or a few for the mean."""
    wanted = _PER_FEATURE * _feature_count(dim)
    return wanted if _FEWEST < wanted <= _SHARE * rays else _FEWEST


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
