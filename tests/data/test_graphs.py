"""Graphs say what the molecule is, whatever its numbering, and can be read back."""

import random

import numpy as np
import pytest
from rdkit import Chem

from gicnn.data.chemistry import UnfitMoleculeError, canonical_smiles, parse_smiles
from gicnn.data.graphs import GraphCode

ACID = "OC(=O)CC#C"  # InChI alone does not tell which oxygen comes first
MOLECULES = [
    "C",
    "C#CCOC1=CC=CO1",
    "OC1=CC=CC=CC1=O",  # a mobile hydrogen
    "O=C1CC2CC(O2)C1",
    "CC1=CC=C(O)C(O)=C1",
    "C1CC12CC23OC3",
    "N#CC(F)(F)F",
    "NC(=O)C1CC1",
    ACID,
    "CC(=O)OC1CC=C1",
    "c1ccc2c(c1)OC2",
    "O=CC1C2CC1OC2",
]


@pytest.fixture(scope="module")
def code():
    return GraphCode(["C", "N", "O", "F"], max_atoms=9, ordering="inchi")


def parts(graph):
    return graph[:45].reshape(9, 5), graph[45:].reshape(36, 4)


def test_sizes_follow_from_the_choices(code):
    assert code.size == 189
    assert code.groups == [5] * 9 + [4] * 36
    assert GraphCode(["C"], max_atoms=2, ordering="rdkit").size == 2 * 2 + 4


@pytest.mark.parametrize("smiles", MOLECULES)
def test_every_one_hot_vector_has_one_one(code, smiles):
    atoms, bonds = parts(code.encode(parse_smiles(smiles)))

    assert (atoms.sum(1) == 1).all()
    assert (bonds.sum(1) == 1).all()
    assert atoms[:, :4].sum() == parse_smiles(smiles).GetNumAtoms()


@pytest.mark.parametrize("smiles", [smiles for smiles in MOLECULES if smiles != ACID])
def test_codes_equal_an_independent_encoding(code, independent_code, smiles):
    assert (code.encode(parse_smiles(smiles)) == independent_code(smiles)).all()


@pytest.mark.parametrize("ordering", ["inchi", "rdkit"])
@pytest.mark.parametrize("smiles", MOLECULES)
def test_numbering_does_not_matter(smiles, ordering):
    code = GraphCode(["C", "N", "O", "F"], max_atoms=9, ordering=ordering)
    molecule = parse_smiles(smiles)
    expected = code.encode(molecule)
    for _ in range(10):
        order = random.sample(range(molecule.GetNumAtoms()), molecule.GetNumAtoms())
        renumbered = Chem.RenumberAtoms(molecule, order)
        rewritten = parse_smiles(Chem.MolToSmiles(renumbered, canonical=False))

        assert (code.encode(renumbered) == expected).all()
        assert (code.encode(rewritten) == expected).all()


def test_numbering_does_matter_without_a_canonical_order(code, monkeypatch):
    """The control: the test above sees an order that depends on the numbering."""
    monkeypatch.setattr(code, "_canonical", lambda smiles: parse_smiles(next(written)))
    written = iter(["CCO", "OCC"])
    molecule = parse_smiles("CCO")

    assert (code.encode(molecule) != code.encode(molecule)).any()


@pytest.mark.parametrize("smiles", MOLECULES)
def test_decoding_gives_the_molecule_back(code, smiles):
    molecule = parse_smiles(smiles)

    decoded = code.decode(code.encode(molecule))

    assert canonical_smiles(decoded) == canonical_smiles(molecule)


def test_two_molecules_have_two_codes(code):
    codes = {code.encode(parse_smiles(smiles)).tobytes() for smiles in MOLECULES}

    assert len(codes) == len(MOLECULES)


@pytest.mark.parametrize(
    ("smiles", "reason"),
    [
        ("CCCCCCCCCC", "10 atoms, not 1 to 9"),
        ("", "0 atoms"),
        ("CS", "element S"),
        ("[H][H]", "element H"),
        ("C*", r"element \*"),
        ("C.C", "fragments"),
        ("C[NH3+]", "charged"),
        ("[CH3]", "not told by its graph"),
        ("C->O", "bond of kind DATIVE"),
        ("C$C", "bond of kind QUADRUPLE"),
    ],
)
def test_molecules_without_a_graph_say_why(code, smiles, reason):
    with pytest.raises(UnfitMoleculeError, match=reason):
        code.encode(parse_smiles(smiles))


def hard(code, atoms, bonds):
    """A code with the given elements in the first places and bonds between places."""
    choices = [*atoms, *[4] * (9 - len(atoms)), *[0] * 36]
    for pair, bond in bonds.items():
        choices[9 + code.pairs.index(pair)] = bond
    return code.one_hot([choices])[0]


@pytest.mark.parametrize(
    ("atoms", "bonds"),
    [
        ([], {}),  # no atom
        ([0], {(0, 1): 1}),  # a bond to a blank
        ([0, 0], {}),  # two fragments
        ([0, 2, 2], {(0, 1): 3, (0, 2): 2}),  # too many bonds
        ([0, 1, 2, 2], {(0, 1): 1, (1, 2): 2, (1, 3): 2}),  # on nitrogen, in a nitro group
        ([0, 1, 1], {(0, 1): 2, (1, 2): 3}),  # and in a diazo group
    ],
)
def test_codes_that_are_no_molecule_decode_to_none(code, atoms, bonds, capfd):
    assert code.decode(hard(code, atoms, bonds)) is None
    assert code.decode_smiles([hard(code, atoms, bonds)]) == [""]
    assert capfd.readouterr().err == ""


def test_blank_places_may_stand_anywhere(code):
    assert code.decode_smiles([hard(code, [4, 0, 4, 2], {(1, 3): 2})]) == ["C=O"]


def test_soft_codes_count_by_their_largest_entries(code):
    graph = code.encode(parse_smiles("CC=O"))

    assert code.decode_smiles([0.4 * graph + 0.1]) == ["CC=O"]


def test_wrong_lengths_and_orderings_are_refused(code):
    with pytest.raises(ValueError, match=r"\(189,\), this one \(188,\)"):
        code.decode(np.zeros(188))
    with pytest.raises(ValueError, match="'random'; there are inchi, rdkit"):
        GraphCode(["C"], max_atoms=2, ordering="random")
