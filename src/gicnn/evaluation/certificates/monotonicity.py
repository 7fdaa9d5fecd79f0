"""Whether the function on top of f increases (section 2.3)."""

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.certificates.checks import Check
from gicnn.models.vae import SideInformationVAE

__all__ = ["increase_check"]

_STEPS = 100_000
_ROWS = 10_000


def increase_check(
    model: SideInformationVAE, codes: Float[Tensor, "n d"], lowest: Float[Tensor, "d"]
) -> Check:
    """Check that g increases all the way from the lowest value of f to its largest at the codes.

    Args:
        model: In float64.
        codes: Latent codes.
        lowest: The minimum of f.
    """
    values = model.convex(torch.cat([codes, lowest.unsqueeze(0)]))
    share = torch.linspace(0, 1, _STEPS + 1, dtype=codes.dtype)
    t = values.min() + share * (values.max() - values.min())
    y = t if model.monotone is None else torch.cat([model.monotone(p) for p in t.split(_ROWS)])
    return Check(
        "increasing",
        f"smallest rise of g over {_STEPS} even steps from the minimum of f to its largest value "
        f"at a code",
        y.diff().min().item(),
        ">",
        0.0,
        "g is strictly increasing by construction; a flat or falling stretch would merge or part "
        "level sets",
    )
