"""The report: one page that shows a whole run and needs nothing else, not even a network."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from gicnn.record import page, wording
from gicnn.record.claims import Record
from gicnn.record.manifest import Manifest, of_this_run
from gicnn.record.rule_graph import draw_rules
from gicnn.record.timings import costs_by_rule, elapsed, rule_edges

__all__ = ["Certificate", "Picture", "picture", "to_report"]


@dataclass(frozen=True)
class Picture:
    """A figure of the report: its name, what it shows, and the picture as a data address."""

    name: str
    title: str
    caption: str
    address: str


@dataclass(frozen=True)
class Certificate:
    """What was checked on one model: the file, and its content."""

    path: str
    content: Mapping[str, Any]

    @property
    def model(self) -> str:
        """Dataset, model and seed, from the path."""
        return " ".join(self.path.split("/")[-4:-1])

    @property
    def broken(self) -> list[Mapping[str, Any]]:
        """The checks that do not hold."""
        return [check for check in self.content["checks"] if not check["holds"]]


def picture(path: str | Path, title: str, caption: str) -> Picture:
    """Take a PNG into the page."""
    content = base64.b64encode(Path(path).read_bytes()).decode("ascii")
    return Picture(Path(path).stem, title, caption, f"data:image/png;base64,{content}")


def to_report(
    template: str,
    record: Record,
    manifest: Manifest,
    pictures: Sequence[Picture],
    certificates: Sequence[Certificate],
    texts: Mapping[str, str],
) -> str:
    """Fill the page: claims, figures, deviations, certificates, files, graph and times.

    Args:
        template: The page in Jinja's language.
        record: The claims.
        manifest: Of the files so far; the page links to some of them.
        pictures: In the order in which they are shown.
        certificates: Of all models.
        texts: Explanations, by the name that the template uses.

    Raises:
        jinja2.UndefinedError: The template asks for something that is not there.
    """
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"duration": _duration, "number": wording.number}
    manifest = of_this_run(manifest)
    makers = {entry["path"]: entry["job"] for entry in manifest["files"] if entry["job"]}
    jobs = manifest["jobs"]
    costs = costs_by_rule(jobs)
    notes = {
        cost["rule"]: f"{cost['rule']}: {cost['jobs']} jobs, {_duration(cost['seconds'])}"
        for cost in costs
    }
    return environment.from_string(template).render(
        title=wording.TITLE,
        warning=wording.warning(record),
        about=wording.about(record),
        counts=record["counts"],
        style=Markup(page.STYLE),
        claims=Markup(page.claims_section(record)),
        deviations=Markup(page.deviations_section(record)),
        graph=Markup(draw_rules(rule_edges(jobs, makers), notes)),
        pictures=pictures,
        certificates=certificates,
        costs=costs,
        longest=sorted(
            ((name, job["seconds"]) for name, job in jobs.items()), key=lambda pair: -pair[1]
        )[:10],
        total=sum(cost["seconds"] for cost in costs),
        startup=sum(cost["startup"] for cost in costs),
        elapsed=elapsed(jobs),
        commits=sorted({(job["commit"] or "unknown")[:10] for job in jobs.values()}),
        changed=sorted({path for job in jobs.values() for path in job["changed"] or ()}),
        machines=sorted({job["machine"]["processor"] for job in jobs.values()}),
        devices=sorted({job["device"] for job in jobs.values()}),
        files={entry["path"] for entry in manifest["files"]},
        texts=texts,
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"
