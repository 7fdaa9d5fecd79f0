"""The part of a run that is small enough to keep under version control."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from gicnn.record.audit import audit
from gicnn.record.documents import read_json
from gicnn.record.manifest import FILE
from gicnn.record.run_files import matching

__all__ = ["MARK", "NUMBERS", "PATTERNS", "keep"]

# By this file a whole run is known, and the record of one.
MARK = "claims.json"

_WIDTH = 1400
_COLOURS = 256
# What a comparison reads.
NUMBERS = (
    "claims.json",
    "manifest.json",
    "evaluation/**/certificate.json",
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
    "levelsets/**/summary.json",
    "models/**/run.json",
)


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
        ValueError: ``root`` is no finished run or has been altered since, or ``place`` is neither
            free nor a record of one.
    """
    root, place = Path(root), Path(place)
    _check_whole(root)
    _check_free(root, place)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        copy = Path(folder) / "copy"
        for path in _found(root, patterns):
            target = copy / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            _copy(path, target)
        before = Path(folder) / "before"
        if place.exists():
            place.rename(before)
        try:
            copy.rename(place)
        except BaseException:
            if before.exists():
                before.rename(place)
            raise
    return sorted(path for path in place.rglob("*") if path.is_file())


def _check_whole(root: Path) -> None:
    if not (root / MARK).is_file():
        raise ValueError(f"{root} has no {MARK}; name the results of a finished run")
    if findings := audit(root):
        first = f"{findings[0].kind}: {findings[0].path} ({findings[0].detail})"
        raise ValueError(
            f"{root} is not as its run left it; `make audit` lists {len(findings)} findings, the "
            f"first {first}; delete what is extra, and run again for the rest"
        )


def _check_free(root: Path, place: Path) -> None:
    """What is there will go: it must be nothing, or what was once kept."""
    ours, theirs = root.resolve(), place.resolve()
    if ours.is_relative_to(theirs):
        raise ValueError(f"{place} holds {root} itself; name another folder for the copy")
    if theirs.is_relative_to(ours) and not theirs.is_relative_to(ours / "reference"):
        raise ValueError(f"{place} lies in {root}, which it would spoil; name another folder")
    if place.is_file():
        raise ValueError(f"{place} is a file; name a folder")
    if not place.exists() or not any(place.iterdir()):
        return
    if not all((place / name).is_file() for name in (MARK, FILE)):
        raise ValueError(
            f"{place} holds something that is no record of a run, or of parts of one only; "
            "delete it, or name another folder"
        )
    if (place / "logs").exists():
        raise ValueError(f"{place} is a whole run, not the record of one; name another folder")
    there = {p.relative_to(place).as_posix() for p in place.rglob("*") if not p.is_dir()}
    if strange := sorted(there - {FILE, *matching(place, PATTERNS)}):
        raise ValueError(f"{place} holds {strange[0]}, which is no part of a record; move it away")


def _found(root: Path, patterns: Sequence[str]) -> list[Path]:
    """Files of a run, which may lie behind links, and its manifest."""
    found = {root / name for name in matching(root, patterns)}
    return sorted(found | {root / FILE} if FILE in patterns else found)


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
        picture.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
            target, optimize=True
        )
