"""How far a training got, epoch by epoch."""

from pathlib import Path

import pandas as pd

from gicnn.epochs import at_round_epochs
from gicnn.record.headline import HEADLINE
from gicnn.record.markdown_table import lay_out

__all__ = ["read_history", "to_markdown"]

_PREFIX = "validation_"


def to_markdown(history: pd.DataFrame) -> str:
    """Lay out the headline numbers on the validation split at round epochs.

    Args:
        history: One row for each epoch, as training wrote it: ``epoch``, ``beta`` and
            ``validation_...``.

    Example:
        >>> print(to_markdown(pd.DataFrame({"epoch": [1], "validation_property_mae": [9.0]})))
        | epoch | error of the property |
        |---|---|
        | 1 | 9 |
    """
    known = {f"{_PREFIX}{key}": item for key, item in HEADLINE.items()}
    shown = {column: item for column, item in known.items() if column in history}
    beta = ["beta"] if "beta" in history else []
    head = ["epoch", *beta, *(item.name for item in shown.values())]
    rows = [
        [row["epoch"], *(row[name] for name in beta)]
        + [item.factor * row[column] for column, item in shown.items()]
        for row in at_round_epochs(history).to_dict("records")
    ]
    return lay_out(head, rows)


def read_history(root: str | Path, model: str) -> pd.DataFrame:
    """The training of a model, as DATASET/MODEL/seed-N, of a run or a record.

    Raises:
        ValueError: There is none.
    """
    path = Path(root) / "models" / model / "history.parquet"
    if not path.is_file():
        raise ValueError(f"{path} is missing; name a model as DATASET/MODEL/seed-N")
    return pd.read_parquet(path)
