"""Numbers of a run in a page that people wrote: between markers, filled by a command.

A marker is a pair of comments with the name of what stands between them::

    <!-- filled: counts -->22 claims: ...<!-- /filled -->
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

from gicnn.record import level_tables, side_by_side, wording
from gicnn.record.claims import Claim, Record
from gicnn.record.headline import HEADLINE
from gicnn.record.markdown_table import lay_out

__all__ = ["fill"]

_MARKER = re.compile(r"(<!-- filled: (.*?) -->).*?(<!-- /filled -->)", re.DOTALL)
_EXACT = re.compile(r"<!-- (filled: .*?|/filled) -->", re.DOTALL)
# What somebody may have meant to be a marker.
_MEANT = re.compile(r"<!--\s*/?\s*fill[^>]*-->", re.IGNORECASE)


def fill(page: str, record: Record, records: Path) -> str:
    """Put what the record says between the page's markers.

    What may stand there: ``counts``, how many claims hold; ``table``, each claim with its first
    measurement; ``measured ID N``, the N-th number of a claim (the first is 0) with its unit;
    ``models NAME ...``, the models of other records side by side; ``model NAME MODEL KEY``, one
    headline number of one of them; ``epochs NAME MODEL``, how far a training of that record got;
    ``paths NAME MODEL`` and ``samples NAME MODEL``, what level sets gave, level by level;
    ``pairs MODEL NAME ...``, the one path of Figure 6 as several records have it.

    Args:
        page: Text with markers.
        record: The claims of a run.
        records: The folder with the other records.

    Raises:
        ValueError: A marker asks for what the record does not have.
    """

    def filled(found: re.Match[str]) -> str:
        if "<!--" in found[0][len(found[1]) : -len(found[3])]:
            raise ValueError(f"{found[1]} is not closed before the next remark; write {found[3]}")
        return f"{found[1]}{_content(found[2], record, records)}{found[3]}"

    markers, ends = page.count("<!-- filled: "), page.count("<!-- /filled -->")
    if not markers == ends == len(_MARKER.findall(page)):
        raise ValueError(
            f"{markers} markers begin and {ends} end; close each with <!-- /filled -->"
        )
    if meant := [text for text in _MEANT.findall(page) if not _EXACT.fullmatch(text)]:
        raise ValueError(f"{meant[0]!r} is read by nothing; write <!-- filled: ... -->")
    return _MARKER.sub(filled, page)


def _content(wish: str, record: Record, records: Path) -> str:
    kind, *arguments = wish.split() or [""]
    makers: Mapping[str, Callable[..., str]] = {
        "counts": partial(wording.counts, record),
        "table": partial(_table, record),
        "measured": partial(_measured, record),
        "models": partial(_models, records),
        "model": partial(_model, records),
        "epochs": partial(_epochs, records),
        "paths": partial(_levels, records, "paths", level_tables.paths_to_markdown),
        "samples": partial(_levels, records, "samples", level_tables.samples_to_markdown),
        "pairs": partial(_pairs, records),
    }
    if kind not in makers:
        raise ValueError(f"cannot fill {wish!r}; there are: {', '.join(makers)}")
    maker = makers[kind]
    try:
        signature(maker).bind(*arguments)
    except TypeError as error:
        raise ValueError(f"cannot fill {wish!r}: wrong number of words after {kind}") from error
    return maker(*arguments)


def _models(records: Path, name: str, *others: str) -> str:
    rows = [
        row | ({"record": one} if others else {})
        for one in (name, *others)
        for row in side_by_side.read_models(records / one)
    ]
    return f"\n{side_by_side.to_markdown(rows)}\n"


def _model(records: Path, name: str, model: str, key: str) -> str:
    rows = side_by_side.read_models(records / name)
    found = [row for row in rows if f"{row['dataset']}/{row['model']}" == model and key in row]
    if not found or key not in HEADLINE:
        raise ValueError(f"the record {name} has no {key!r} of a model {model!r}")
    return side_by_side.show(found[0], key)


def _epochs(records: Path, name: str, model: str) -> str:
    from gicnn.record import training_table  # other markers need no pandas

    history = training_table.read_history(records / name, model)
    return f"\n{training_table.to_markdown(history)}\n"


def _levels(records: Path, kind: str, to_markdown: Callable, name: str, model: str) -> str:
    levels = level_tables.read_levels(records / name, model, kind)
    return _laid_out(to_markdown, levels, f"the {kind} in the record {name}")


def _pairs(records: Path, model: str, *names: str) -> str:
    pairs = {name: level_tables.read_pair(records / name, model) for name in names}
    return _laid_out(level_tables.pairs_to_markdown, pairs, f"the pairs in {', '.join(names)}")


def _laid_out(to_markdown: Callable, kept: object, what: str) -> str:
    try:
        return f"\n{to_markdown(kept)}\n"
    except KeyError as error:
        raise ValueError(f"{what} lack {error}; run that recipe and keep it anew") from error


def _measured(record: Record, claim: str, position: str) -> str:
    known: dict[str, Any] = {item["id"]: item for item in record["claims"]}
    if claim not in known:
        raise ValueError(f"the record has no claim {claim!r}; it has: {', '.join(known)}")
    measurements = known[claim]["measurements"]
    if not position.isdecimal() or int(position) >= len(measurements):
        names = ", ".join(f"{n} ({item['name']})" for n, item in enumerate(measurements))
        raise ValueError(f"claim {claim!r} has no number {position!r}; it has: {names}")
    return wording.measured(measurements[int(position)])


def _table(record: Record) -> str:
    rows = [_row(claim) for claim in record["claims"]]
    return f"\n{lay_out(['', 'claim', 'measured', 'printed', 'this run'], rows)}\n"


def _row(claim: Claim) -> list[str]:
    """The number that decides: the first that counts as evidence, a broken one before others."""
    evidence = [item for item in claim["measurements"] if not item["premise"]]
    order = sorted(evidence, key=lambda item: item["status"] == "reproduced")
    mark = wording.MARKS[claim["status"]]
    if not order:
        return [mark, f"`{claim['id']}`", "", "", ""]
    owed = f" (by {claim['owed_to']})" if claim["owed_to"] else ""
    cells = (order[0]["name"] + owed, wording.printed(order[0]), wording.measured(order[0]))
    return [mark, f"`{claim['id']}`", *cells]
