"""Whether a function is seen to be strictly convex: chords and Hessians (Theorem 3.4)."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.evaluation.certificates.checks import Check
from gicnn.evaluation.certificates.surroundings import FAR, NEAR, points_around
from gicnn.levelset.functions import evaluate, gradient_and_hessian

__all__ = ["convexity_checks"]

_ROWS = 4096
_CHORDS_PER_POINT = 5


def convexity_checks(
    function: nn.Module,
    codes: Float[Tensor, "n d"],
    pairs: int,
    hessians: int,
    generator: torch.Generator,
) -> list[Check]:
    """Check chords near the codes and far from them, and curvature near them.

    Args:
        function: f, in float64.
        codes: Latent codes of examples.
        pairs: Random chords near the codes; a tenth as many are drawn far from them.
        hessians: Points at which second derivatives are taken.
        generator: Of the points.
    """
    return [
        _near_check(function, codes, pairs, generator),
        _far_check(function, codes, math.ceil(pairs / 10), generator),
        _hessian_check(function, codes, hessians, generator),
    ]


def _near_check(
    function: nn.Module, codes: Tensor, pairs: int, generator: torch.Generator
) -> Check:
    return Check(
        "chord_gap",
        f"smallest gap between {pairs} random chords and the function half-way, relative to 1 "
        f"plus the values at the ends; points with {NEAR:g} times the codes' spread, each the end "
        f"of {2 * _CHORDS_PER_POINT} chords on average",
        _smallest_gap(function, codes, pairs, NEAR, generator),
        ">",
        0.0,
        "strict convexity leaves no slack; rounding is about 1e-16, and would show on either "
        "side of 0 among so many chords of a flat function",
    )


def _far_check(
    function: nn.Module, codes: Tensor, pairs: int, generator: torch.Generator
) -> Check:
    return Check(
        "far_chord_gap",
        f"the same for {pairs} chords of points with {FAR:g} times the codes' spread",
        _smallest_gap(function, codes, pairs, FAR, generator),
        ">=",
        -1e-9,
        "far out, units are flat or straight to rounding, so that strictness may be lost in "
        "float64; and torch's softplus leaves out exp(-20) = 2e-9 at arguments above 20",
    )


def _hessian_check(
    function: nn.Module, codes: Tensor, hessians: int, generator: torch.Generator
) -> Check:
    points = points_around(codes, hessians, NEAR, generator)
    smallest, resolution = _curvatures(gradient_and_hessian(function, points, _ROWS)[1])
    return Check(
        "hessian",
        f"smallest eigenvalue of the Hessian at {hessians} points with {NEAR:g} times the codes' "
        f"spread",
        smallest,
        ">",
        resolution,
        "an eigenvalue is computed to within the dimension times 2e-16 of the largest one; "
        "below that it cannot be told from 0",
    )


def _smallest_gap(
    function: nn.Module, codes: Tensor, pairs: int, reach: float, generator: torch.Generator
) -> float:
    """Half-way points of chords, relative to the size of the values.

    Each point is the end of several chords, which saves half of the evaluations.
    """
    ends = points_around(codes, max(2, pairs // _CHORDS_PER_POINT), reach, generator)
    first = torch.randint(len(ends), (pairs,), generator=generator)
    step = torch.randint(1, len(ends), (pairs,), generator=generator)
    second = (first + step) % len(ends)
    values = evaluate(function, ends, _ROWS)
    middle = evaluate(function, (ends[first] + ends[second]) / 2, _ROWS)
    size = 1 + values[first].abs() + values[second].abs()
    return (((values[first] + values[second]) / 2 - middle) / size).min().item()


def _curvatures(hessian: Float[Tensor, "n d d"]) -> tuple[float, float]:
    """Smallest eigenvalue of all, and how well eigenvalues of this size are resolved."""
    if not hessian.isfinite().all():
        return math.nan, 0.0
    eigenvalues = torch.linalg.eigvalsh(hessian)
    rounding = torch.finfo(hessian.dtype).eps * hessian.shape[-1]
    return eigenvalues.min().item(), rounding * eigenvalues.abs().max().item()
