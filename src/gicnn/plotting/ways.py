"""How the ways between two codes look, in every picture of them."""

from typing import NamedTuple

from gicnn.plotting.style import ACCENT, INK, MINIMUM

__all__ = ["WAYS", "Way"]


class Way(NamedTuple):
    """A label for the legend, and what lines and points are drawn with."""

    label: str
    colour: str
    marker: str
    line: str


WAYS = {
    "level_set": Way("level set by angles", ACCENT, "o", "-"),
    "great_circle": Way("by great circle", MINIMUM, "s", "--"),
    "straight": Way("straight line", INK, "D", ":"),
}
