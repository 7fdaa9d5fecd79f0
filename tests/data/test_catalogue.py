"""What a model comes up with is looked up by name among all molecules."""

import pytest

from gicnn.data.catalogue import list_molecules
from gicnn.data.properties import HARTREE


def test_every_molecule_that_has_a_name_is_listed_with_its_property(wheel):
    table = list_molecules(wheel, "gap").set_index("qm9_index")

    assert table.index.tolist() == [1, 2, 4, 5, 6, 7, 12]  # 3 cannot be read
    assert table.loc[4, "smiles"] == "C[OH+]C"
    assert table.loc[2, "y"] == pytest.approx(0.25 * HARTREE)


def test_of_two_with_one_name_the_first_is_kept(wheel, monkeypatch):
    monkeypatch.setattr("gicnn.data.catalogue.canonical_smiles", lambda molecule: "C")

    assert list_molecules(wheel, "gap")["qm9_index"].tolist() == [1]
