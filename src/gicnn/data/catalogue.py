"""All molecules of QM9 by name, to look up what a model comes up with."""

from pathlib import Path

import pandas as pd

from gicnn.data.chemistry import UnfitMoleculeError, canonical_smiles, parse_smiles
from gicnn.data.qm9 import read_qm9

__all__ = ["list_molecules"]


def list_molecules(wheel: str | Path, property: str) -> pd.DataFrame:
    """Name every molecule of QM9 by its canonical SMILES, without stereochemistry.

    A name tells atoms, bonds, hydrogens and charges, so a neutral graph meets no ion. Of
    molecules with the same name (QM9 has some aromatic ones twice) the first is kept.

    Args:
        wheel: The package ``qm9pack``, not unpacked.
        property: A name in ``gicnn.data.properties.PROPERTIES``.

    Returns:
        Columns ``smiles``, ``qm9_index`` and ``y``, the property in its unit; ordered by index.
    """
    table = read_qm9(wheel, None, property)
    table["smiles"] = [_name(smiles) for smiles in table["smiles"]]
    named = table[table["smiles"] != ""].drop_duplicates("smiles")
    return named[["smiles", "qm9_index", "y"]].reset_index(drop=True)


def _name(smiles: str) -> str:
    """The canonical SMILES, empty if it cannot be read."""
    try:
        return canonical_smiles(parse_smiles(smiles))
    except UnfitMoleculeError:
        return ""
