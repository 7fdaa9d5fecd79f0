"""Checks of what a model promises by construction, in float64."""

from dataclasses import asdict
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.evaluation.checks import Check
from gicnn.evaluation.rays import ray_checks
from gicnn.evaluation.weights import hidden_weights, input_weights, is_input_convex
from gicnn.levelset import Minimum, find_minimum
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["certify"]


@torch.no_grad()
def certify(
    model: SideInformationVAE, split: Split, *, pairs: int, rays: int, starts: int, seed: int
) -> dict[str, Any]:
    """Check convexity, the minimum, rays and the bijection of a trained model.

    Every model gets the same checks. One whose property decoder is input-convex is expected to
    pass them; a baseline is expected to fail some.

    Args:
        model: On the CPU; it is turned to float64.
        split: Examples whose latent codes say where to look.
        pairs: Random pairs for the chord test.
        rays: Random rays for the crossing test.
        starts: Starts of the minimum search.
        seed: Of pairs, rays and starts.

    Returns:
        ``convex`` (f is input-convex by construction), ``guaranteed`` (and h is an exact
        bijection, so that invexity holds in the input space), ``checks`` (a list of records)
        and ``holds``.
    """
    model.double().eval()
    generator = torch.Generator().manual_seed(seed)
    x = split.x.double()
    codes = torch.cat([model.encode(part) for part in x.split(500)])
    minimum = _minimum(model, codes, starts, generator)
    checks = [
        *_weight_checks(model.convex),
        _chord_check(model.convex, codes, pairs, generator),
        _minimum_check(minimum),
        *ray_checks(model, codes, minimum.point, rays, generator),
        _bijection_check(model, x) if model.exact else _cycle_check(model, codes),
    ]
    return {
        "convex": is_input_convex(model.convex),
        "guaranteed": is_input_convex(model.convex) and model.exact,
        "checks": [asdict(check) | {"holds": check.holds} for check in checks],
        "holds": all(check.holds for check in checks),
    }


def _weight_checks(network: nn.Module) -> list[Check]:
    smallest = min(weight.min().item() for weight in hidden_weights(network))
    return [
        Check("positive_weights", "smallest weight on a hidden layer", smallest, ">", 0.0),
        Check(
            "full_rank",
            "smallest singular value of all weights from the input to activated layers",
            _rank_margin(torch.cat(input_weights(network))),
            ">",
            1e-6,
        ),
    ]


def _rank_margin(matrix: Float[Tensor, "rows d"]) -> float:
    """Zero unless the rows span the input space, and then how surely they do."""
    rows, dimension = matrix.shape
    return torch.linalg.svdvals(matrix).min().item() if rows >= dimension else 0.0


def _chord_check(
    function: nn.Module, codes: Float[Tensor, "n d"], pairs: int, generator: torch.Generator
) -> Check:
    """Half-way points of random chords, relative to the size of the values."""
    ends = [_spread_points(codes, pairs, generator) for _ in range(2)]
    values = [torch.cat([function(part) for part in end.split(5000)]) for end in ends]
    middle = torch.cat([function(part) for part in ((ends[0] + ends[1]) / 2).split(5000)])
    gap = ((values[0] + values[1]) / 2 - middle) / (1 + values[0].abs() + values[1].abs())
    return Check(
        "chord_gap",
        f"smallest relative gap below {pairs} random chords",
        gap.min().item(),
        ">",
        0.0,
    )


def _minimum(
    model: SideInformationVAE, codes: Tensor, starts: int, generator: torch.Generator
) -> Minimum:
    return find_minimum(model.convex, _spread_points(codes, starts, generator))


def _minimum_check(minimum: Minimum) -> Check:
    """One distinct minimum, and every start has come to it."""
    all_arrived = minimum.attained and int(minimum.starts_per_minimum.sum()) == len(minimum.ends)
    return Check(
        "unique_minimum",
        f"distinct minima from {len(minimum.ends)} random starts (0: not every start ends in one)",
        len(minimum.distinct) if all_arrived else 0,
        "==",
        1,
    )


def _bijection_check(model: SideInformationVAE, x: Float[Tensor, "n d"]) -> Check:
    wide = torch.cat([x, 3 * x])
    error = (model.decode(model.encode(wide)) - wide).abs().max().item()
    return Check(
        "bijection",
        "largest round-trip error, on the data and at three times its range",
        error,
        "<=",
        1e-9 * wide.abs().max().item(),
    )


def _cycle_check(model: SideInformationVAE, codes: Float[Tensor, "n d"]) -> Check:
    change = torch.cat([(model.cycle(z) - model.predict(z)).abs() for z in codes.split(500)])
    return Check(
        "cycle",
        "mean change of the property in one cycle, in standard deviations of the property",
        (change.mean() / model.scale).item(),
        "<=",
        0.1,
    )


def _spread_points(
    codes: Float[Tensor, "n d"], count: int, generator: torch.Generator
) -> Float[Tensor, "count d"]:
    """Normal points about the codes' centre, with twice their spread."""
    noise = torch.randn(count, codes.shape[1], generator=generator, dtype=codes.dtype)
    return codes.mean(0) + 2 * codes.std(0) * noise
