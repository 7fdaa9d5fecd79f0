"""The part of a run that is small enough to keep under version control."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from gicnn.files import write_atomically
from gicnn.provenance import file_digest
from gicnn.record.audit import audit
from gicnn.record.documents import read_json
from gicnn.record.job_records import read_records, recorded_entries
from gicnn.record.manifest import FILE
from gicnn.record.run_files import files_of_a_run, matching

__all__ = ["NUMBERS", "PARTS", "PATTERNS", "keep", "keep_part"]

# By this file a whole run is known, and the record of one.
_MARK = "claims.json"

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


def keep_part(root: str | Path, place: str | Path, part: str = "models") -> list[Path]:
    """Add the models that an unfinished run has measured to those that a record has.

    With the part "courses" also how far its trainings got, those that are under way included.

    Args:
        root: A folder of results.
        place: Gets the copies; what it has of other models stays.
        part: Of ``PARTS``.

    Returns:
        The copies.

    Raises:
        ValueError: ``root`` has no metrics or a file that was altered since, or ``place`` is the
            record of a whole run.
    """
    root, place = Path(root), Path(place)
    found = _found(root, PARTS[part])
    under_way = part == "courses" and any((root / "checkpoints").rglob("*.safetensors"))
    if not under_way and not any(path.name == "metrics.json" for path in found):
        raise ValueError(f"{root} has no metrics of any model; let the workflow make some first")
    if (place / _MARK).exists():
        raise ValueError(f"{place} is the record of a whole run, which a part would spoil")
    copies = []
    _check_unaltered(root, found)
    for path in found:
        copies.append(place / path.relative_to(root))
        with write_atomically(copies[-1]) as temporary:
            shutil.copyfile(path, temporary)
    if under_way:
        from gicnn.record.courses import keep_courses  # no other part needs torch

        copies += keep_courses(root, place)
    return copies


def _check_whole(root: Path) -> None:
    if not (root / _MARK).is_file():
        raise ValueError(f"{root} has no {_MARK}; name the results of a finished run")
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
    if place.is_file():
        raise ValueError(f"{place} is a file; name a folder")
    if not place.exists() or not any(place.iterdir()):
        return
    if not all((place / name).is_file() for name in (_MARK, FILE)):
        raise ValueError(
            f"{place} holds something that is no record of a run, or of parts of one only; "
            "delete it, or name another folder"
        )
    if (place / "logs").exists():
        raise ValueError(f"{place} is a whole run, not the record of one; name another folder")
    if strange := sorted({*files_of_a_run(place)} - {*matching(place, PATTERNS)}):
        raise ValueError(f"{place} holds {strange[0]}, which is no part of a record; move it away")


def _check_unaltered(root: Path, paths: Sequence[Path]) -> None:
    """Hold files against the records of the jobs that made them."""
    made = recorded_entries(read_records(root))
    for path in paths:
        entry = made.get(path.relative_to(root).as_posix())
        if entry and file_digest(path) != entry["sha256"]:
            raise ValueError(f"{path} is not as {entry['job']} left it; delete it and run again")


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
        picture.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
            target, optimize=True
        )
