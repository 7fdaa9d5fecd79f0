"""Reading the QM9 table straight from the wheel that carries it."""

import json
from collections.abc import Collection, Mapping
from fnmatch import fnmatch
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from gicnn.data.properties import PROPERTIES

__all__ = ["find_geometries", "geometries", "read_qm9"]

_PARTS = "*/data/qm9_part*.csv"
_COUNTED = ("H", "C", "N", "O", "F")
_BRACKETS = str.maketrans("", "", "[]")
_COLUMNS = {
    "Index": "qm9_index",
    "SMILES": "smiles",
    "InChi": "inchi",
    "Stoichiometry": "stoichiometry",
    "Elements": "elements",
    "XYZ_Ang": "coordinates",
}


def read_qm9(
    wheel: str | Path, stoichiometry: Mapping[str, int | None] | None, property: str
) -> pd.DataFrame:
    """The molecules of QM9 with the given numbers of atoms, by their index in QM9.

    Args:
        wheel: The package ``qm9pack``, not unpacked.
        stoichiometry: How many atoms of each element; elements left out, or with None, may have
            any number. None selects every molecule.
        property: A name in ``PROPERTIES``.

    Returns:
        Columns ``qm9_index``, ``smiles`` and ``inchi`` as QM9 has them, ``y`` the property in
        its unit, ``elements`` and ``coordinates`` as text, which ``geometries`` reads.

    Raises:
        ValueError: The wheel holds no table, QM9 does not count an element, it has no such
            property, or no molecule has these numbers of atoms.
    """
    if property not in PROPERTIES:
        raise ValueError(f"QM9 has no property {property!r}; there are {', '.join(PROPERTIES)}")
    wanted, pattern = PROPERTIES[property], _pattern(stoichiometry or {})
    columns = {**_COLUMNS, wanted.column: "y"}
    with ZipFile(wheel) as archive:
        names = sorted(name for name in archive.namelist() if fnmatch(name, _PARTS))
        parts = [_read_part(archive, name, list(columns), pattern) for name in names]
    if not sum(part.num_rows for part in parts):
        atoms = "any atoms" if stoichiometry is None else dict(stoichiometry)
        raise ValueError(f"{wheel} has no molecule with {atoms} ({len(parts)} tables)")
    table = pa.concat_tables(parts).rename_columns(list(columns.values())).sort_by("qm9_index")
    frame = table.drop_columns(["stoichiometry"]).to_pandas()
    frame["y"] *= wanted.factor
    return frame


def geometries(table: pd.DataFrame) -> pd.DataFrame:
    """Read the geometries of a table of ``read_qm9``.

    Returns:
        The same rows with ``elements`` (symbols) and ``coordinates`` (x, y, z of each atom in
        angstrom, one list).
    """
    elements = [json.loads(text.replace("'", '"')) for text in table["elements"]]
    return table.assign(elements=elements, coordinates=[_flat(t) for t in table["coordinates"]])


def find_geometries(wheel: str | Path, indices: Collection[int]) -> pd.DataFrame:
    """Read the geometries of some molecules, whatever their stoichiometry.

    Args:
        wheel: The package ``qm9pack``, not unpacked.
        indices: Their indices in QM9.

    Returns:
        Columns ``qm9_index``, ``elements`` and ``coordinates``, as ``geometries``; ordered by
        index, and without those that QM9 does not have.

    Raises:
        ValueError: The wheel holds no table.
    """
    table = read_qm9(wheel, None, "gap")
    wanted = table[table["qm9_index"].isin(list(indices))].reset_index(drop=True)
    return geometries(wanted)[["qm9_index", "elements", "coordinates"]]


def _read_part(archive: ZipFile, name: str, columns: list[str], pattern: str) -> pa.Table:
    with archive.open(name) as stream:
        options = csv.ConvertOptions(include_columns=columns)
        table = csv.read_csv(stream, convert_options=options)
    return table.filter(pc.match_substring_regex(table["Stoichiometry"], pattern))


def _flat(positions: str) -> list[float]:
    # Not JSON: a few molecules have numbers such as "0.".
    return [float(number) for number in positions.translate(_BRACKETS).split(",")]


def _pattern(stoichiometry: Mapping[str, int | None]) -> str:
    unknown = stoichiometry.keys() - set(_COUNTED)
    if unknown:
        raise ValueError(f"QM9 counts {', '.join(_COUNTED)}, not {', '.join(sorted(unknown))}")
    counts = [stoichiometry.get(element) for element in _COUNTED]
    numbers = [r"\d+" if count is None else str(count) for count in counts]
    return rf"^\[{','.join(numbers)}\]$"
