"""How high a function rises on the way between two points."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from gicnn.evaluation.connectedness.neighbours import Tube
from gicnn.levelset import ScalarFunction, functions

__all__ = ["evaluate", "lower_path", "path_height", "segment_heights"]

_ROWS = 1024
_NODES = 40  # of a path that is lowered
_ITERATIONS = 80
_DENSE = 8  # looks at each piece of a path whose height counts


@torch.no_grad()
def evaluate(function: ScalarFunction, x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    """Values, a bounded number of rows at a time; what is not finite counts as infinitely high."""
    values = functions.evaluate(function, x, _ROWS)
    return torch.where(values.isfinite(), values, torch.inf)


def segment_heights(
    function: ScalarFunction,
    starts: Float[Tensor, "n d"],
    ends: Float[Tensor, "n d"],
    looks: int,
) -> Float[Tensor, "n"]:
    """Highest value strictly between the ends of each segment, at evenly spaced points."""
    shares = torch.arange(1, looks + 1).to(starts) / (looks + 1)
    inner = torch.lerp(starts.unsqueeze(1), ends.unsqueeze(1), shares.view(1, -1, 1))
    return evaluate(function, inner.flatten(0, 1)).view(-1, looks).amax(dim=1)


def path_height(function: ScalarFunction, path: Float[Tensor, "n d"]) -> float:
    """Highest value on a path of straight pieces, ends included."""
    between = segment_heights(function, path[:-1], path[1:], _DENSE)
    return max(evaluate(function, path).max().item(), between.max().item())


def lower_path(function: ScalarFunction, path: Float[Tensor, "n d"], tube: Tube) -> float:
    """Height of a path after it has slid downhill between its ends, within a tube.

    The simplified string method of E, Ren and Vanden-Eijnden (2007): nodes step downhill across
    the path and are spaced evenly again. Steps have a given length that shrinks, so that kinks
    and cusps do no harm. Any path's height is an upper bound of the lowest pass.

    Shapes:
        function: (*batch, d) -> (*batch,), path: (n, d)
    """
    nodes = best = _respace(path, _NODES)
    lowest = torch.inf
    for iteration in range(_ITERATIONS):
        value, slope = _value_and_slope(function, nodes)
        if value.max() < lowest:
            lowest, best = value.max().item(), nodes
        share = 0.5 * (1 - iteration / _ITERATIONS)
        inner = tube.project(nodes[1:-1] - share * _across(nodes, slope))
        nodes = _respace(torch.cat([path[:1], inner, path[-1:]]), _NODES)
    return path_height(function, best)


def _across(nodes: Float[Tensor, "n d"], slope: Float[Tensor, "n d"]) -> Float[Tensor, "m d"]:
    """Uphill and across the path, as long as a piece of it, at each inner node."""
    along = F.normalize(nodes[2:] - nodes[:-2], dim=-1)
    inner = slope[1:-1]
    across = inner - (inner * along).sum(-1, keepdim=True) * along
    spacing = torch.linalg.vector_norm(nodes.diff(dim=0), dim=-1).mean()
    return spacing * F.normalize(across, dim=-1)


@torch.enable_grad()
def _value_and_slope(
    function: ScalarFunction, x: Float[Tensor, "n d"]
) -> tuple[Float[Tensor, "n"], Float[Tensor, "n d"]]:
    x = x.detach().requires_grad_()
    value = function(x)
    (slope,) = torch.autograd.grad(value.sum(), x)
    value = torch.where(value.isfinite(), value, torch.inf)
    return value.detach(), slope.nan_to_num(0.0, 0.0, 0.0)


def _respace(path: Float[Tensor, "n d"], count: int) -> Float[Tensor, "m d"]:
    """Spread points evenly over the length of a path."""
    pieces = torch.linalg.vector_norm(path.diff(dim=0), dim=-1)
    reached = torch.cat([pieces.new_zeros(1), pieces.cumsum(0)])
    wanted = torch.linspace(0, 1, count).to(path) * reached[-1]
    right = torch.searchsorted(reached, wanted).clamp(1, len(path) - 1)
    share = (wanted - reached[right - 1]) / pieces[right - 1].clamp_min(1e-300)
    return torch.lerp(path[right - 1], path[right], share.clamp(0, 1).unsqueeze(-1))
