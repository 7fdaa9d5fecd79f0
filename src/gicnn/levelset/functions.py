"""Values and derivatives of a scalar function, a bounded number of rows at a time."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["ScalarFunction", "checked", "evaluate", "gradient_and_hessian"]

ScalarFunction = Callable[[Tensor], Tensor]
"""Takes (*batch, d) to (*batch,), each row on its own."""


@torch.no_grad()
def evaluate(function: ScalarFunction, x: Float[Tensor, "n d"], rows: int) -> Float[Tensor, " n"]:
    """Evaluate a function, at most ``rows`` points at once, which bounds the memory.

    Raises:
        ValueError: The function does not give one value per point.
    """
    return torch.cat([checked(function(part), part) for part in x.split(rows)])


def gradient_and_hessian(
    function: ScalarFunction, x: Float[Tensor, "n d"], rows: int
) -> tuple[Float[Tensor, "n d"], Float[Tensor, "n d d"]]:
    """Differentiate a function twice at each point.

    Each point is repeated once per dimension, so that a single backward pass gives all rows of
    its Hessian. A function without curvature, such as a piecewise linear one, has Hessian zero.

    Raises:
        ValueError: Autograd does not reach the points.
    """
    dim = x.shape[-1]
    parts = [_differentiate(function, part) for part in x.split(max(1, rows // dim))]
    gradients, hessians = zip(*parts, strict=True)
    return torch.cat(gradients), torch.cat(hessians)


@torch.enable_grad()
def _differentiate(function: ScalarFunction, x: Tensor) -> tuple[Tensor, Tensor]:
    count, dim = x.shape
    copies = x.detach().repeat_interleave(dim, dim=0).requires_grad_()
    value = checked(function(copies), copies).sum()
    if not value.requires_grad:
        raise ValueError(
            "the function cannot be differentiated: autograd does not see how its values come from "
            "the points (detached, under no_grad, through numpy, or constant); compute it in torch"
        )

    (gradient,) = torch.autograd.grad(value, copies, create_graph=True)
    hessian = torch.zeros_like(copies)
    if gradient.requires_grad:
        picked = (gradient * torch.eye(dim).to(x).repeat(count, 1)).sum()
        (hessian,) = torch.autograd.grad(picked, copies, allow_unused=True, materialize_grads=True)
    return gradient.detach()[::dim], hessian.reshape(count, dim, dim)


def checked(value: Tensor, x: Tensor) -> Tensor:
    """Give values in the type of the points; refuse those that are not one per point.

    Raises:
        ValueError: They are no tensor, or their shape does not fit.
    """
    if not isinstance(value, Tensor):
        raise ValueError(f"the function must give a tensor, got {type(value).__name__}")  # noqa: TRY004
    if value.shape != x.shape[:-1]:
        raise ValueError(
            f"the function took points of shape {tuple(x.shape)} to {tuple(value.shape)}; "
            f"it must give one value per point, {tuple(x.shape[:-1])}"
        )
    return value.to(x)
