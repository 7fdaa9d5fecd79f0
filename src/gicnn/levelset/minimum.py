"""The minimum of a (quasi-)convex function, with an honest answer where there is none."""

from dataclasses import dataclass, field

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.levelset.checks import require_float
from gicnn.levelset.functions import ScalarFunction
from gicnn.levelset.newton import Descent, descend, measure, noise
from gicnn.levelset.outcomes import ROWS, classify
from gicnn.levelset.regions import Region

__all__ = ["Minimum", "find_minimum"]


@dataclass(frozen=True)
class Minimum:
    """The lowest point found, and what became of each start."""

    point: Float[Tensor, "d"]
    """Lowest point."""
    value: Float[Tensor, ""]
    """Function there."""
    gradient_norm: Float[Tensor, ""]
    """Norm of the gradient there, projected where the search was confined to a region."""
    attained: bool
    """Whether the point is a minimum: no step lowers it and every way out of it rises."""
    reason: str
    """Why it is not attained, empty if it is."""
    ends: Float[Tensor, "n d"] = field(repr=False)
    """Where each start ended."""
    outcomes: list[str] = field(repr=False)
    """For each start: minimum, running off, flat, not converged or not finite."""
    distinct: Float[Tensor, "m d"] = field(repr=False)
    """Distinct minima, lowest first."""
    starts_per_minimum: Int[Tensor, " m"] = field(repr=False)
    """How many starts ended in each."""

    def require_attained(self) -> "Minimum":
        """Return the record itself.

        Raises:
            ValueError: The infimum is not attained; the message says why.
        """
        if not self.attained:
            raise ValueError(
                f"no minimum was attained: {self.reason}. Confine the search to a region "
                f"(gicnn.levelset.Box or Ball), or give other starts; where the function is merely flat "
                f"about its lowest point, give that point to LevelSet as the centre yourself"
            )
        return self


def find_minimum(
    function: ScalarFunction,
    starts: Float[Tensor, "n d"],
    *,
    region: Region | None = None,
    iterations: int = 200,
    separation: float = 1e-3,
) -> Minimum:
    """Minimise a function from several starts at once (sections 3.3 and 3.3.1).

    A strictly quasi-convex function has one minimum or none; then its infimum is approached
    only at infinity, and the level sets exist within a bounded region alone. On other functions
    the record lists the distinct minima.

    Shapes:
        function: (*batch, d) -> (*batch,), starts: (n, d)

    Args:
        function: Twice differentiable, each row on its own. At a kink the search may stop short of
            the minimum, and a narrow way down may go unseen: give several starts, since ways are
            sought along the lines between their ends too. For the last digits it must compute
            in float64, as must the starts.
        starts: Where to begin; points whose value is not finite end where they began.
        region: A closed convex set to stay in.
        iterations: Newton steps at most.
        separation: Ends closer than this times one plus their norm are the same minimum.

    Raises:
        ValueError: There is no start, or the function is finite at none of them.

    Example:
        >>> from gicnn.levelset import Box
        >>> starts = torch.randn(4, 3, dtype=torch.float64)
        >>> find_minimum(lambda z: (z - 1).square().sum(-1), starts).point
        tensor([1., 1., 1.], dtype=torch.float64)
        >>> find_minimum(lambda z: z.exp().sum(-1), starts).attained
        False
        >>> find_minimum(lambda z: z.exp().sum(-1), starts, region=Box(-2.0, 2.0)).point
        tensor([-2., -2., -2.], dtype=torch.float64)
    """
    if starts.ndim != 2 or 0 in starts.shape:
        raise ValueError(f"starts must have shape (n, d) with n, d > 0, got {tuple(starts.shape)}")
    require_float(starts, "starts")
    project = None if region is None else region.project
    state = descend(function, starts, project, iterations, ROWS)
    if not (state.value < torch.inf).any():
        raise ValueError(f"the function is not finite at any start: {state.value.tolist()}")

    outcomes = classify(function, state, starts, project)
    best = _lowest(state.value, outcomes)
    attained = outcomes[best] == "minimum"
    distinct, counts = _distinct(state, outcomes, separation)
    return Minimum(
        point=state.x[best],
        value=state.value[best],
        gradient_norm=measure(state.x, state.gradient, project)[best],
        attained=attained,
        reason="" if attained else _reason(outcomes[best], state, starts, best),
        ends=state.x,
        outcomes=outcomes,
        distinct=state.x[distinct],
        starts_per_minimum=counts,
    )


def _lowest(value: Float[Tensor, " n"], outcomes: list[str]) -> int:
    """Pick the lowest end; among equals a minimum."""
    finite = value.nan_to_num(nan=torch.inf, posinf=torch.inf, neginf=-torch.inf)
    if finite.min() == -torch.inf:
        return int(finite.argmin())
    ceiling = finite.min() + noise(finite.min())
    equals = [i for i in range(len(value)) if finite[i] <= ceiling]
    return min(equals, key=lambda i: (outcomes[i] != "minimum", float(finite[i])))


def _distinct(
    state: Descent, outcomes: list[str], separation: float
) -> tuple[list[int], Int[Tensor, " m"]]:
    found: list[int] = []
    counts: list[int] = []
    for i in state.value.argsort().tolist():
        if outcomes[i] != "minimum":
            continue
        gaps = torch.linalg.vector_norm(state.x[found] - state.x[i], dim=-1)
        near = (gaps <= separation * (1 + torch.linalg.vector_norm(state.x[i]))).nonzero()
        if len(near):
            counts[int(near[0])] += 1
        else:
            found.append(i)
            counts.append(1)
    return found, torch.tensor(counts, dtype=torch.int64)


def _reason(outcome: str, state: Descent, starts: Float[Tensor, "n d"], best: int) -> str:
    explanation = {
        "not finite": "the function falls to minus infinity",
        "running off": "the value keeps falling on the way to infinity",
        "flat": "the function is flat to rounding around its lowest end",
        "not converged": "lower values lie next to the lowest end: it takes more iterations, or "
        "there is no minimum",
    }
    travelled = torch.linalg.vector_norm(state.x[best] - starts[best])
    return (
        f"{explanation[outcome]} (value {float(state.value[best]):.6g}, "
        f"{float(travelled):.3g} away from its start)"
    )
