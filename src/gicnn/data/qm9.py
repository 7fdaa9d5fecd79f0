"""Reading the QM9 table straight from the wheel that carries it."""

import json
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

__all__ = ["HARTREE", "read_qm9"]

HARTREE = 627.509
"""One Hartree in kcal/mol."""

_PARTS = "*/data/qm9_part*.csv"
_COUNTED = ("H", "C", "N", "O", "F")
_COLUMNS = {
    "Index": "qm9_index",
    "SMILES": "smiles",
    "InChi": "inchi",
    "Stoichiometry": "stoichiometry",
    "Elements": "elements",
    "XYZ_Ang": "coordinates",
    "HOMO_LUMO_gap_au": "gap",
}


def read_qm9(wheel: str | Path, stoichiometry: Mapping[str, int]) -> pd.DataFrame:
    """The molecules of QM9 with the given numbers of atoms, by their index in QM9.

    Args:
        wheel: The package ``qm9pack``, not unpacked.
        stoichiometry: How many atoms of each element; elements left out may have any number.

    Returns:
        Columns ``qm9_index``, ``smiles`` and ``inchi`` as QM9 has them, ``gap`` in kcal/mol,
        ``elements`` (symbols) and ``coordinates`` (x, y, z of each atom in angstrom, one list).

    Raises:
        ValueError: The wheel holds no table, QM9 does not count an element, or no molecule
            has these numbers of atoms.
    """
    pattern = _pattern(stoichiometry)
    with ZipFile(wheel) as archive:
        names = sorted(name for name in archive.namelist() if fnmatch(name, _PARTS))
        parts = [_read_part(archive, name, pattern) for name in names]
    if not sum(part.num_rows for part in parts):
        raise ValueError(
            f"{wheel} has no molecule with {dict(stoichiometry)} ({len(parts)} tables)"
        )
    table = pa.concat_tables(parts).rename_columns(list(_COLUMNS.values())).sort_by("qm9_index")
    frame = table.drop_columns(["stoichiometry"]).to_pandas()
    frame["elements"] = [json.loads(text.replace("'", '"')) for text in frame["elements"]]
    frame["coordinates"] = [_flat(text) for text in frame["coordinates"]]
    frame["gap"] *= HARTREE
    return frame


def _read_part(archive: ZipFile, name: str, pattern: str) -> pa.Table:
    with archive.open(name) as stream:
        options = csv.ConvertOptions(include_columns=list(_COLUMNS))
        table = csv.read_csv(stream, convert_options=options)
    return table.filter(pc.match_substring_regex(table["Stoichiometry"], pattern))


def _flat(positions: str) -> list[float]:
    return [coordinate for position in json.loads(positions) for coordinate in position]


def _pattern(stoichiometry: Mapping[str, int]) -> str:
    unknown = stoichiometry.keys() - set(_COUNTED)
    if unknown:
        raise ValueError(f"QM9 counts {', '.join(_COUNTED)}, not {', '.join(sorted(unknown))}")
    counts = [str(stoichiometry.get(element, r"\d+")) for element in _COUNTED]
    return rf"^\[{','.join(counts)}\]$"
