"""Whether the function on top of f increases (section 2.3)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.evaluation.certificates.checks import Check
from gicnn.evaluation.certificates.surroundings import FAR, points_around
from gicnn.models.vae import SideInformationVAE
from gicnn.nn.monotone import BoundedTanh, TanhSum

__all__ = ["increase_checks", "is_increasing"]

_STEPS = 100_000
_ROWS = 10_000
_FAR_POINTS = 1000


def is_increasing(monotone: nn.Module | None) -> bool:
    """Whether increase is built into g; None is the identity."""
    return monotone is None or isinstance(monotone, TanhSum | BoundedTanh)


def increase_checks(
    model: SideInformationVAE,
    codes: Float[Tensor, "n d"],
    lowest: Float[Tensor, "d"],
    generator: torch.Generator,
) -> list[Check]:
    """Check that g increases from the lowest value of f to its largest at the codes, and far on.

    Args:
        model: In float64.
        codes: Latent codes.
        lowest: The minimum of f.
        generator: Of the far points.
    """
    far = points_around(codes, _FAR_POINTS, FAR, generator)
    values = model.convex(torch.cat([codes, lowest.unsqueeze(0)]))
    start, end = values.min(), values.max()
    return [
        Check(
            "increasing",
            f"smallest rise of g over {_STEPS} even steps from the minimum of f to its largest "
            f"value at a code",
            _smallest_rise(model, start, end),
            ">",
            0.0,
            "g is strictly increasing by construction, but floats may no longer tell a bounded one "
            "from its bound; a flat or falling stretch merges or parts level sets",
        ),
        Check(
            "far_increasing",
            f"the same up to the largest value of f at {_FAR_POINTS} points with {FAR:g} times the "
            f"codes' spread",
            _smallest_rise(model, start, model.convex(far).max()),
            ">=",
            0.0,
            "so far out a bounded g is flat to rounding, but it never falls",
        ),
    ]


def _smallest_rise(
    model: SideInformationVAE, start: Float[Tensor, ""], end: Float[Tensor, ""]
) -> float:
    t = start + torch.linspace(0, 1, _STEPS + 1, dtype=start.dtype) * (end - start)
    y = t if model.monotone is None else torch.cat([model.monotone(p) for p in t.split(_ROWS)])
    return y.diff().min().item()
