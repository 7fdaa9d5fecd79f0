"""Paired, what two runs have; what only one has is told."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from gicnn.record.agreement import Verdict
from gicnn.record.run_files import matching

__all__ = ["KINDS", "VERDICTS", "Comparison", "Kind", "files_by_name", "pair_up"]

Kind = Literal["claim", "metric", "certificate", "table", "file"]
KINDS: tuple[Kind, ...] = get_args(Kind)
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_ABSENT = "absent"


@dataclass(frozen=True)
class Comparison:
    """One number, claim or column of two runs.

    Attributes:
        kind: claim, metric, certificate, table or file.
        name: What is compared: a claim's id, a key in a file, a check, a column of a table, a file.
        first: What the first run has, as text.
        second: What the second run has.
        verdict: Whether they agree.
        reason: Why that counts as agreement, or why it does not.
    """

    kind: Kind
    name: str
    first: str
    second: str
    verdict: Verdict
    reason: str


def pair_up(
    kind: Kind,
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    compare_pair: Callable[[str, Any, Any], Iterator[Comparison]],
    prefix: str = "",
) -> Iterator[Comparison]:
    """Compare what both runs have; what only one of them has is different."""
    for name in {**one, **other}:
        if name in one and name in other:
            yield from compare_pair(name, one[name], other[name])
        else:
            yield _only_once(kind, prefix + name, name in one)


def _only_once(kind: Kind, name: str, in_first: bool) -> Comparison:
    shown = ("present", _ABSENT) if in_first else (_ABSENT, "present")
    which = "first" if in_first else "second"
    return Comparison(kind, name, *shown, "different", f"only the {which} run has it")


def files_by_name(pattern: str, *roots: Path) -> Iterator[dict[str, Path]]:
    """For each run its files of this pattern, by their path below its root."""
    for root in roots:
        yield {name: root / name for name in matching(root, [pattern])}
