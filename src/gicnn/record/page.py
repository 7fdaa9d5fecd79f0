"""The record as one HTML page that needs nothing else, not even a network."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from gicnn.record import wording
from gicnn.record.claims import Claim, Record
from gicnn.record.measurements import STATUSES, Measurement, Status

__all__ = ["STYLE", "claims_section", "deviations_section", "to_html"]

_HEADINGS = ("Measured quantity", "Printed", "Measured", "Band", "Verdict")
_DEVIATION_HEADINGS = ("Place", "The paper", "What is wrong", "Our choice", "How much it matters")

STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --paper: #fff; --card: #f6f8fa;
  --line: #d1d9e0; --link: #0550ae; --good: #116329; --some: #7d4e00; --bad: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9da7b1; --paper: #0d1117;
  --card: #161b22; --line: #3d444d; --link: #6cb6ff; --good: #56d364; --some: #e3b341;
  --bad: #ff8182; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.2rem; background: var(--paper);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: .2rem 0 .6rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
article { background: var(--card); border: 1px solid var(--line); border-left-width: .4rem;
  border-radius: .4rem; padding: .7rem 1rem; margin: 0 0 1rem; }
article h3 { font-size: 1rem; margin: 0; }
article p { margin: .3rem 0 .6rem; }
a { color: var(--link); overflow-wrap: anywhere; }
.quiet { color: var(--quiet); font-size: .85rem; }
.warning { border: .2rem solid var(--bad); border-radius: .4rem; padding: .7rem 1rem;
  font-weight: 600; }
.counts { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; padding: 0; list-style: none; }
.reproduced { border-left-color: var(--good); } .verdict.reproduced { color: var(--good); }
.partly { border-left-color: var(--some); } .verdict.partly { color: var(--some); }
.not-reproduced { border-left-color: var(--bad); } .verdict.not-reproduced { color: var(--bad); }
.verdict { font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-size: .9rem;
  font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-top: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
td:first-child { width: 36%; }
.deviations td { width: 22%; } .deviations td:first-child { width: 12%; }
code { font-size: .85em; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--quiet); font-size: .85rem; margin-top: .5rem; }
ul { padding-left: 1.2rem; margin: .3rem 0; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0; }
  td, td:first-child, .deviations td, .deviations td:first-child {
    display: flex; gap: .6rem; width: auto; border: 0; padding: .1rem 0; }
  td::before { content: attr(data-label); flex: 0 0 7.2rem; color: var(--quiet); }
}
"""


def to_html(record: Record) -> str:
    """Lay the claims out as a page: a card a claim, a table row a measurement."""
    body = "\n".join(_body(record))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(wording.TITLE)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def claims_section(record: Record) -> str:
    """Counts, and a card for each claim."""
    counts = record["counts"]
    chips = [f"<li>{_verdict(s, f'{counts[s]} {s}')}</li>" for s in STATUSES]
    if owed := wording.owed(record):
        chips.append(f'<li class="quiet">{escape(owed)}</li>')
    cards = "\n".join(_claim(claim) for claim in record["claims"])
    return f'<ul class="counts">{"".join(chips)}</ul>\n{cards}'


def deviations_section(record: Record) -> str:
    """A table of the places where the paper cannot be followed."""
    rows = "\n".join(_deviation(deviation) for deviation in record["deviations"])
    return _table(_DEVIATION_HEADINGS, rows, "deviations")


def _body(record: Record) -> Iterator[str]:
    yield f"<h1>{escape(wording.TITLE)}</h1>"
    if wording.warning(record):
        yield f'<p class="warning">{escape(wording.warning(record))}</p>'
    yield f"<p>{escape(wording.about(record))}</p>"
    yield claims_section(record)
    if record["deviations"]:
        yield "<h2>Where the paper is wrong, silent or contradicts itself</h2>"
        yield deviations_section(record)


def _claim(claim: Claim) -> str:
    rows = "".join(_row(item) for item in claim["measurements"])
    table = _table(_HEADINGS, rows)
    return (
        f'<article id="{escape(claim["id"])}" class="{_kind(claim["status"])}">'
        f"<h3>{_verdict(claim['status'], wording.verdict(claim))} "
        f'<span class="quiet">{escape(claim["where"])} · {escape(claim["id"])}</span></h3>'
        f"<p>{escape(claim['statement'])}</p>{table if rows else ''}{_gaps(claim)}"
        f"{_shown(claim)}{_details(claim)}</article>"
    )


def _row(item: Measurement) -> str:
    cells = (
        escape(wording.name(item)),
        escape(wording.printed(item)),
        escape(wording.measured(item)),
        escape(wording.band(item["band"])),
        _verdict(item["status"], item["status"]),
    )
    return _cells(_HEADINGS, cells)


def _gaps(claim: Claim) -> str:
    gaps = [gap for item in claim["measurements"] for gap in item["missing"]]
    return "".join(f'<p class="quiet">Missing: {escape(gap)}</p>' for gap in gaps)


def _shown(claim: Claim) -> str:
    links = ", ".join(_link(path) for path in claim["figures"] + claim["tables"])
    return f'<p class="quiet">Shown by {links}</p>' if links else ""


def _details(claim: Claim) -> str:
    reasons = {item["reason"]: item["name"] for item in claim["measurements"]}
    lines = [f"<li>{escape(name)}: {escape(why)}</li>" for why, name in reasons.items()]
    lines += [f"<li>{_link(path)}</li>" for path in claim["files"]]
    if not lines:
        return ""
    title = "Why these bands, and the files behind the numbers"
    return f"<details><summary>{title}</summary><ul>{''.join(lines)}</ul></details>"


def _deviation(deviation: Mapping[str, Any]) -> str:
    choice = escape(deviation["choice"])
    if deviation["config"]:
        choice += f" <code>{_breakable(deviation['config'])}</code>"
    matters = escape(deviation["consequence"])
    if wording.sensitivity(deviation):
        matters += f" <b>Measured:</b> {escape(wording.sensitivity(deviation))}"
    place = (
        f'{escape(deviation["where"])} <span class="quiet">{_breakable(deviation["id"])}</span>'
    )
    return _cells(
        _DEVIATION_HEADINGS,
        (place, escape(deviation["printed"]), escape(deviation["problem"]), choice, matters),
    )


def _breakable(name: str) -> str:
    """A long name that goes on in the next line after one of its parts."""
    return escape(name).replace("_", "_<wbr>").replace(".", ".<wbr>")


def _table(headings: Iterable[str], rows: str, kind: str = "") -> str:
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    attribute = f' class="{kind}"' if kind else ""
    return f"<table{attribute}><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>"


def _cells(headings: Iterable[str], cells: Iterable[str]) -> str:
    """A row that also can be read where there is no room for headings."""
    pairs = zip(headings, cells, strict=True)
    columns = (f'<td data-label="{name}"><span>{cell}</span></td>' for name, cell in pairs)
    return f"<tr>{''.join(columns)}</tr>"


def _verdict(status: Status, text: str) -> str:
    mark = wording.MARKS[status]
    return f'<span class="verdict {_kind(status)}">{mark} {escape(text)}</span>'


def _kind(status: Status) -> str:
    return status.replace(" ", "-")


def _link(path: str) -> str:
    return f'<a href="{escape(path)}">{escape(path)}</a>'
