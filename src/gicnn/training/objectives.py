"""The objective of one batch (equations 5 to 7 of the paper)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.models.vae import SideInformationVAE

__all__ = ["Terms", "objective"]


@dataclass(frozen=True)
class Terms:
    """Means over a batch, each a scalar tensor.

    Attributes:
        loss: What is minimised.
        input: Negative log-likelihood of the input.
        property: Negative log-likelihood of the standardised property.
        divergence: Kullback-Leibler divergence of posterior from prior.
        cycle: Cycle loss, 0 where there is none.
    """

    loss: Tensor
    input: Tensor
    property: Tensor
    divergence: Tensor
    cycle: Tensor


def objective(
    model: SideInformationVAE,
    x: Float[Tensor, "b *shape"],
    y: Float[Tensor, "b"],
    beta: float,
    property_weight: float,
    cycle: Mapping[str, Any] | None,
) -> Terms:
    r"""Beta-VAE loss with the cycle loss on top.

    .. math::
        -\log p(x | z) - w \log p(y | z) + \beta\,\mathrm{KL} + \gamma L_\mathrm{cycle}

    Args:
        model: The model.
        x: Inputs.
        y: Their standardised property.
        beta: The weight of the divergence.
        property_weight: w.
        cycle: ``weight`` (gamma), ``on`` ("property" or "input"), ``through`` ("mean", or
            "mode" with the gradient of the mean: what the encoder gets back), ``observed`` and
            ``sampled``, the numbers of observed and of uniformly drawn latent points as shares
            of the batch; None for a model that is exactly bijective.
    """
    mean = model.encode(x)
    z = mean + model.posterior_scale() * _noise(torch.randn, mean, len(mean))
    observed, drawn = (0, z[:0]) if cycle is None else _cycle_points(mean, **_shares(cycle))
    parameters = model.decode(torch.cat([z, drawn]))
    cycled = torch.cat([parameters[:observed], parameters[len(x) :]])
    inputs = model.likelihood.mean(cycled)
    if cycle is not None and cycle["through"] == "mode":
        inputs = model.likelihood.mode(cycled) + (inputs - inputs.detach())
    again = model.encode(inputs) if len(inputs) else drawn

    # One call, so that the property decoder's positive weights are worked out once.
    sizes = [len(x), len(drawn), len(again)]
    predicted = model.standard_property(torch.cat([z, drawn, again])).split(sizes)
    input_loss = -model.likelihood.log_prob(parameters[: len(x)], x).mean()
    property_loss = -model.property_log_prob(predicted[0], y).mean()
    divergence = model.divergence(mean).mean()
    loss = input_loss + property_weight * property_loss + beta * divergence

    cycle_loss = torch.zeros_like(loss)
    if cycle is not None:
        if cycle["on"] == "property":
            before = torch.cat([predicted[0][:observed], predicted[1]])
            distance = (before - predicted[2]).abs()
        else:
            distance = (inputs - model.reconstruct(again)).flatten(1).norm(dim=-1)
        cycle_loss = _sum_of_means(distance, observed)
        loss = loss + cycle["weight"] * cycle_loss
    return Terms(loss, input_loss, property_loss, divergence, cycle_loss)


def _shares(cycle: Mapping[str, Any]) -> dict[str, float]:
    return {"observed": cycle["observed"], "sampled": cycle["sampled"]}


def _cycle_points(
    mean: Float[Tensor, "b d"], observed: float, sampled: float
) -> tuple[int, Float[Tensor, "n d"]]:
    """How many observed points to cycle, and new ones uniform within twice the spread."""
    spread = 2 * mean.detach().square().mean(0).sqrt()
    count = round(sampled * len(mean))
    uniform = _noise(torch.rand, mean, count)
    return round(observed * len(mean)), spread * (2 * uniform - 1)


def _noise(
    draw: Callable[..., Tensor], like: Float[Tensor, "b d"], count: int
) -> Float[Tensor, "n d"]:
    """Noise of as many columns, from the CPU's generator: a seed means the same on every device."""
    return draw(count, like.shape[1], dtype=like.dtype).to(like.device)


def _sum_of_means(distance: Float[Tensor, " n"], observed: int) -> Float[Tensor, ""]:
    """Add the means over observed and over drawn points (equation 6); none has mean 0."""
    parts = [part for part in (distance[:observed], distance[observed:]) if len(part)]
    return sum((part.mean() for part in parts), distance.new_zeros(()))
