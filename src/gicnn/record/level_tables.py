"""What many paths and samples on level sets came to, level by level, as tables for readers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gicnn.record.documents import read_json
from gicnn.record.markdown_table import lay_out
from gicnn.record.wording import number

__all__ = [
    "pairs_to_markdown",
    "paths_to_markdown",
    "read_levels",
    "read_pair",
    "samples_to_markdown",
]

_WAYS = {"level_set": "level set", "great_circle": "great circle", "straight": "straight line"}
_DIRECTIONS = {"uniform": "uniform", "like_codes": "as codes lie"}


def read_levels(record: Path, model: str, name: str) -> list[dict[str, Any]]:
    """What a record keeps of the paths or samples of a model, an entry for each level.

    Args:
        record: A folder of results or a part of one.
        model: Dataset, model and seed, such as "qm9/gicnn_approximate/seed-0".
        name: "paths" or "samples".

    Raises:
        ValueError: The record has no such file, or one without levels.
    """
    document = _read(record, model, name)
    if not isinstance(document, dict) or not document.get("levels"):
        raise ValueError(
            f"the {name} in the record {record.name} have no levels; run its recipe and keep it anew"
        )
    return document["levels"]


def read_pair(record: Path, model: str) -> dict[str, Any]:
    """What a record keeps of the one path of Figure 6.

    Args:
        record: As of :func:`read_levels`.
        model: As of :func:`read_levels`.

    Raises:
        ValueError: The record has no summary of it.
    """
    return _read(record, model, "summary")


def paths_to_markdown(levels: Sequence[Mapping[str, Any]]) -> str:
    """Lay out, for each level, the ways between molecules, random molecules and the model's error.

    Example:
        >>> spread = {"mean": 4.0, "median": 3.0}
        >>> way = {"valid_share": 0.8, "known_share": 0.75, "end_share": 0.7, "graphs": 650}
        >>> way |= {"found_share": 0.5, "deviation": spread, "within_error_share": 0.6}
        >>> one = {"level": 138.0, "level_set": way, "great_circle": way, "straight": way}
        >>> one |= {"random": {"deviation": spread}, "model": {"deviation": spread}}
        >>> one["bend"] = {"level_set": {"mean": 0.02}, "great_circle": None, "straight": None}
        >>> print(paths_to_markdown([one]).splitlines()[2])
        | 138 | level set | 2 | 80 | 75 | 70 | 650 | 50 | 4 | 3 | 60 |
    """
    head = [
        "level", "between pairs by", "bend, %", "points valid, %", "points in QM9, %",
        "points at an end, %", "graphs between the ends", "of them in QM9, %",
        "off the level, mean", "median", "within the model's error, %",
    ]  # fmt: skip
    rows = []
    for entry in levels:
        for key, text in _WAYS.items():
            bend = _percent((entry["bend"][key] or {}).get("mean"))
            rows.append([entry["level"], text, bend, *_way(entry[key])])
        others = {"random": "random molecules", "model": "model's error on those joined"}
        for key, text in others.items():
            rows.append([entry["level"], text, *[None] * 6, *_off_the_level(entry[key])])
    return lay_out(head, rows)


def samples_to_markdown(levels: Sequence[Mapping[str, Any]]) -> str:
    """Lay out, for each level, what points in random directions decode to.

    Example:
        >>> way = {"valid_share": 0.0, "unique_share": None, "novel_share": None}
        >>> way |= {"predicted": None, "prediction_deviation": None, "deviation": None}
        >>> one = {"level": 138.0, "uniform": way, "like_codes": way}
        >>> print(samples_to_markdown([one]).splitlines()[2])
        | 138 | uniform | 0 |  |  |  |  |  |  |
    """
    head = [
        "level", "directions", "valid, %", "of these unique, %", "of these not in QM9, %",
        "predicted, mean", "10 to 90 %", "predicted off the level, mean", "true off the level, of those in QM9",
    ]  # fmt: skip
    rows = [
        [entry["level"], text, *_samples(entry[way])]
        for entry in levels
        for way, text in _DIRECTIONS.items()
    ]
    return lay_out(head, rows)


def pairs_to_markdown(pairs: Mapping[str, Mapping[str, Any]]) -> str:
    """Lay out the one path of Figure 6 as several records have it.

    Args:
        pairs: By record, as of :func:`read_pair`.

    Example:
        >>> pair = {"minimum_property": 91.2, "minimum_distance": 2.4, "model_mae": 4.1}
        >>> pair |= {"level": 138.0, "valid_share": 0.5, "unique": 3, "found": 0}
        >>> print(pairs_to_markdown({"other": pair | {"deviation_mae": None}}).splitlines()[2])
        | other | 91.2 | 2.4 | 4.1 | 138 | 50 | 3 | 0 |  |
    """
    head = [
        "record", "least value of the model", "its distance from the codes", "model's error",
        "level", "points valid, %", "graphs between the ends", "of them in QM9", "these off the level, mean",
    ]  # fmt: skip
    before = ("minimum_property", "minimum_distance", "model_mae", "level")
    after = ("unique", "found", "deviation_mae")
    rows = [
        [
            name,
            *map(pair.__getitem__, before),
            _percent(pair["valid_share"]),
            *map(pair.__getitem__, after),
        ]
        for name, pair in pairs.items()
    ]
    return lay_out(head, rows)


def _read(record: Path, model: str, name: str) -> Any:  # noqa: ANN401
    path = record / "levelsets" / model / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"the record {record.name} has no {name} of a model {model!r}")
    return read_json(path)


def _way(way: Mapping[str, Any]) -> list[float | None]:
    points = (way["valid_share"], way["known_share"], way["end_share"])
    shares = [_percent(share) for share in points]
    return [*shares, way["graphs"], _percent(way["found_share"]), *_off_the_level(way)]


def _off_the_level(graphs: Mapping[str, Any]) -> list[float | None]:
    return [*_spread(graphs["deviation"]), _percent(graphs.get("within_error_share"))]


def _samples(way: Mapping[str, Any]) -> list[float | str | None]:
    shares = [_percent(way[key]) for key in ("valid_share", "unique_share", "novel_share")]
    predicted = way["predicted"]
    ends = f"{number(predicted['p10'])} to {number(predicted['p90'])}" if predicted else None
    off = [_spread(way[key])[0] for key in ("prediction_deviation", "deviation")]
    return [*shares, _spread(predicted)[0], ends, *off]


def _spread(values: Mapping[str, float] | None) -> list[float | None]:
    return [values["mean"], values["median"]] if values else [None, None]


def _percent(share: float | None) -> float | None:
    """In per cent, without what rounding leaves of nothing."""
    return None if share is None else round(100 * share, 9)
