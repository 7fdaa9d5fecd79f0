"""A model from its configuration."""

import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gicnn.models.registry import COMPONENTS
from gicnn.models.vae import SideInformationVAE
from gicnn.tensors import load_tensors

__all__ = ["build_model", "count_parameters", "load_model", "property_units"]


def property_units(settings: Mapping[str, Any], y: Tensor) -> dict[str, float]:
    """Offset and scale of the property: those in the settings, else the training split's.

    Args:
        settings: A model's section of the config; ``property_units`` may be null.
        y: The training split's property, shape (n,).
    """
    fixed = settings["property_units"]
    if fixed is not None:
        return dict(fixed)
    return {"offset": y.double().mean().item(), "scale": y.double().std().item()}


def build_model(
    settings: Mapping[str, Any],
    in_shape: Sequence[int],
    units: Mapping[str, float] | None = None,
) -> SideInformationVAE:
    """Put a model together; its weights follow from torch's current seed.

    Args:
        settings: A model's section of the config: ``latent_features``, and for each component
            a ``kind`` with the arguments of its constructor.
        in_shape: The shape of one input.
        units: ``offset`` and ``scale`` of the property; None leaves 0 and 1, for weights that
            will be loaded and bring their own.

    Raises:
        ValueError: A kind is unknown, or shapes do not fit.
    """
    latent = settings["latent_features"]
    shape = tuple(in_shape)
    parts = {
        "encoder": {"in_shape": shape, "latent_features": latent},
        "decoder": {"latent_features": latent, "out_shape": shape},
        "likelihood": {},
        "property_decoder": {"in_features": latent},
        "monotone": {},
    }
    built = {role: _component(role, settings[role], **fixed) for role, fixed in parts.items()}
    built["convex"] = built.pop("property_decoder")
    if built["decoder"] is None and not hasattr(built["encoder"], "inverse"):
        raise ValueError(
            f"encoder kind {settings['encoder']['kind']!r} has no inverse; give it a decoder"
        )
    return SideInformationVAE(**built, **(units or {"offset": 0.0, "scale": 1.0}))


def _component(
    role: str,
    settings: Mapping[str, Any] | None,
    **fixed: Any,  # noqa: ANN401
) -> torch.nn.Module | None:
    if settings is None:
        return None
    arguments = {key: value for key, value in settings.items() if key != "kind"}
    kinds = COMPONENTS[role]
    if settings["kind"] not in kinds:
        raise ValueError(f"unknown {role} kind {settings['kind']!r}; known: {', '.join(kinds)}")
    module, name = kinds[settings["kind"]].split(":")
    return getattr(import_module(module), name)(**fixed, **arguments)


def count_parameters(model: torch.nn.Module) -> int:
    """Number of trainable weights."""
    return sum(math.prod(parameter.shape) for parameter in model.parameters())


def load_model(
    settings: Mapping[str, Any], weights: str | Path, in_shape: Sequence[int]
) -> SideInformationVAE:
    """A trained model in evaluation mode, from its settings and its weights file.

    Raises:
        ValueError: The file is damaged, or belongs to a model of other settings.
    """
    model = build_model(settings, in_shape)
    tensors, _ = load_tensors(weights)
    try:
        model.load_state_dict(tensors)
    except RuntimeError as error:
        raise ValueError(f"{weights} does not fit the model's settings: {error}") from error
    return model.eval()
