"""Many walks at once, on one level of a property and beside it."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.paths.centre import Centre
from gicnn.levelset import interpolate_angles, interpolate_great_circle, to_spherical
from gicnn.models.vae import SideInformationVAE

__all__ = [
    "WAYS",
    "all_ways",
    "farthest_from_chord",
    "points_on_level",
    "reached_share",
    "walk_pairs",
]

WAYS = ("level_set", "great_circle", "straight")
"""Ways between two codes: on the level set along the angles or a great circle, and straight."""

Interpolation = Callable[[Tensor, Tensor, Tensor, int], Tensor]


@torch.no_grad()
def all_ways(
    model: SideInformationVAE,
    centre: Centre,
    level: float,
    ends: Float[Tensor, "pairs 2 d"],
    steps: int,
) -> dict[str, Float[Tensor, "pairs steps d"]]:
    """Join codes in each of ``WAYS``; the straight line joins the ends of the other two.

    Args and what is not reached are those of :func:`walk_pairs`.
    """
    angles = walk_pairs(model, centre, level, ends, steps, interpolate_angles)
    circle = walk_pairs(model, centre, level, ends, steps, interpolate_great_circle)
    t = torch.linspace(0, 1, steps, dtype=angles.dtype)[:, None]
    straight = torch.lerp(angles[:, :1], angles[:, -1:], t)
    return dict(zip(WAYS, (angles, circle, straight), strict=True))


def farthest_from_chord(paths: Float[Tensor, "pairs steps d"]) -> Float[Tensor, " pairs"]:
    """How far each path gets from the straight line through its ends; NaN where it has none.

    Example:
        >>> farthest_from_chord(torch.tensor([[[0.0, 0.0], [1.0, 3.0], [4.0, 0.0]]])).tolist()
        [3.0]
    """
    along = torch.nn.functional.normalize(paths[:, -1:] - paths[:, :1], dim=-1)
    away = paths - paths[:, :1]
    return (away - (away * along).sum(-1, keepdim=True) * along).norm(dim=-1).amax(-1)


def reached_share(points: Float[Tensor, "*batch d"]) -> float:
    """Which share of the points lie on the level that was asked for; the others are NaN.

    Example:
        >>> reached_share(torch.tensor([[0.0, 1.0], [torch.nan, torch.nan]]))
        0.5
    """
    return points.isfinite().all(-1).double().mean().item()


@torch.no_grad()
def walk_pairs(
    model: SideInformationVAE,
    centre: Centre,
    level: float,
    ends: Float[Tensor, "pairs 2 d"],
    steps: int,
    interpolate: Interpolation = interpolate_angles,
) -> Float[Tensor, "pairs steps d"]:
    """Walk from one code to another on a level, for all pairs at once.

    Args:
        model: In float64 and evaluation mode.
        centre: From where the level set is looked at.
        level: In the property's unit.
        ends: Codes, which give the directions.
        steps: Points on each path, ends included.
        interpolate: How directions change: linearly in the angles, as in the paper, or along
            the great circle.

    Returns:
        Latent points; NaN where the level is not reached.
    """
    t = torch.linspace(0, 1, steps, dtype=ends.dtype)
    turned = to_spherical(ends - centre.point).angles
    angles = [interpolate(start, end, t, len(centre.point)) for start, end in turned]
    return points_on_level(model, centre, level, torch.stack(angles))


@torch.no_grad()
def points_on_level(
    model: SideInformationVAE,
    centre: Centre,
    level: float,
    angles: Float[Tensor, "*batch a"],
) -> Float[Tensor, "*batch d"]:
    """The points of a level at given angles; NaN where it is not reached.

    A hardly trained model may have its minimum above the level; then there is no point.
    """
    if model.predict(centre.point) > level:
        return torch.full((*angles.shape[:-1], len(centre.point)), torch.nan, dtype=angles.dtype)
    return centre.level_set(model, level).at(angles).point
