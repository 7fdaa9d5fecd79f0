"""The part of a run that is small enough to keep under version control."""

import shutil
import tempfile
from pathlib import Path

__all__ = ["PATTERNS", "keep"]

# Of several forms of a picture the one that a page shows; of tables those behind pictures.
PATTERNS = (
    "claims.json",
    "claims.md",
    "manifest.json",
    "ablations.csv",
    "data/*/card.json",
    "evaluation/**/*.json",
    "figures/*.parquet",
    "figures/*.png",
    "levelsets/**/paths.json",
    "levelsets/**/samples.*",
    "levelsets/**/summary.json",
    "models/**/run.json",
)


def keep(root: str | Path, place: str | Path) -> list[Path]:
    """Copy claims, manifest, metrics, certificates, summaries, tables and pictures.

    Paths below ``place`` are those below ``root``, so that a record can be compared with a run.

    Args:
        root: A folder of results.
        place: Becomes the copy, whole or not at all; what was there before goes.

    Returns:
        The copies.

    Raises:
        ValueError: There are no claims in ``root``, or ``place`` is neither free nor a record.
    """
    root, place = Path(root), Path(place)
    if not (root / "claims.json").is_file():
        raise ValueError(f"{root} has no claims.json; name the results of a finished run")
    if place.exists() and any(place.iterdir()) and not (place / "claims.json").is_file():
        raise ValueError(
            f"{place} holds something that is no record of a run; name another folder"
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        copy = Path(folder) / "copy"
        for pattern in PATTERNS:
            for path in sorted(root.glob(pattern)):
                target = copy / path.relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        if place.exists():
            shutil.rmtree(place)
        copy.rename(place)
    return sorted(path for path in place.rglob("*") if path.is_file())
