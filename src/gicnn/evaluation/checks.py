"""A number held against its bound."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Check"]

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": lambda value, bound: value > bound,
    "<=": lambda value, bound: value <= bound,
    "==": lambda value, bound: value == bound,
}


@dataclass(frozen=True)
class Check:
    """One number against its bound.

    Attributes:
        id: Short name.
        statement: What must hold, in words.
        value: What was found.
        relation: ">", "<=" or "==".
        bound: What it is held against.
    """

    id: str
    statement: str
    value: float
    relation: str
    bound: float

    @property
    def holds(self) -> bool:
        """Whether the value keeps to its bound; not a number never does."""
        return _RELATIONS[self.relation](self.value, self.bound)
