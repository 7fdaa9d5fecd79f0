"""The minimum of a convex quadratic over a convex region that is known by its projection."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["minimise_quadratic"]

_GRADIENT_STEPS = 200
_NEWTON_STEPS = 20


@torch.no_grad()
def minimise_quadratic(
    start: Float[Tensor, "n d"],
    gradient: Float[Tensor, "n d"],
    matrix: Float[Tensor, "n d d"],
    steepest: Float[Tensor, " n"],
    project: Callable[[Tensor], Tensor],
) -> Float[Tensor, "n d"]:
    r"""Minimise :math:`g^\top (x - x_0) + \tfrac12 (x - x_0)^\top M (x - x_0)` over the region.

    Accelerated projected gradients find out which borders count. Since they crawl along a groove,
    semismooth Newton steps on the fixed point :math:`x = P(x - \nabla / L)` finish.

    Args:
        start: x_0, within the region.
        gradient: g.
        matrix: M, positive definite.
        steepest: L, the largest eigenvalue of M.
        project: P; without a derivative the Newton steps are left out.
    """

    def slope(x: Tensor) -> Tensor:
        return gradient + torch.einsum("nij,nj->ni", matrix, x - start)

    def value(x: Tensor) -> Tensor:
        return ((gradient + slope(x)) * (x - start)).sum(-1) / 2

    length = steepest.unsqueeze(-1)
    x, ahead, momentum = start, start, 1.0
    for _ in range(_GRADIENT_STEPS):
        new = project(ahead - slope(ahead) / length)
        # Restart where the momentum points uphill.
        forward = ((ahead - new) * (new - x)).sum(-1, keepdim=True) <= 0
        following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = torch.where(forward, new + (momentum - 1) / following * (new - x), new)
        resting = torch.equal(x, new)
        x, momentum = new, following
        if resting:
            return x

    for _ in range(_NEWTON_STEPS):
        target = x - slope(x) / length
        derivative = _derivative(project, target)
        if derivative is None:
            break
        unit = torch.eye(x.shape[-1]).to(x)
        system = unit - derivative @ (unit - matrix / length.unsqueeze(-1))
        step, failed = torch.linalg.solve_ex(system, project(target) - x)
        new = project(x + torch.where(failed.unsqueeze(-1) == 0, step, 0.0))
        lower = value(new) < value(x)
        if not lower.any():
            break
        x = torch.where(lower.unsqueeze(-1), new, x)
    return x


@torch.enable_grad()
def _derivative(
    project: Callable[[Tensor], Tensor], x: Float[Tensor, "n d"]
) -> Float[Tensor, "n d d"] | None:
    """The Jacobian of a projection at each point, a row for each coordinate of its image."""
    count, dim = x.shape
    copies = x.detach().repeat_interleave(dim, dim=0).requires_grad_()
    image = project(copies)
    if not image.requires_grad:
        return None
    picked = (image * torch.eye(dim).to(x).repeat(count, 1)).sum()
    (rows,) = torch.autograd.grad(picked, copies)
    return rows.view(count, dim, dim)
