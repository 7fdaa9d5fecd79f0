"""The part of a run that is small enough to keep under version control."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from gicnn.record.manifest import FILE

__all__ = ["NUMBERS", "PART", "PATTERNS", "keep"]

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
# Of a run that has made its table of models and nothing beyond: that table, what it rests on, and
# the jobs' records in the place of a manifest.
PART = ("ablations.csv", "evaluation/**/metrics.json", "models/**/run.json", "logs/**/*.json")


def keep(
    root: str | Path,
    place: str | Path,
    patterns: Sequence[str] = PATTERNS,
    mark: str = "claims.json",
) -> list[Path]:
    """Copy claims, manifest, metrics, certificates, summaries, tables and pictures.

    Paths below ``place`` are those below ``root``, so that a record can be compared with a run.

    Args:
        root: A folder of results.
        place: Becomes the copy, whole or not at all; what was there before goes.
        patterns: Of the files to copy.
        mark: The file by which a run that can be kept, and a record that can go, are known.

    Returns:
        The copies.

    Raises:
        ValueError: The mark is not in ``root``, or ``place`` is neither free nor has it.
    """
    root, place = Path(root), Path(place)
    if not (root / mark).is_file():
        raise ValueError(f"{root} has no {mark}; name the results of a finished run")
    if place.exists() and any(place.iterdir()) and not (place / mark).is_file():
        raise ValueError(
            f"{place} holds something that is no record of a run; name another folder"
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        copy = Path(folder) / "copy"
        for pattern in patterns:
            for path in sorted(root.glob(pattern)):
                target = copy / path.relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                _copy(path, target)
        if place.exists():
            place.rename(Path(folder) / "before")
        copy.rename(place)
    return sorted(path for path in place.rglob("*") if path.is_file())


def _copy(path: Path, target: Path) -> None:
    if path.suffix == ".png":
        _shrink(path, target)
    elif path.name == FILE:
        document = json.loads(path.read_text("utf-8"))
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
