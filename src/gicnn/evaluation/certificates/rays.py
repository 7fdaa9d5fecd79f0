"""Checks of level sets along random rays from the minimum (section 3.3)."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.certificates.checks import Check
from gicnn.evaluation.certificates.weights import is_input_convex
from gicnn.levelset import LevelSet, count_crossings
from gicnn.levelset.functions import evaluate
from gicnn.models.vae import SideInformationVAE

__all__ = ["ray_checks"]

_STEPS = 20
_NEAREST_END, _FARTHEST_END = 2.0, 4.0  # of a ray, in its own radii
_ROWS = 4096


def ray_checks(
    model: SideInformationVAE,
    codes: Float[Tensor, "n d"],
    centre: Float[Tensor, "d"],
    rays: int,
    generator: torch.Generator,
) -> list[Check]:
    """Whether each ray reaches the level of the median code, once, where, and how exactly.

    The property is taken in standard units, so that its own unit decides nothing.

    Args:
        model: In float64.
        codes: Latent codes of examples.
        centre: Where the rays start.
        rays: How many.
        generator: Of their directions.
    """
    level = model.standard_property(codes).median().item()
    points = _meet(model, level, centre, rays, generator)
    radii = torch.linalg.vector_norm(points - centre, dim=-1)
    farthest_code = torch.linalg.vector_norm(codes - centre, dim=-1).max()
    return [
        _crossing_check(_share_crossing_once(model, level, centre, points, rays, generator), rays),
        _bounded_check(len(points) / rays, rays),
        _radius_check(_largest(radii / farthest_code)),
        _residual_check(
            _largest((evaluate(model.standard_property, points, _ROWS) - level).abs()), level
        ),
    ]


def _meet(
    model: SideInformationVAE,
    level: float,
    centre: Float[Tensor, "d"],
    rays: int,
    generator: torch.Generator,
) -> Float[Tensor, "m d"]:
    """Points of the level set on those rays that reach it."""
    if not model.standard_property(centre[None]).item() < level < math.inf:
        return centre.new_empty(0, len(centre))
    convex = is_input_convex(model.convex)
    level_set = LevelSet(model.standard_property, level, centre, quasi_convex=convex)
    points = level_set.sample(rays, generator)
    return points.point[points.reached]


def _share_crossing_once(
    model: SideInformationVAE,
    level: float,
    centre: Float[Tensor, "d"],
    points: Float[Tensor, "m d"],
    rays: int,
    generator: torch.Generator,
) -> float:
    """Rays end at different distances, so that together they look between each other's steps."""
    if not len(points):
        return 0.0
    radii = torch.linalg.vector_norm(points - centre, dim=-1, keepdim=True)
    ends = torch.rand(len(points), generator=generator, dtype=points.dtype)
    far = radii.squeeze(-1) * (_NEAREST_END + (_FARTHEST_END - _NEAREST_END) * ends)
    options = {"far": far, "steps": _STEPS, "rows": _ROWS}
    try:
        counts = count_crossings(
            model.standard_property, centre, (points - centre) / radii, level, **options
        )
    except ValueError:  # the function is not a number somewhere on a ray
        return math.nan
    return (counts == 1).sum().item() / rays


def _crossing_check(share: float, rays: int) -> Check:
    return Check(
        "one_crossing_per_ray",
        f"share of {rays} random rays from the minimum that cross the median code's level exactly "
        f"once; each is looked at in {_STEPS} even steps out to {_NEAREST_END:g} to "
        f"{_FARTHEST_END:g} times its radius, so crossings closer together than "
        f"{_FARTHEST_END / _STEPS:g} radii may go unseen",
        share,
        "==",
        1.0,
        "a convex function rises all along a ray from its minimum; there are no exceptions",
    )


def _bounded_check(share: float, rays: int) -> Check:
    return Check(
        "bounded_radius",
        f"share of {rays} random rays that reach the median code's level",
        share,
        "==",
        1.0,
        "sub-level sets of a strictly convex function with a minimum are compact",
    )


def _radius_check(ratio: float) -> Check:
    return Check(
        "largest_radius",
        "largest radius of the level set, in distances of the farthest code from the minimum",
        ratio,
        "<=",
        1e6,
        "beyond that, rounding of a point exceeds 1e-10 of the distances between codes",
    )


def _residual_check(residual: float, level: float) -> Check:
    return Check(
        "level_residual",
        "largest distance of a point's value from its level, in standard deviations of the "
        "property",
        residual,
        "<=",
        1.01e-10 * max(1.0, abs(level) if math.isfinite(level) else 1.0),
        "the search ends within 1e-10 of the level, relative to levels above 1; one part in a "
        "hundred more, since the points are evaluated anew",
    )


def _largest(values: Float[Tensor, " m"]) -> float:
    return values.max().item() if len(values) else math.nan
