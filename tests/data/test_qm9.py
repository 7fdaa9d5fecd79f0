"""The table is read from the wheel, and molecules are selected by their atoms."""

from zipfile import ZipFile

import pytest

from gicnn.data.qm9 import HARTREE, read_qm9


def test_molecules_are_selected_by_their_atoms_and_sorted(wheel):
    table = read_qm9(wheel, {"C": 2, "N": 0, "O": 1, "F": 0})

    assert table["qm9_index"].tolist() == [1, 2, 3, 4, 5, 7]


def test_elements_left_out_may_have_any_number(wheel):
    assert len(read_qm9(wheel, {})) == 8
    assert read_qm9(wheel, {"N": 1})["smiles"].tolist() == ["CCN"]


def test_columns_hold_what_they_say(wheel):
    row = read_qm9(wheel, {"C": 2, "O": 1}).iloc[0]

    assert row["smiles"] == "CC=O"
    assert row["inchi"] == "InChI=1"
    assert row["gap"] == pytest.approx(0.21 * HARTREE)
    assert list(row["elements"]) == ["C", "O"]
    assert list(row["coordinates"]) == [0.1, 0.2, 0.3, 1, 0, 1e-3]


def test_an_element_that_qm9_does_not_count_is_refused(wheel):
    with pytest.raises(ValueError, match="QM9 counts H, C, N, O, F, not S"):
        read_qm9(wheel, {"S": 1})


def test_selecting_nothing_is_refused(wheel, tmp_path):
    with pytest.raises(ValueError, match="no molecule with"):
        read_qm9(wheel, {"C": 99})
    with ZipFile(tmp_path / "empty.whl", "w"):
        pass
    with pytest.raises(ValueError, match="0 tables"):
        read_qm9(tmp_path / "empty.whl", {})
