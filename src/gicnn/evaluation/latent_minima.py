"""Minima of a function of the latent code, where there are codes."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from gicnn.levelset import Box, Minimum, ScalarFunction, find_minimum

__all__ = ["find_latent_minima"]

_CLOSE = 0.05  # minima this near to each other, in deviations of the codes, are one
_BORDER = 1e-6  # of the box's side


def find_latent_minima(
    function: ScalarFunction,
    codes: Float[Tensor, "n d"],
    starts: int,
    generator: torch.Generator,
) -> tuple[Minimum, Bool[Tensor, " m"]]:
    """Search the box of the codes from some of them.

    Args:
        function: Of the latent code, (*batch, d) -> (*batch,).
        codes: Latent codes of examples.
        starts: How many of them to start from, at most.
        generator: Of the choice of starts.

    Returns:
        What the search found, and which of its distinct minima lie inside the box: where a
        function that falls outwards comes to rest on the border, it has no minimum.
    """
    chosen = torch.randperm(len(codes), generator=generator)[:starts]
    low, high = codes.min(0).values, codes.max(0).values
    separation = _CLOSE * codes.std().item()
    found = find_minimum(function, codes[chosen], region=Box(low, high), separation=separation)
    margin = _BORDER * (high - low)
    inside = (found.distinct > low + margin) & (found.distinct < high - margin)
    return found, inside.all(-1)
