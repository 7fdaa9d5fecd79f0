"""The graph of rules as an SVG picture, made of the jobs that ran."""

from collections import defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from graphlib import TopologicalSorter
from html import escape

__all__ = ["draw_rules", "generations"]

_WIDTH, _HEIGHT = 134, 24  # of a box
_GAP, _LINE = 34, 34  # between columns, and from row to row


def generations(edges: Mapping[str, AbstractSet[str]]) -> dict[str, int]:
    """For each rule, how many steps lie between it and the raw data, at most.

    Raises:
        graphlib.CycleError: A rule needs what is made from it.

    Example:
        >>> generations({"fit": {"fetch"}, "draw": {"fit", "fetch"}})
        {'fetch': 0, 'fit': 1, 'draw': 2}
    """
    depth: dict[str, int] = {}
    for rule in TopologicalSorter(edges).static_order():
        depth[rule] = max((depth[earlier] + 1 for earlier in edges.get(rule, ())), default=0)
    return depth


def draw_rules(edges: Mapping[str, AbstractSet[str]], notes: Mapping[str, str]) -> str:
    """Draw a box for each rule, raw data on the left, and a line to each rule that reads its files.

    Args:
        edges: For each rule those whose files it reads.
        notes: A line to show when the pointer rests on a rule.
    """
    depth = generations(edges)
    columns: dict[int, list[str]] = defaultdict(list)
    for rule in sorted(depth):
        columns[depth[rule]].append(rule)
    tallest = max(map(len, columns.values()), default=0)
    places = {
        rule: (
            column * (_WIDTH + _GAP) + 4,
            (row + (tallest - len(rules)) / 2) * _LINE + 4,
        )
        for column, rules in columns.items()
        for row, rule in enumerate(rules)
    }
    lines = [
        _line(places[earlier], places[rule]) for rule in depth for earlier in edges.get(rule, ())
    ]
    boxes = [_box(rule, place, notes.get(rule, rule)) for rule, place in places.items()]
    width, height = len(columns) * (_WIDTH + _GAP) - _GAP + 8, tallest * _LINE + 8
    return (
        f'<svg class="graph" role="img" aria-label="Graph of rules" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}">{"".join(sorted(lines))}'
        f"{''.join(boxes)}</svg>"
    )


def _line(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = start, end
    x, y, to_y = x + _WIDTH, y + _HEIGHT / 2, to_y + _HEIGHT / 2
    middle = (x + to_x) / 2
    curve = f"M{x:g} {y:g} C{middle:g} {y:g} {middle:g} {to_y:g} {to_x:g} {to_y:g}"
    return f'<path d="{curve}"/>'


def _box(rule: str, place: tuple[float, float], note: str) -> str:
    x, y = place
    return (
        f'<g><title>{escape(note)}</title><rect x="{x:g}" y="{y:g}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" rx="4"/><text x="{x + _WIDTH / 2:g}" y="{y + 16:g}">'
        f"{escape(rule)}</text></g>"
    )
