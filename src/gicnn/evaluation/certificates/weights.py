"""What a property decoder promises, and the weights that bear on it (Theorem 3.4)."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.evaluation.certificates.checks import Check
from gicnn.models.vae import SideInformationVAE
from gicnn.nn.convex import InputConvexNetwork
from gicnn.nn.dense import DenseProperty

__all__ = ["hidden_weights", "input_weights", "is_input_convex", "weight_checks"]


def is_input_convex(network: nn.Module) -> bool:
    """Whether convexity is built into the network."""
    return isinstance(network, InputConvexNetwork)


def hidden_weights(network: nn.Module) -> list[Tensor]:
    """Matrices (out, in) applied to hidden layers: those that convexity wants positive."""
    if is_input_convex(network):
        layers = zip(network.convex, network.skip[:-1], strict=True)
        return [_applied(layer, before.out_features) for layer, before in layers]
    return [layer.weight for layer in _linear(network)[1:]]


def _applied(layer: nn.Module, width: int) -> Float[Tensor, "out width"]:
    """The matrix that a linear layer applies, whatever it says of itself."""
    return layer(torch.eye(width).to(layer.free)).mT


def input_weights(network: nn.Module) -> list[Tensor]:
    """Matrices (out, d) applied to the latent point ahead of an activation.

    The last layer has no activation; what it adds is affine, and makes nothing strictly convex.
    """
    if is_input_convex(network):
        return [layer.weight for layer in network.skip[:-1]]
    return [_linear(network)[0].weight]


def weight_checks(model: SideInformationVAE) -> list[Check]:
    """Check what can be read off the weights, the premises of strict convexity above all."""
    hidden = hidden_weights(model.convex)
    return [
        Check(
            "finite_weights",
            "weights of the whole model that are infinite or not a number",
            sum(int((~weight.isfinite()).sum()) for weight in model.state_dict().values()),
            "==",
            0,
            "no training that went well leaves one",
        ),
        Check(
            "positive_weights",
            "smallest weight on a hidden layer",
            torch.stack([weight.min() for weight in hidden]).min().item(),
            ">",
            0.0,
            "the parameterisation keeps weights above a positive floor, so none may touch 0",
        ),
        Check(
            "nonzero_rows",
            "all-zero rows of the weights on hidden layers",
            sum(_zero_rows(weight) for weight in hidden),
            "==",
            0,
            "a unit without input is constant and passes no convexity on",
        ),
        Check(
            "full_rank",
            "smallest singular value of all weights from the input to activated layers",
            _rank_margin(torch.cat(input_weights(model.convex))),
            ">",
            1e-6,
            "0 means a direction in which no unit changes; trained weights are of order 0.1 to "
            "10 and their singular values are exact to about 1e-14",
        ),
    ]


def _zero_rows(weight: Float[Tensor, "rows columns"]) -> int:
    """Count rows without any entry but 0; entries that are not numbers do not count either."""
    return int((~(weight.abs() > 0).any(-1)).sum())


def _rank_margin(matrix: Float[Tensor, "rows d"]) -> float:
    """Zero unless the rows span the input space, and then how surely they do."""
    rows, dimension = matrix.shape
    if not matrix.isfinite().all():
        return math.nan
    return torch.linalg.svdvals(matrix).min().item() if rows >= dimension else 0.0


def _linear(network: nn.Module) -> list[nn.Linear]:
    if not isinstance(network, DenseProperty):
        raise TypeError(f"no known weights in a {type(network).__name__}")
    return [layer for layer in network.layers if isinstance(layer, nn.Linear)]
