"""Claims of a paper held against the files that a run has left."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from gicnn.record.keys import look_up
from gicnn.record.measurements import STATUSES, Measurement, Read, Status, measure

__all__ = ["Claim", "Record", "collect", "evaluate"]


class Claim(TypedDict):
    """One claim, its measurements, its verdict, and the files that show it.

    ``meant`` says whether this recipe's numbers say something about the claim; ``expected`` is
    the verdict that earlier runs of it led us to expect, and ``owed_to`` what the verdict is owed
    to ("construction" or "choice") where no training can change it; None where that is not said.
    """

    id: str
    where: str
    statement: str
    status: Status
    meant: bool
    expected: Status | None
    owed_to: str | None
    measurements: list[Measurement]
    figures: list[str]
    tables: list[str]
    files: list[str]


class Record(TypedDict):
    """Everything that claims.json holds."""

    recipe: str
    seeds: list[int]
    counts: dict[str, int]
    claims: list[Claim]
    deviations: list[dict[str, Any]]
    places: dict[str, str]


def evaluate(
    claims: Sequence[Mapping[str, Any]], read: Read, seeds: Sequence[int], recipe: str
) -> list[Claim]:
    """Measure each claim and compare it with its band.

    Args:
        claims: Entries of the ledger, as its schema describes them.
        read: Returns the content of a JSON file, or None if this run has no such file.
        seeds: The seeds of the run; ``{seed}`` in a file pattern stands for each of them.
        recipe: Name of the run's recipe.

    Raises:
        ValueError: There is no seed, two claims share an id, or a value is not a finite number.
    """
    if not seeds:
        raise ValueError("no seeds: name at least one, as the run that is judged did")
    _check_unique([claim["id"] for claim in claims])
    return [_evaluated(claim, read, seeds, recipe) for claim in claims]


def collect(
    claims: Sequence[Claim],
    recipe: str,
    seeds: Sequence[int],
    deviations: Sequence[Mapping[str, Any]] = (),
    places: Mapping[str, str] | None = None,
) -> Record:
    """Put evaluated claims together with what the reader must know about the run.

    Args:
        claims: What :func:`evaluate` returned.
        recipe: Name of the recipe whose numbers these are.
        seeds: The seeds of the run.
        deviations: Where the paper is wrong or silent, and what was chosen.
        places: Where to look next, name to path beside the record.
    """
    counts = Counter(claim["status"] for claim in claims)
    return Record(
        recipe=recipe,
        seeds=list(seeds),
        counts={status: counts[status] for status in STATUSES},
        claims=list(claims),
        deviations=[dict(deviation) for deviation in deviations],
        places=dict(places or {}),
    )


def _evaluated(claim: Mapping[str, Any], read: Read, seeds: Sequence[int], recipe: str) -> Claim:
    measurements = []
    unmet = _unmet(claim.get("requires", ()), read)
    for spec in claim["measurements"]:
        try:
            item = measure(spec, _nothing if unmet else read, seeds)
            measurements.append(item | {"missing": unmet} if unmet else item)
        except ValueError as error:
            raise ValueError(f"claim {claim['id']}, {spec['name']}: {error}") from error
    shown = [value["file"] for item in measurements for value in item["values"]]
    return Claim(
        id=claim["id"],
        where=claim["where"],
        statement=claim["statement"],
        status=_overall(measurements),
        meant=recipe in claim["recipes"],
        expected=claim["expected"].get(recipe),
        owed_to=claim.get("owed_to"),
        measurements=measurements,
        figures=list(claim["evidence"]["figures"]),
        tables=list(claim["evidence"]["tables"]),
        files=sorted(set(shown)),
    )


def _unmet(requirements: Sequence[Mapping[str, Any]], read: Read) -> list[str]:
    """What this run was not about, such as another property; a file it lacks says nothing."""
    texts = []
    for item in requirements:
        document = read(item["file"])
        found = look_up(document, item["key"])
        if document is not None and found != item["value"]:
            texts.append(f"{item['key']} in {item['file']} is {found}, not {item['value']}")
    return texts


def _nothing(_: str) -> None:
    """Read no file."""


def _overall(measurements: Sequence[Measurement]) -> Status:
    """What the evidence says; a premise that fails can lower it, and none can raise it."""
    evidence = {item["status"] for item in measurements if not item["premise"]}
    premises = {item["status"] for item in measurements if item["premise"]}
    if evidence <= {"not attempted"}:
        return "not attempted"
    if evidence | premises == {"reproduced"}:
        return "reproduced"
    return "partly" if evidence & {"reproduced", "partly"} else "not reproduced"


def _check_unique(names: Sequence[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"claims with the same id: {', '.join(twice)}; give each its own")
