"""Names and orders of molecules."""

import pytest

from gicnn.data.chemistry import (
    ORDERINGS,
    UnfitMoleculeError,
    canonical_smiles,
    inchi_order,
    parse_smiles,
)


@pytest.mark.parametrize(
    ("smiles", "reason"),
    [
        ("C(", "not a SMILES"),
        ("xyz", "not a SMILES"),
        ("C(C)(C)(C)(C)C", "valence"),
        ("c1ccc1c", "kekulize|aromatic"),
    ],
)
def test_a_smiles_that_does_not_parse_says_why(smiles, reason, capfd):
    with pytest.raises(UnfitMoleculeError, match=f"(?i){reason}"):
        parse_smiles(smiles)

    assert capfd.readouterr().err == ""


def test_canonical_smiles_ignores_the_way_it_was_written_and_stereochemistry():
    written = ["OC(C)CC", "CC[C@H](C)O", "CC[C@@H](O)C"]

    assert len({canonical_smiles(parse_smiles(smiles)) for smiles in written}) == 1


@pytest.mark.parametrize("ordering", ORDERINGS)
def test_an_order_names_each_atom_once(ordering):
    molecule = parse_smiles("OC1=CC=CC=CC1=O")

    assert sorted(ORDERINGS[ordering](molecule)) == list(range(9))


def test_inchi_puts_carbon_before_oxygen():
    molecule = parse_smiles("OCC=O")

    symbols = [molecule.GetAtomWithIdx(atom).GetSymbol() for atom in inchi_order(molecule)]

    assert symbols == ["C", "C", "O", "O"]
