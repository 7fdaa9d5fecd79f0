"""Random points where a certificate looks."""

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["FAR", "NEAR", "points_around"]

NEAR = 2.0  # deviations of the codes: well past the farthest code of a normal posterior's mean
FAR = 100.0  # where level curves that leave the training range end up


def points_around(
    codes: Float[Tensor, "n d"], count: int, reach: float, generator: torch.Generator
) -> Float[Tensor, "count d"]:
    """Draw normal points about the codes' centre, with ``reach`` times their spread."""
    noise = torch.randn(count, codes.shape[1], generator=generator, dtype=codes.dtype)
    return codes.mean(0) + reach * codes.std(0) * noise
