"""What a model trained apart reads from pictures."""

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.models.vae import SideInformationVAE

__all__ = ["read_angles"]

_ROWS = 500


@torch.no_grad()
def read_angles(
    judge: SideInformationVAE, pictures: Float[Tensor, "n *shape"]
) -> Float[Tensor, " n"]:
    """Angles in degrees, as a judge reads them; NaN where a picture is not finite."""
    return torch.cat([judge.predict(judge.encode(part)) for part in pictures.split(_ROWS)])
