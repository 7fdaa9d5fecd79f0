"""What two models' losses and the valleys of one of them say about level sets."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

__all__ = ["Losses", "Verdict", "judge"]

_SURE = 2.0  # standard errors


@dataclass(frozen=True)
class Losses:
    """How much of the property two models leave unexplained on held-out examples."""

    count: int
    """Number of examples."""
    deviation: float
    """Standard deviation of the property, in its unit."""
    convex: float
    """Share of the variance that the input-convex model leaves; infinite if not finite."""
    baseline: float
    """The same of the baseline."""
    standard_error: float
    """Of the difference between the two."""

    @classmethod
    def of(
        cls, y: Float[Tensor, "n"], convex: Float[Tensor, "n"], baseline: Float[Tensor, "n"]
    ) -> "Losses":
        """Compare two models' predictions with what was measured.

        Raises:
            ValueError: There are fewer than two examples, or the property does not vary.
        """
        variance = y.var().item() if len(y) > 1 else 0.0
        if not 0 < variance < math.inf:
            raise ValueError(
                f"the property of {len(y)} held-out examples has variance {variance:g}; "
                "take examples that differ, all of them finite"
            )
        shares = [(predicted - y).square() / variance for predicted in (convex, baseline)]
        spread = (shares[0] - shares[1]).std() / math.sqrt(len(y))
        numbers = torch.stack([shares[0].mean(), shares[1].mean(), spread])
        return cls(len(y), math.sqrt(variance), *numbers.nan_to_num(nan=math.inf).tolist())

    @property
    def finite(self) -> bool:
        """Whether both models give numbers."""
        return math.isfinite(self.convex + self.baseline)

    @property
    def cost(self) -> float:
        """What convexity costs, as a share of the variance."""
        return self.convex - self.baseline

    @property
    def baseline_rmse(self) -> float:
        """Root mean square error of the baseline, in the property's unit."""
        return self.deviation * math.sqrt(self.baseline)


@dataclass(frozen=True)
class Verdict:
    """Whether the property's level sets are connected."""

    name: str
    """"connected", "disconnected" or "undecided"."""
    reason: str
    """Why, in a sentence."""


def judge(
    losses: Losses, valleys: int, exact: bool, *, cost: float, unexplained: float
) -> Verdict:
    """Weigh the evidence.

    A connected fit is constructive evidence; a costly one is evidence only together with the
    valleys that would explain the cost. Where the two disagree, nothing is decided.

    Args:
        losses: Of the two models.
        valleys: Of the baseline, in the input space; 0 if they could not be counted.
        exact: Whether the input-convex model's encoder is a bijection by construction.
        cost: Share of the variance that convexity may cost.
        unexplained: A model that leaves a larger share does not fit.
    """
    if not losses.finite:
        return Verdict("undecided", "a model's prediction is not finite on the held-out examples")
    margin = _SURE * losses.standard_error
    cheap = losses.cost + margin <= cost and losses.convex <= unexplained
    dear = losses.cost - margin > cost
    fits = losses.baseline <= unexplained
    price = f"convexity costs {losses.cost:.2%} of the property's variance"
    if cheap and (valleys == 1 if fits else exact):
        return Verdict("connected", f"{price}, at most {cost:.2%}: connected level sets fit")
    if dear and fits and valleys > 1:
        return Verdict(
            "disconnected",
            f"{price}, more than {cost:.2%}, and the baseline, which fits, has {valleys} valleys",
        )
    return Verdict("undecided", _missing(losses, price, valleys, cheap, dear, unexplained))


def _missing(
    losses: Losses, price: str, valleys: int, cheap: bool, dear: bool, unexplained: float
) -> str:
    """What would have to be different for a verdict."""
    if losses.baseline > unexplained:
        return (
            f"the baseline leaves {losses.baseline:.2%} of the property's variance unexplained, "
            f"more than {unexplained:.2%}: train it longer or make it larger"
        )
    if cheap:
        return (
            f"{price} only, yet the baseline has {valleys} valleys: the smaller ones hold too few "
            "examples to cost much, or the input-convex model's encoder folds them together"
        )
    if dear:
        return (
            f"{price}, yet the baseline has one valley: the input-convex model may be too small "
            "or trained too little, or level sets close around a maximum, where the property "
            "with its sign changed is the one to model"
        )
    if losses.convex > unexplained:
        return (
            f"{price} only, but the input-convex model leaves {losses.convex:.2%} unexplained, "
            f"more than {unexplained:.2%}"
        )
    return (
        f"{price}, give or take {_SURE * losses.standard_error:.2%}, which {losses.count} "
        "held-out examples do not tell from what is allowed"
    )
