"""The part of a run that is small enough to keep under version control."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from gicnn.files import write_atomically
from gicnn.record.job_records import read_json
from gicnn.record.manifest import FILE

__all__ = ["NUMBERS", "PARTS", "PATTERNS", "keep", "keep_part"]

# By this file a whole run is known, and the record of one.
_MARK = "claims.json"

_WIDTH = 1400
_COLOURS = 256
# What a comparison reads.
NUMBERS = (
    "claims.json",
    "manifest.json",
    "evaluation/**/metrics.json",
    "figures/*.parquet",
)
# And what people look at: of several forms of a picture the one that a page shows.
PATTERNS = (
    *NUMBERS,
    "claims.md",
    "ablations.csv",
    "data/*/card.json",
    "evaluation/**/*.json",
    "figures/*.png",
    "levelsets/**/paths.json",
    "levelsets/**/samples.*",
    "models/**/run.json",
)
# Of a run that has measured some models and gone no further: what it measured, what it trained
# with, and the jobs' records in the place of a manifest; and how the trainings went on.
_MODELS = (
    "evaluation/**/*.json",
    "levelsets/**/summary.json",
    "models/**/run.json",
    "logs/**/*.json",
)
PARTS = {"models": _MODELS, "courses": (*_MODELS, "models/**/history.parquet")}


def keep(root: str | Path, place: str | Path, patterns: Sequence[str] = PATTERNS) -> list[Path]:
    """Copy claims, manifest, metrics, certificates, summaries, tables and pictures.

    Paths below ``place`` are those below ``root``, so that a record can be compared with a run.

    Args:
        root: A folder of results.
        place: Becomes the copy, whole or not at all; what was there before goes.
        patterns: Of the files to copy.

    Returns:
        The copies.

    Raises:
        ValueError: ``root`` is no finished run, or ``place`` is neither free nor a record of one.
    """
    root, place = Path(root), Path(place)
    if not (root / _MARK).is_file():
        raise ValueError(f"{root} has no {_MARK}; name the results of a finished run")
    if place.exists() and any(place.iterdir()) and not (place / _MARK).is_file():
        raise ValueError(
            f"{place} holds something that is no record of a run; name another folder"
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        copy = Path(folder) / "copy"
        for path in _found(root, patterns):
            target = copy / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            _copy(path, target)
        if place.exists():
            place.rename(Path(folder) / "before")
        copy.rename(place)
    return sorted(path for path in place.rglob("*") if path.is_file())


def keep_part(root: str | Path, place: str | Path, part: str = "models") -> list[Path]:
    """Add the models that an unfinished run has measured to those that a record has.

    Args:
        root: A folder of results.
        place: Gets the copies; what it has of other models stays.
        part: Of ``PARTS``.

    Returns:
        The copies.

    Raises:
        ValueError: ``root`` has no metrics, or ``place`` is the record of a whole run.
    """
    root, place = Path(root), Path(place)
    if not any(root.glob("evaluation/**/metrics.json")):
        raise ValueError(f"{root} has no metrics of any model; let the workflow make some first")
    if (place / _MARK).exists():
        raise ValueError(f"{place} is the record of a whole run, which a part would spoil")
    copies = []
    for path in _found(root, PARTS[part]):
        copies.append(place / path.relative_to(root))
        with write_atomically(copies[-1]) as temporary:
            shutil.copyfile(path, temporary)
    return copies


def _found(root: Path, patterns: Sequence[str]) -> list[Path]:
    return sorted({path for pattern in patterns for path in root.glob(pattern)})


def _copy(path: Path, target: Path) -> None:
    if path.suffix == ".png":
        _shrink(path, target)
    elif path.name == FILE:
        document = read_json(path)
        target.write_text(json.dumps(document, separators=(",", ":")), encoding="utf-8")
    elif path.suffix == ".md":  # its links lead to the form of the pictures that is kept
        target.write_text(path.read_text("utf-8").replace(".svg", ".png"), encoding="utf-8")
    else:
        shutil.copyfile(path, target)


def _shrink(path: Path, target: Path) -> None:
    """A picture in few colours and no wider than a page shows it."""
    with Image.open(path) as picture:
        picture = picture.convert("RGB")
        picture.thumbnail((_WIDTH, 2 * _WIDTH))
        picture.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
            target, optimize=True
        )
