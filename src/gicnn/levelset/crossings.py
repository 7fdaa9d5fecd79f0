"""How often rays cross a level."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.levelset.checks import require_fitting
from gicnn.levelset.functions import ScalarFunction, evaluate

__all__ = ["count_crossings"]


def count_crossings(
    function: ScalarFunction,
    centre: Float[Tensor, "d"],
    directions: Float[Tensor, "*batch d"],
    level: float | Float[Tensor, "*batch"],
    *,
    far: float | Float[Tensor, "*batch"],
    steps: int,
    rows: int = 65536,
) -> Int[Tensor, "*batch"]:
    r"""Count the sign changes of f minus level along rays (section 3.3).

    The radii :math:`0, r/k, 2r/k, \dots, r` are compared with the level. Rays from the minimum
    of a strictly quasi-convex function cross each level once; a count of two or more shows that
    a function has no global parameterisation about this centre.

    Shapes:
        function: (*batch, d) -> (*batch,), centre: (d,), directions: (*batch, d)

    Args:
        function: Each row on its own.
        centre: Where rays begin.
        directions: Unit vectors.
        level: One level, or one for each ray.
        far: Radius r at which to stop, or one for each ray.
        steps: Number k of intervals; a pair of crossings within one of them goes unseen.
        rows: Points evaluated at once.

    Raises:
        ValueError: Shapes do not fit, ``steps`` is below 1, or a level, ``far`` or a value on a ray
            is NaN.

    Example:
        >>> double_well = lambda z: (z.square().sum(-1) - 1).square()
        >>> rays = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> count_crossings(double_well, torch.zeros(2), rays, 0.5, far=2.0, steps=100)
        tensor([2, 2])
    """
    if steps < 1:
        raise ValueError(f"steps must be at least 1, got {steps}")
    require_fitting(centre, directions)
    shape, dim = directions.shape[:-1], directions.shape[-1]
    rays = directions.reshape(-1, dim)
    levels, ends = (
        torch.as_tensor(given, dtype=rays.dtype, device=rays.device).expand(shape).reshape(-1, 1)
        for given in (level, far)
    )
    for name, given in (("level", levels), ("far", ends)):
        if given.isnan().any():
            raise ValueError(f"{name} is NaN on {int(given.isnan().sum())} of {len(given)} rays")
    share = torch.linspace(0, 1, steps + 1, dtype=rays.dtype, device=rays.device)
    # Whole rays at a time, so that a grid of any fineness fits the memory.
    groups = torch.arange(len(rays)).split(max(1, rows // (steps + 1)))
    counts = [
        _sign_changes(function, centre, rays[group], levels[group], ends[group] * share, rows)
        for group in groups
    ]
    return torch.cat(counts).view(shape)


def _sign_changes(
    function: ScalarFunction,
    centre: Float[Tensor, "d"],
    rays: Float[Tensor, "n d"],
    level: Float[Tensor, "n 1"],
    radii: Float[Tensor, "n k"],
    rows: int,
) -> Int[Tensor, " n"]:
    points = centre + radii.unsqueeze(-1) * rays.unsqueeze(1)
    values = evaluate(function, points.flatten(0, 1), rows).view(radii.shape)
    if values.isnan().any():
        ray, step = values.isnan().nonzero()[0].tolist()
        raise ValueError(
            f"the function is NaN at radius {radii[ray, step].item():.6g} in direction "
            f"{rays[ray].tolist()}"
        )
    above = values >= level
    return (above[:, 1:] != above[:, :-1]).sum(dim=-1)
