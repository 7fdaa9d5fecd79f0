"""Checks of what a model promises by construction, in float64."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.evaluation.weights import hidden_weights, input_weights, is_input_convex
from gicnn.levelset import LevelSet, Minimum, count_crossings, find_minimum
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["Check", "certify"]

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": lambda value, bound: value > bound,
    "<=": lambda value, bound: value <= bound,
    "==": lambda value, bound: value == bound,
}


@dataclass(frozen=True)
class Check:
    """One number against its bound.

    Attributes:
        id: Short name.
        statement: What must hold, in words.
        value: What was found.
        relation: ">", "<=" or "==".
        bound: What it is held against.
    """

    id: str
    statement: str
    value: float
    relation: str
    bound: float

    @property
    def holds(self) -> bool:
        """Whether the value keeps to its bound; not a number never does."""
        return _RELATIONS[self.relation](self.value, self.bound)


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
        ``guaranteed``, ``checks`` (a list of records) and ``holds``.
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
        *_ray_checks(model, codes, minimum.point, rays, generator),
        _bijection_check(model, x) if model.exact else _cycle_check(model, codes),
    ]
    return {
        "guaranteed": is_input_convex(model.convex),
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
    distinct = len(minimum.distinct) if minimum.attained else 0
    return Check(
        "unique_minimum", "distinct minima from random starts (0: none)", distinct, "==", 1
    )


def _ray_checks(
    model: SideInformationVAE,
    codes: Float[Tensor, "n d"],
    centre: Float[Tensor, "d"],
    rays: int,
    generator: torch.Generator,
) -> list[Check]:
    convex = is_input_convex(model.convex)
    level = model.predict(codes).median().item()
    points = LevelSet(model.predict, level, centre, quasi_convex=convex).sample(rays, generator)
    reached = points.reached
    directions = _directions(points.point - centre, reached)
    far = 3 * points.radius[reached].max().item() if bool(reached.any()) else 1.0
    crossings = count_crossings(model.predict, centre, directions, level, far=far, steps=100)
    share = (crossings == 1).sum().item() / rays
    residual = points.residual[reached].abs().max().item() if bool(reached.any()) else float("inf")
    return [
        Check("one_crossing_per_ray", f"share of {rays} rays that cross once", share, "==", 1.0),
        Check(
            "bounded_radius",
            f"share of {rays} rays that reach the level",
            reached.double().mean().item(),
            "==",
            1.0,
        ),
        Check(
            "level_residual",
            "largest distance of a point from its level",
            min(residual, 1e300),
            "<=",
            1e-10 * max(1.0, abs(level)),
        ),
    ]


def _directions(offsets: Tensor, reached: Tensor) -> Tensor:
    kept = offsets[reached]
    return kept / kept.norm(dim=-1, keepdim=True)


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
