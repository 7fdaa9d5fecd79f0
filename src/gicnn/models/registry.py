"""Which module each kind of component lives in (standard library only, no torch)."""

from collections.abc import Mapping
from typing import Any

__all__ = ["COMPONENTS", "component_modules"]

COMPONENTS: dict[str, dict[str, str]] = {
    "encoder": {
        "masked_autoregressive_flow": "gicnn.nn.flow:MaskedAutoregressiveFlow",
        "dense": "gicnn.nn.dense:DenseEncoder",
        "graph": "gicnn.nn.graph:GraphEncoder",
        "convolutional": "gicnn.nn.convolution:ConvolutionalEncoder",
    },
    "decoder": {
        "dense": "gicnn.nn.dense:DenseDecoder",
        "convolutional": "gicnn.nn.convolution:ConvolutionalDecoder",
    },
    "likelihood": {
        "gaussian": "gicnn.models.likelihood:GaussianLikelihood",
        "categorical": "gicnn.models.likelihood:CategoricalLikelihood",
    },
    "property_decoder": {
        "input_convex": "gicnn.nn.convex:InputConvexNetwork",
        "unconstrained": "gicnn.nn.dense:DenseProperty",
    },
    "monotone": {
        "tanh_sum": "gicnn.nn.monotone:TanhSum",
        "bounded_tanh": "gicnn.nn.monotone:BoundedTanh",
    },
}


def component_modules(settings: Mapping[str, Any]) -> list[str]:
    """The modules that a model's settings name, for a digest of just the code in use."""
    kinds = {role: settings[role]["kind"] for role in COMPONENTS if settings.get(role)}
    return sorted({COMPONENTS[role][kind].split(":")[0] for role, kind in kinds.items()})
