"""Molecules of QM9 as graphs with one of their properties (section 5.3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import torch

from gicnn.data.dataset import Dataset
from gicnn.data.encoding import encode_all
from gicnn.data.graphs import GraphCode
from gicnn.data.properties import PROPERTIES
from gicnn.data.qm9 import geometries, read_qm9
from gicnn.data.splits import UNUSED, draw_splits
from gicnn.tables import save_table
from gicnn.types import SPLITS

__all__ = ["build_qm9", "save_molecules", "selection"]

_COLUMNS = {
    "qm9_index": pa.int64(),
    **dict.fromkeys(("smiles", "inchi", "split", "reason"), pa.string()),
    "y": pa.float64(),
    "elements": pa.list_(pa.string()),
    "coordinates": pa.list_(pa.float64()),
}


def build_qm9(
    wheel: str | Path,
    stoichiometry: Mapping[str, int | None] | None,
    elements: Sequence[str],
    max_atoms: int,
    ordering: str,
    property: str,
    train: int,
    validation: int,
    test: int,
    seed: int,
    workers: int = 1,
) -> tuple[Dataset, pd.DataFrame]:
    """Select molecules, write them as graphs, and split them.

    Args:
        wheel: The package ``qm9pack``, not unpacked.
        stoichiometry: How many atoms of each element a molecule must have; elements left out,
            or with None, may have any number. None selects every molecule.
        elements: The elements that the graphs have a place for.
        max_atoms: How many atoms the graphs have a place for, hydrogens not counted.
        ordering: How atoms are ordered, ``inchi`` or ``rdkit``.
        property: A name in ``gicnn.data.properties.PROPERTIES``.
        train: How many molecules are for training.
        validation: How many are for validation.
        test: How many are for the test.
        seed: Fixes the splits.
        workers: Processes that share the work; it changes no result.

    Returns:
        The dataset: x of shape (n, size of a graph) with zeros and ones, y of shape (n,) the
        property in its unit, the index in QM9. And the table of all selected molecules, with
        the columns ``qm9_index``, ``smiles`` (canonical, without stereochemistry; as QM9 has it
        where there is no graph), ``inchi``, ``y``, ``split`` (empty if in none), ``reason`` (why
        in none, else empty), ``elements`` and ``coordinates``.

    Raises:
        ValueError: No molecule is selected, the splits ask for more than there are, or a name
            is unknown.
    """
    table = read_qm9(wheel, stoichiometry, property)
    graphs, table["smiles"], reasons = encode_all(
        GraphCode(elements, max_atoms, ordering), table["smiles"], workers
    )
    table["reason"] = _without_repeats(table, reasons)
    fit = (table["reason"] == "").to_numpy()
    split = np.full(len(table), UNUSED, dtype=np.uint8)
    sizes = {"train": train, "validation": validation, "test": test}
    split[fit] = draw_splits(int(fit.sum()), sizes, seed)

    table["split"] = [SPLITS[number] if number != UNUSED else "" for number in split]
    table.loc[fit & (split == UNUSED), "reason"] = "not drawn for any split"
    drawn = split != UNUSED
    unit = PROPERTIES[property].unit
    return _dataset(graphs[drawn], table[drawn], split[drawn], unit), geometries(table)


def _without_repeats(table: pd.DataFrame, reasons: Sequence[str]) -> np.ndarray:
    """Leave out molecules that QM9 has twice: one might be learnt and the other be tested."""
    fit = np.array(reasons) == ""
    again = np.zeros(len(table), dtype=bool)
    again[fit] = table["smiles"][fit].duplicated()
    return np.where(again, "has the same graph as an earlier one", reasons)


def selection(table: pd.DataFrame) -> dict[str, Any]:
    """How many molecules the stoichiometry selects, and how many are in no split, by reason.

    Args:
        table: As ``build_qm9`` gives it.

    Example:
        >>> selection(pd.DataFrame({"reason": ["", "charged", "", "charged"]}))
        {'selected': 4, 'left_out': {'count': 2, 'reasons': {'charged': 2}}}
    """
    reasons = Counter(filter(None, table["reason"]))
    left_out = {"count": reasons.total(), "reasons": dict(sorted(reasons.items()))}
    return {"selected": len(table), "left_out": left_out}


def save_molecules(table: pd.DataFrame, path: str | Path) -> None:
    """Write the table of molecules as parquet; the same table always gives the same bytes."""
    kinds = {name: pd.ArrowDtype(kind) for name, kind in _COLUMNS.items()}
    save_table(path, table[list(kinds)].astype(kinds))


def _dataset(graphs: np.ndarray, table: pd.DataFrame, split: np.ndarray, unit: str) -> Dataset:
    return Dataset(
        x=torch.from_numpy(graphs.astype(np.float32)),
        y=torch.tensor(table["y"].to_numpy(), dtype=torch.float32),
        split=torch.from_numpy(split),
        index=torch.tensor(table["qm9_index"].to_numpy(), dtype=torch.int64),
        units={"x": "1", "y": unit},
    )
