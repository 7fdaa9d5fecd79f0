"""What became of a descent: a minimum, or one of the ways not to find one."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from gicnn.levelset.functions import ScalarFunction, evaluate
from gicnn.levelset.newton import Descent, is_smooth, noise

__all__ = ["ROWS", "classify"]

ROWS = 4096
_PROBE = 1e-3
_WAYS = 8  # at random, at least


def classify(
    function: ScalarFunction,
    state: Descent,
    starts: Float[Tensor, "n d"],
    project: Callable[[Tensor], Tensor] | None,
) -> list[str]:
    """Name the outcome of each start.

    - not finite: the value is NaN or infinite;
    - minimum: rounding ended the descent, and both ways along each principal axis, and along
      others at random, rise;
    - running off: the value keeps falling to infinity, from the start onwards or down the slope;
    - not converged: a neighbour is lower, or the iterations ran out;
    - flat: no neighbour is lower, but not all are higher.
    """
    around = _values_around(function, state, project)
    slack = torch.maximum(noise(state.value), _rounding(function, state, project)).unsqueeze(-1)
    rises = (around > state.value.unsqueeze(-1) + slack).all(dim=-1)
    falls = (around < state.value.unsqueeze(-1) - slack).any(dim=-1)
    ended = state.settled | ~is_smooth(state)
    runs = _keeps_falling(function, state, starts, project)
    names = []
    for i in range(len(starts)):
        if not state.value[i].isfinite():
            names.append("not finite")
        elif rises[i] and ended[i]:
            names.append("minimum")
        elif runs[i]:
            names.append("running off")
        else:
            names.append("not converged" if rises[i] or falls[i] else "flat")
    return names


def _values_around(
    function: ScalarFunction, state: Descent, project: Callable[[Tensor], Tensor] | None
) -> Float[Tensor, "n probes"]:
    """Evaluate both ways along each principal axis: a rise all around encloses a minimum.

    At a kink the axes do not tell, so as many ways again are drawn at random, and those between the
    ends of different starts are looked at: a convex function falls towards any lower end.
    """
    _, axes = torch.linalg.eigh(state.hessian.nan_to_num(0.0, 0.0, 0.0))
    axes = torch.cat([axes, _random_axes(axes), _between(state.x)], dim=2)
    # A rise shows where the square of the reach exceeds rounding by far.
    share = max(_PROBE, torch.finfo(state.x.dtype).eps ** 0.25)
    reach = share * (1 + torch.linalg.vector_norm(state.x, dim=-1)).view(-1, 1, 1)
    sides = torch.cat([axes.mT, -axes.mT], dim=1) * reach
    probes = state.x.unsqueeze(1) + sides
    probes = probes if project is None else project(probes)
    values = evaluate(function, probes.flatten(0, 1), ROWS).view(probes.shape[:2])
    # A probe that the region pushes back says nothing about the way there.
    moved = torch.linalg.vector_norm(probes - state.x.unsqueeze(1), dim=-1)
    return torch.where(moved < 0.1 * reach.squeeze(-1), torch.inf, values)


def _random_axes(axes: Float[Tensor, "n d d"]) -> Float[Tensor, "n d k"]:
    generator = torch.Generator().manual_seed(0)
    count, dim, _ = axes.shape
    drawn = torch.randn(dim, max(dim, _WAYS), generator=generator, dtype=torch.float64)
    return F.normalize(drawn, dim=0).to(axes).expand(count, -1, -1)


def _between(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d k"]:
    """Give the directions from each end to some of the others; none counts as the first axis."""
    others = x[:_WAYS]
    ways = F.normalize(others - x.unsqueeze(1), dim=-1)
    apart = torch.linalg.vector_norm(ways, dim=-1, keepdim=True) > 0.5
    return torch.where(apart, ways, torch.eye(x.shape[1]).to(x)[0]).mT


def _rounding(
    function: ScalarFunction, state: Descent, project: Callable[[Tensor], Tensor] | None
) -> Float[Tensor, " n"]:
    """Measure how far values scatter within a few roundings of each point.

    A value in which large terms cancel does not tell by its own size.
    """
    steps = 4 * torch.finfo(state.x.dtype).eps * torch.arange(-4, 5).to(state.x)
    near = state.x * (1 + steps.view(-1, 1, 1))
    near = near if project is None else project(near)
    values = evaluate(function, near.flatten(0, 1), ROWS).view(near.shape[:2])
    scatter = values.amax(dim=0) - values.amin(dim=0)
    return torch.where(scatter.isfinite(), scatter, 0.0)


def _keeps_falling(
    function: ScalarFunction,
    state: Descent,
    starts: Float[Tensor, "n d"],
    project: Callable[[Tensor], Tensor] | None,
) -> Bool[Tensor, " n"]:
    """Tell where the value falls ever further, on the way from the start or down the slope."""
    ways = F.normalize(torch.stack([state.x - starts, -state.gradient]), dim=-1)
    reach = (1 + torch.linalg.vector_norm(state.x, dim=-1, keepdim=True)) * ways
    probes = torch.stack([state.x + factor * reach for factor in (0.0, 1.0, 10.0, 100.0)])
    probes = probes if project is None else project(probes)
    values = evaluate(function, probes.flatten(0, 2), ROWS).view(probes.shape[:3])
    falls = (values.diff(dim=0) <= 0).all(dim=0) & (values[1] < values[0] - noise(values[0]))
    gone = torch.linalg.vector_norm(probes[-1] - probes[0], dim=-1)
    free = gone > 50 * torch.linalg.vector_norm(reach, dim=-1)  # no region stops the way
    return (falls & free).any(dim=0)
