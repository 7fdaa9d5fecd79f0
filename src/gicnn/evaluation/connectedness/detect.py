"""Whether level sets of the property are connected, so that one parameterisation reaches all."""

import math
from typing import Any

import torch

from gicnn.evaluation.certificates.weights import is_input_convex
from gicnn.evaluation.connectedness.model_valleys import (
    choose_examples,
    input_valleys,
    latent_valleys,
    predict_property,
)
from gicnn.evaluation.connectedness.verdict import Losses, judge
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["detect_disconnected"]


@torch.no_grad()
def detect_disconnected(
    convex: SideInformationVAE,
    baseline: SideInformationVAE,
    train: Split,
    held_out: Split,
    *,
    cost: float,
    unexplained: float,
    rise_in_errors: float,
    rise_in_deviations: float,
    support: int,
    neighbours: int,
    examples: int,
    starts: int,
    seed: int,
) -> dict[str, Any]:
    r"""Tell from two models whether the property has connected level sets (section 5.1).

    A model g(f(h(x))) with convex f, increasing g and bijective h has connected level sets. If
    it fits, so have those of the property, as far as the examples tell. If it does not, while
    a model without the constraint fits and has several valleys, they are disconnected. What
    convexity costs is the difference of the shares of variance left unexplained,

    .. math:: (\overline{e_{convex}^2} - \overline{e_{baseline}^2}) / \mathrm{var}(y).

    The baseline's valleys are counted in its latent space and in the input space, since its
    encoder may fold two of them onto one latent minimum; those of the input space decide.

    Only minima are looked at. Around a maximum inside the data level sets are closed as well,
    though no convex f has them: give models of the property with its sign changed.

    Args:
        convex: With input-convex f, on the CPU; it is turned to float64. If its encoder is no
            exact bijection it may fold valleys too, and its fit decides nothing by itself.
        baseline: Without constraints, on the CPU; it is turned to float64.
        train: Examples over which paths between valleys may run.
        held_out: Examples that no model has seen. All errors are theirs.
        cost: Share of the variance that convexity may cost.
        unexplained: A model that leaves a larger share does not fit.
        rise_in_errors: A barrier is higher than this many of the baseline's root mean square
            errors.
        rise_in_deviations: And than this many standard deviations of the property.
        support: A valley holds at least so many held-out examples measured below its pass.
        neighbours: To how many others each example is joined.
        examples: At most so many of each split are the sample in which valleys are sought.
        starts: Codes from which latent minima are sought.
        seed: Of the choice of examples and starts.

    Returns:
        ``verdict`` ("connected", "disconnected" or "undecided"), the same as truth values
        ``connected`` and ``disconnected``, ``reason``, and the evidence: ``unexplained`` and
        ``cost`` as shares of the variance, ``rise`` and ``property_sd`` in the property's unit,
        and what ``input_valleys`` and ``latent_valleys`` found. What is not finite, or rests on
        predictions that are not, is None.

    Raises:
        ValueError: The convex model's f is not input-convex, the property does not vary, or there
            are too few held-out examples for two valleys.
    """
    _require_input_convex(convex)
    _require_enough(held_out, support)
    for model in (convex, baseline):
        model.double().eval()
    predicted = [predict_property(model, held_out.x) for model in (convex, baseline)]
    losses = Losses.of(held_out.y.double(), *predicted)
    rise = max(rise_in_errors * losses.baseline_rmse, rise_in_deviations * losses.deviation)
    latent = inputs = None
    if losses.finite:
        generator = torch.Generator().manual_seed(seed)
        sample = choose_examples(train, held_out, examples, generator)
        plan = {"neighbours": neighbours, "rise": rise, "support": support}
        inputs = input_valleys(baseline, sample, **plan)
        latent = latent_valleys(baseline, sample, starts, generator, **plan)
    count = inputs["count"] if inputs else 0
    verdict = judge(losses, count, convex.exact, cost=cost, unexplained=unexplained)
    return {
        "verdict": verdict.name,
        "connected": verdict.name == "connected",
        "disconnected": verdict.name == "disconnected",
        "reason": verdict.reason,
        "held_out": losses.count,
        "property_sd": losses.deviation,
        "unexplained": {"convex": _number(losses.convex), "baseline": _number(losses.baseline)},
        "cost": {"share": _number(losses.cost), "error": _number(losses.standard_error)},
        "rise": _number(rise),
        "latent": latent,
        "input": inputs,
    }


def _require_input_convex(model: SideInformationVAE) -> None:
    if not is_input_convex(model.convex):
        raise ValueError(
            f"the convex model's f is a {type(model.convex).__name__}, whose fit says nothing "
            "about level sets; give a model whose property decoder is input-convex"
        )


def _require_enough(held_out: Split, support: int) -> None:
    if len(held_out.y) < 2 * support:
        raise ValueError(
            f"{len(held_out.y)} held-out examples cannot show two valleys that hold {support} each; "
            f"give more, or lower support"
        )


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
