"""Checks of what a model promises by construction, in float64."""

from typing import Any

import torch

from gicnn.evaluation.certificates.bijections import inversion_checks
from gicnn.evaluation.certificates.convexity import convexity_checks
from gicnn.evaluation.certificates.minima import minimum_checks, search_minimum
from gicnn.evaluation.certificates.monotonicity import increase_checks, is_increasing
from gicnn.evaluation.certificates.rays import ray_checks
from gicnn.evaluation.certificates.weights import is_input_convex, weight_checks
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["certify"]


@torch.no_grad()
def certify(
    model: SideInformationVAE,
    split: Split,
    *,
    pairs: int,
    hessians: int,
    rays: int,
    starts: int,
    seed: int,
) -> dict[str, Any]:
    """Check convexity, the minimum, rays and the bijection of a trained model.

    Every model gets the same checks. One whose property decoder is input-convex is expected to
    pass them; a baseline is expected to fail some. What cannot be measured, because values are
    not finite or no ray meets the level, fails.

    Args:
        model: On the CPU; it is turned to float64.
        split: Examples whose latent codes say where to look.
        pairs: Random pairs for the chord test near the codes; a tenth as many lie far from them.
        hessians: Random points at which second derivatives are taken.
        rays: Random rays for the crossing test.
        starts: Starts of the minimum search.
        seed: Of pairs, points, rays and starts.

    Returns:
        ``convex`` (f is an input-convex network), ``guaranteed`` (and g is increasing by
        construction and h an exact bijection, so that invexity holds in the input space wherever f is strictly convex: see the check
        ``full_rank``), ``checks`` (a list of records) and ``holds``.
    """
    model.double().eval()
    generator = torch.Generator().manual_seed(seed)
    x = split.x.double()
    codes = torch.cat([model.encode(part) for part in x.split(500)])
    minimum = search_minimum(model.convex, codes, starts, generator)
    checks = [
        *weight_checks(model),
        *convexity_checks(model.convex, codes, pairs, hessians, generator),
        *minimum_checks(minimum),
        *increase_checks(model, codes, minimum.point, generator),
        *ray_checks(model, codes, minimum.point, rays, generator),
        *inversion_checks(model, x, codes, generator),
    ]
    return {
        "convex": is_input_convex(model.convex),
        "guaranteed": is_input_convex(model.convex)
        and is_increasing(model.monotone)
        and model.exact,
        "checks": [check.record() for check in checks],
        "holds": all(check.holds for check in checks),
    }
