"""Which molecules latent points and reconstructions stand for."""

from collections.abc import Callable, Iterable

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from gicnn.models.vae import SideInformationVAE

__all__ = ["ROWS", "Decode", "likeliest_names", "reconstructed_as_molecules"]

Decode = Callable[[Iterable[np.ndarray]], list[str]]
"""From graphs as numbers to names; "" for a graph that is no valid molecule."""

ROWS = 4096
"""How many graphs are decoded or encoded at a time, which bounds memory."""


@torch.no_grad()
def likeliest_names(
    model: SideInformationVAE, decode: Decode, points: Float[Tensor, "n d"]
) -> list[str]:
    """Names of the likeliest graphs at latent points; "" also where a point is not finite."""
    modes = [model.likelihood.mode(model.decode(part)) for part in points.split(ROWS)]
    codes, place = np.unique(torch.cat(modes).numpy() > 0, axis=0, return_inverse=True)
    names = np.array(decode(codes), dtype=object)[place]
    names[~points.isfinite().all(-1).numpy()] = ""
    return names.tolist()


@torch.no_grad()
def reconstructed_as_molecules(
    model: SideInformationVAE, decode: Decode, x: Float[Tensor, "n size"]
) -> Bool[Tensor, " n"]:
    """Whether the likeliest reconstruction of each graph, right or wrong, is a valid molecule."""
    names = [
        name
        for part in x.split(ROWS)
        for name in likeliest_names(model, decode, model.encode(part))
    ]
    return torch.tensor([name != "" for name in names])
