"""A number held against its bound."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Check"]

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
    "<=": lambda value, bound: value <= bound,
    "==": lambda value, bound: value == bound,
}
_LARGEST = 1e300


@dataclass(frozen=True)
class Check:
    """One number against its bound.

    Attributes:
        id: Short name.
        statement: What was measured, in words.
        value: What was found; not finite where it could not be measured.
        relation: ">", ">=", "<=" or "==".
        bound: What it is held against, finite.
        reason: Why the bound is what it is.

    Example:
        >>> check = Check("gap", "smallest gap", 0.25, ">", 0.0, "strictness leaves no slack")
        >>> check.holds
        True
    """

    id: str
    statement: str
    value: float
    relation: str
    bound: float
    reason: str

    @property
    def holds(self) -> bool:
        """Whether the value keeps to its bound; one that is not finite never does."""
        return math.isfinite(self.value) and _RELATIONS[self.relation](self.value, self.bound)

    def record(self) -> dict[str, Any]:
        """Give what JSON can hold: 1e300 on the failing side stands for what is not finite.

        Example:
            >>> check = Check("gap", "smallest gap", math.nan, ">", 0.0, "no slack")
            >>> check.record()["value"], check.record()["holds"]
            (-1e+300, False)
        """
        worst = _LARGEST if self.relation == "<=" else -_LARGEST
        value = self.value if math.isfinite(self.value) else worst
        return asdict(self) | {"value": value, "holds": self.holds}
