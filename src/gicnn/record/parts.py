"""Of a run that is not finished the models that it has measured, added to a record."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from gicnn.files import write_atomically
from gicnn.provenance import file_digest
from gicnn.record.job_records import read_records, recorded_entries
from gicnn.record.keep import MARK
from gicnn.record.run_files import matching

__all__ = ["PARTS", "keep_part"]

# Of a run that has measured some models and gone no further: what it measured, what it trained
# with, and the jobs' records in the place of a manifest; and how the trainings went on.
_MODELS = (
    "evaluation/**/*.json",
    "levelsets/**/paths.json",
    "levelsets/**/samples.json",
    "levelsets/**/summary.json",
    "models/**/run.json",
    "logs/**/*.json",
)
PARTS = {"models": _MODELS, "courses": (*_MODELS, "models/**/history.parquet")}


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
    found = [root / name for name in matching(root, PARTS[part])]
    under_way = part == "courses" and any((root / "checkpoints").rglob("*.safetensors"))
    if not under_way and not any(path.name == "metrics.json" for path in found):
        raise ValueError(f"{root} has no metrics of any model; let the workflow make some first")
    if (place / MARK).exists():
        raise ValueError(f"{place} is a whole run or the record of one, which a part would spoil")
    if any((place / name).exists() for name in ("benchmarks", "checkpoints", "data")):
        raise ValueError(
            f"{place} is a run of its own, not the record of one; name another folder"
        )
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


def _check_unaltered(root: Path, paths: Sequence[Path]) -> None:
    """Hold files against the records of the jobs that made them."""
    made = recorded_entries(read_records(root))
    for path in paths:
        entry = made.get(path.relative_to(root).as_posix())
        if entry and file_digest(path) != entry["sha256"]:
            raise ValueError(f"{path} is not as {entry['job']} left it; delete it and run again")
        if not entry and path.is_relative_to(root / "evaluation"):
            raise ValueError(f"no job has left a record of {path}; delete it and run again")
