"""Safeguarded Newton descent of a batch of starts, within a convex region where asked."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from gicnn.levelset.constrained import minimise_quadratic
from gicnn.levelset.functions import ScalarFunction, evaluate, gradient_and_hessian

__all__ = ["Descent", "descend", "is_smooth", "measure", "noise"]

_LENGTHS = (8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 2.0**-3, 2.0**-4, 2.0**-6, 2.0**-8, 2.0**-12, 2.0**-16)
_FARTHEST = 1e9


@dataclass
class Descent:
    """Where each start stands."""

    x: Float[Tensor, "n d"]
    """Present points."""
    value: Float[Tensor, " n"]
    """Function there."""
    gradient: Float[Tensor, "n d"]
    """First derivatives."""
    hessian: Float[Tensor, "n d d"]
    """Second derivatives."""
    trust: Float[Tensor, " n"]
    """Longest step that may be tried next, before lengthening."""
    settled: Bool[Tensor, " n"]
    """Whether no step improves the point beyond rounding."""

    def pick(self, mask: Bool[Tensor, " n"]) -> "Descent":
        """Keep some of the starts."""
        return Descent(*(field[mask] for field in vars(self).values()))

    def put(self, mask: Bool[Tensor, " n"], part: "Descent") -> None:
        """Write back what :meth:`pick` took."""
        for name, field in vars(self).items():
            field[mask] = getattr(part, name)


def descend(
    function: ScalarFunction,
    starts: Float[Tensor, "n d"],
    project: Callable[[Tensor], Tensor] | None,
    iterations: int,
    rows: int,
) -> Descent:
    r"""Walk each start downhill until rounding ends it.

    Each step minimises the quadratic model with the Hessian's eigenvalues replaced by

    .. math:: \max(|\lambda_i|, \varepsilon\,|\lambda|_{max}, \lVert\nabla\rVert / \Delta)

    so it points downhill where curvature is negative or missing (the tails of a bounded g), and
    is never longer than the trust radius. Of twelve lengths of that step, evaluated together,
    the one with the lowest value is taken; overflow counts as infinitely high.
    """
    x = starts if project is None else project(starts)
    state = Descent(
        x=x.clone(),
        value=evaluate(function, x, rows),
        gradient=torch.zeros_like(x),
        hessian=x.new_zeros(*x.shape, x.shape[-1]),
        trust=1 + _norm(x),
        settled=torch.zeros(len(x), dtype=torch.bool, device=x.device),
    )
    state.gradient, state.hessian = gradient_and_hessian(function, x, rows)
    for _ in range(iterations):
        near = _norm(state.x - x) <= _FARTHEST * (1 + _norm(x))
        active = ~state.settled & near & is_smooth(state)
        if not active.any():
            break
        part = state.pick(active)
        _step(function, part, project, rows)
        state.put(active, part)
    return state


def noise(value: Tensor) -> Tensor:
    """Bound the rounding error of a value that is itself the result of long sums."""
    return 8 * torch.finfo(value.dtype).eps * value.abs()


def _step(
    function: ScalarFunction,
    state: Descent,
    project: Callable[[Tensor], Tensor] | None,
    rows: int,
) -> None:
    step = _model_step(state, project)
    trial, value, length = _best_length(function, state.x, step, project, rows)
    lower = value < state.value - noise(state.value)

    # Values stop telling points apart at half of the digits; gradients go on for the other half.
    full = state.x + step if project is None else project(state.x + step)
    trial = torch.where(lower.unsqueeze(-1), trial, full)
    value = torch.where(lower, value, evaluate(function, full, rows))
    gradient, hessian = gradient_and_hessian(function, trial, rows)
    level = value <= state.value + noise(state.value)
    steeper = measure(trial, gradient, project) >= 0.5 * measure(state.x, state.gradient, project)
    moved = lower | (level & ~steeper)

    reach = torch.where(lower, 2 * length, torch.where(moved, 2.0, 2.0**-17)) * _norm(step)
    resolution = torch.finfo(value.dtype).eps * (1 + _norm(state.x))
    state.settled = (reach <= resolution) | (~moved & level)
    state.trust = reach
    for name, new in {
        "x": trial,
        "value": value,
        "gradient": gradient,
        "hessian": hessian,
    }.items():
        old = getattr(state, name)
        setattr(state, name, torch.where(moved.view(-1, *[1] * (new.ndim - 1)), new, old))


def _model_step(state: Descent, project: Callable[[Tensor], Tensor] | None) -> Tensor:
    curvatures, axes = torch.linalg.eigh(state.hessian)
    size = curvatures.abs()
    # A subnormal trust radius must not turn the floor into infinity.
    tiny = torch.finfo(size.dtype).tiny
    slope = measure(state.x, state.gradient, project) / state.trust.clamp_min(tiny)
    floor = torch.maximum(torch.finfo(size.dtype).eps * size.amax(dim=-1), slope)
    size = torch.maximum(size, floor.clamp_min(tiny).unsqueeze(-1))
    if project is None:
        along = torch.einsum("nij,ni->nj", axes, state.gradient)
        return -torch.einsum("nij,nj->ni", axes, along / size)
    model = torch.einsum("nij,nj,nkj->nik", axes, size, axes)
    steepest = size.amax(dim=-1)
    return minimise_quadratic(state.x, state.gradient, model, steepest, project) - state.x


def _best_length(
    function: ScalarFunction,
    x: Tensor,
    step: Tensor,
    project: Callable[[Tensor], Tensor] | None,
    rows: int,
) -> tuple[Tensor, Tensor, Tensor]:
    lengths = torch.tensor(_LENGTHS).to(x)
    trials = x + lengths.view(-1, 1, 1) * step
    trials = trials if project is None else project(trials)
    values = evaluate(function, trials.flatten(0, 1), rows).view(trials.shape[:2])
    lowest, best = values.nan_to_num(nan=torch.inf, posinf=torch.inf, neginf=-torch.inf).min(dim=0)
    return trials[best, torch.arange(len(x), device=x.device)], lowest, lengths[best]


def measure(x: Tensor, gradient: Tensor, project: Callable[[Tensor], Tensor] | None) -> Tensor:
    """Give the norm of the gradient, projected where there is a region."""
    return _norm(gradient if project is None else x - project(x - gradient))


def is_smooth(state: Descent) -> Bool[Tensor, " n"]:
    """Tell where value and both derivatives are finite; elsewhere no step can be computed."""
    fields = (state.value, state.gradient.sum(-1), state.hessian.sum((-1, -2)), state.x.sum(-1))
    return torch.stack(fields).isfinite().all(dim=0)


def _norm(x: Tensor) -> Tensor:
    return torch.linalg.vector_norm(x, dim=-1)
