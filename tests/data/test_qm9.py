"""The table is read from the wheel, and molecules are selected by their atoms."""

from zipfile import ZipFile

import pytest

from gicnn.data.properties import HARTREE, PROPERTIES
from gicnn.data.qm9 import find_geometries, geometries, read_qm9


def test_molecules_are_selected_by_their_atoms_and_sorted(wheel):
    table = read_qm9(wheel, {"C": 2, "N": 0, "O": 1, "F": 0}, "gap")

    assert table["qm9_index"].tolist() == [1, 2, 3, 4, 5, 7]


def test_elements_left_out_may_have_any_number(wheel):
    assert len(read_qm9(wheel, {}, "gap")) == len(read_qm9(wheel, None, "gap")) == 8
    assert read_qm9(wheel, {"N": 1}, "gap")["smiles"].tolist() == ["CCN"]
    assert read_qm9(wheel, {"C": None, "N": 1}, "gap")["smiles"].tolist() == ["CCN"]


def test_columns_hold_what_they_say(wheel):
    row = geometries(read_qm9(wheel, {"C": 2, "O": 1}, "gap")).iloc[0]

    assert row["smiles"] == "CC=O"
    assert row["inchi"] == "InChI=1"
    assert row["y"] == pytest.approx(0.21 * HARTREE)
    assert list(row["elements"]) == ["C", "O"]
    assert list(row["coordinates"]) == [0.1, 0.2, 0.3, 1, 0, 1e-3]


def test_the_property_is_given_in_its_own_unit(wheel):
    row = read_qm9(wheel, None, "dipole_moment").iloc[0]

    assert row["y"] == pytest.approx(2.1)
    assert PROPERTIES["dipole_moment"].unit == "debye"


def test_a_property_that_qm9_does_not_have_is_refused(wheel):
    with pytest.raises(ValueError, match="no property 'melting_point'; there are gap, homo, "):
        read_qm9(wheel, None, "melting_point")


def test_an_element_that_qm9_does_not_count_is_refused(wheel):
    with pytest.raises(ValueError, match="QM9 counts H, C, N, O, F, not S"):
        read_qm9(wheel, {"S": 1}, "gap")


def test_selecting_nothing_is_refused(wheel, tmp_path):
    with pytest.raises(ValueError, match="no molecule with"):
        read_qm9(wheel, {"C": 99}, "gap")
    with ZipFile(tmp_path / "empty.whl", "w"):
        pass
    with pytest.raises(ValueError, match="0 tables"):
        read_qm9(tmp_path / "empty.whl", None, "gap")


def test_geometries_are_found_by_index_in_every_table_and_strangers_are_not(wheel):
    found = find_geometries(wheel, [6, 999, 1])

    assert found["qm9_index"].tolist() == [1, 6]
    assert found["coordinates"].iloc[1] == pytest.approx([0.1, 0.2, 0.3, 6.0, 0.0, 1e-3])
    assert found["elements"].iloc[0] == ["C", "O"]
