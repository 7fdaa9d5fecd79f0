"""Where the codes of training pictures lie."""

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["Support"]

_ROWS = 1000
_QUANTILE = 0.99


class Support:
    """The region that codes occupy: all that is no farther from one than test codes are.

    Args:
        codes: Of the training split.
        others: Of the test split; 99 % of them are within the region.

    Attributes:
        radius: How far from a training code the region reaches.

    Shapes:
        codes: (n, d), others: (m, d)
    """

    def __init__(self, codes: Float[Tensor, "n d"], others: Float[Tensor, "m d"]) -> None:
        self.codes = codes
        self.radius = torch.quantile(self.distance(others).double(), _QUANTILE).item()

    def distance(self, points: Float[Tensor, "k d"]) -> Float[Tensor, " k"]:
        """Distance from each point to the nearest training code; NaN where a point is not finite."""
        parts = [torch.cdist(part, self.codes).amin(-1) for part in points.split(_ROWS)]
        return torch.cat(parts)
