"""Molecules of QM9 as graphs with their band gaps (section 5.3)."""

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import torch
from jaxtyping import UInt8

from gicnn.data.chemistry import UnfitMoleculeError, canonical_smiles, parse_smiles
from gicnn.data.dataset import Dataset
from gicnn.data.graphs import GraphCode
from gicnn.data.qm9 import read_qm9
from gicnn.data.splits import UNUSED, draw_splits
from gicnn.tables import save_table
from gicnn.types import SPLITS

__all__ = ["build_qm9", "encode_all", "save_molecules", "selection"]

_log = logging.getLogger(__name__)
_COLUMNS = {
    "qm9_index": pa.int64(),
    **dict.fromkeys(("smiles", "inchi", "split", "reason"), pa.string()),
    "gap": pa.float64(),
    "elements": pa.list_(pa.string()),
    "coordinates": pa.list_(pa.float64()),
}


def build_qm9(
    wheel: str | Path,
    stoichiometry: Mapping[str, int],
    elements: Sequence[str],
    max_atoms: int,
    ordering: str,
    train: int,
    validation: int,
    test: int,
    seed: int,
) -> tuple[Dataset, pd.DataFrame]:
    """Select molecules, write them as graphs, and split them.

    Args:
        wheel: The package ``qm9pack``, not unpacked.
        stoichiometry: How many atoms of each element a molecule must have.
        elements: The elements that the graphs have a place for.
        max_atoms: How many atoms the graphs have a place for, hydrogens not counted.
        ordering: How atoms are ordered, ``inchi`` or ``rdkit``.
        train: How many molecules are for training.
        validation: How many are for validation.
        test: How many are for the test.
        seed: Fixes the splits.

    Returns:
        The dataset: x of shape (n, size of a graph) with zeros and ones, y of shape (n,) the
        band gap in kcal/mol, the index in QM9. And the table of all selected molecules, with
        the columns ``qm9_index``, ``smiles`` (canonical, without stereochemistry), ``inchi``,
        ``gap``, ``split`` (empty if in none), ``reason`` (why in none, else empty),
        ``elements`` and ``coordinates``.

    Raises:
        ValueError: No molecule is selected, or the splits ask for more than there are.
    """
    table = read_qm9(wheel, stoichiometry)
    code = GraphCode(elements, max_atoms, ordering)
    graphs, smiles, reasons = encode_all(code, table["smiles"])
    fit = np.array([reason == "" for reason in reasons])
    split = np.full(len(table), UNUSED, dtype=np.uint8)
    sizes = {"train": train, "validation": validation, "test": test}
    split[fit] = draw_splits(int(fit.sum()), sizes, seed)

    table["smiles"] = smiles
    table["split"] = [SPLITS[number] if number != UNUSED else "" for number in split]
    table["reason"] = np.where(fit & (split == UNUSED), "not drawn for any split", reasons)
    return _dataset(graphs[split != UNUSED], table[split != UNUSED], split[split != UNUSED]), table


def encode_all(
    code: GraphCode, smiles: Collection[str]
) -> tuple[UInt8[np.ndarray, "n size"], list[str], list[str]]:
    """Write each SMILES as a graph.

    Returns:
        The graphs, zero where there is none; the canonical SMILES, or the given one where
        there is none; and why a molecule has no graph, empty where it has one.

    Example:
        >>> code = GraphCode(["C"], max_atoms=2, ordering="rdkit")
        >>> encode_all(code, ["C(C)", "CO"])[1:]
        (['CC', 'CO'], ['', 'has the element O'])
    """
    graphs = np.zeros((len(smiles), code.size), dtype=np.uint8)
    known, reasons = list(smiles), [""] * len(smiles)
    for row, text in enumerate(smiles):
        try:
            molecule = parse_smiles(text)
            known[row] = canonical_smiles(molecule)
            graphs[row] = code.encode(molecule)
        except UnfitMoleculeError as error:
            reasons[row] = str(error)
    for reason, count in sorted(Counter(filter(None, reasons)).items()):
        _log.warning("left out %d of %d molecules: %s", count, len(smiles), reason)
    return graphs, known, reasons


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


def _dataset(graphs: np.ndarray, table: pd.DataFrame, split: np.ndarray) -> Dataset:
    return Dataset(
        x=torch.from_numpy(graphs.astype(np.float32)),
        y=torch.tensor(table["gap"].to_numpy(), dtype=torch.float32),
        split=torch.from_numpy(split),
        index=torch.tensor(table["qm9_index"].to_numpy(), dtype=torch.int64),
        units={"x": "1", "y": "kcal/mol"},
    )
