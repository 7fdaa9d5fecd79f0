"""How far trainings got that were stopped, from their checkpoints."""

from pathlib import Path

import pandas as pd

from gicnn.files import write_atomically
from gicnn.tensors import load_tensors

__all__ = ["keep_courses"]


def keep_courses(root: str | Path, place: str | Path) -> list[Path]:
    """Write the epochs so far of each training that has not ended, as a finished one would.

    Args:
        root: A folder of results.
        place: Gets ``models/DATASET/MODEL/seed-N/history.parquet``.

    Returns:
        The files; none for a training without a whole epoch.

    Raises:
        ValueError: A checkpoint is damaged.
    """
    kept, folder = [], Path(root) / "checkpoints"
    for checkpoint in sorted(folder.rglob("*.safetensors")):
        _, progress = load_tensors(checkpoint)
        if progress.get("history"):
            name = checkpoint.relative_to(folder).with_suffix("")
            kept.append(Path(place) / "models" / name / "history.parquet")
            with write_atomically(kept[-1]) as temporary:
                pd.DataFrame(progress["history"]).to_parquet(temporary, index=False)
    return kept
