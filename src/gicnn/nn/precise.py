"""Linear layers that keep their digits where other products are rounded."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

__all__ = ["PreciseLinear"]


class PreciseLinear(nn.Linear):
    """Linear layer in its weights' own precision, under ``torch.autocast`` too.

    Shapes:
        x: (*batch, in_features), returns: (*batch, out_features)
    """

    def forward(self, x: Float[Tensor, "*batch in_features"]) -> Float[Tensor, "*batch out"]:
        with torch.autocast(x.device.type, enabled=False):
            return super().forward(x.to(self.weight.dtype))
