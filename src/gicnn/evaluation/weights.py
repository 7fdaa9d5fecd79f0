"""What a property decoder promises, and which of its weights bear on that."""

from torch import Tensor, nn

from gicnn.nn.convex import InputConvexNetwork
from gicnn.nn.dense import DenseProperty

__all__ = ["hidden_weights", "input_weights", "is_input_convex"]


def is_input_convex(network: nn.Module) -> bool:
    """Whether convexity is built into the network."""
    return isinstance(network, InputConvexNetwork)


def hidden_weights(network: nn.Module) -> list[Tensor]:
    """Matrices (out, in) applied to hidden layers: those that convexity wants positive."""
    if is_input_convex(network):
        return [layer.weight for layer in network.convex]
    return [layer.weight for layer in _linear(network)[1:]]


def input_weights(network: nn.Module) -> list[Tensor]:
    """Matrices (out, d) applied to the latent point ahead of an activation.

    The last layer has no activation; what it adds is affine, and makes nothing strictly convex.
    """
    if is_input_convex(network):
        return [layer.weight for layer in network.skip[:-1]]
    return [_linear(network)[0].weight]


def _linear(network: nn.Module) -> list[nn.Linear]:
    if not isinstance(network, DenseProperty):
        raise TypeError(f"no known weights in a {type(network).__name__}")
    return [layer for layer in network.layers if isinstance(layer, nn.Linear)]
