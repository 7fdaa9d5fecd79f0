"""Which epochs of a training to show, where there is no room for all."""

import pandas as pd

__all__ = ["at_round_epochs"]


def at_round_epochs(history: pd.DataFrame) -> pd.DataFrame:
    """Keep epochs 1, 2, 5, 10, 20, 50, ... and the last, of each model where there is that column.

    Example:
        >>> table = pd.DataFrame({"epoch": range(1, 8)})
        >>> at_round_epochs(table)["epoch"].tolist()
        [1, 2, 5, 7]
    """
    epoch = history["epoch"]
    groups = epoch.groupby(history["model"]) if "model" in history else None
    last = epoch.max() if groups is None else groups.transform("max")
    leading = epoch.astype(int).astype(str).str.fullmatch("[125]0*")
    return history[leading | (epoch == last)].reset_index(drop=True)
