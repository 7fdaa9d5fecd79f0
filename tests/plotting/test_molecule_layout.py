"""Flat layouts."""

import numpy as np
import pytest
from rdkit import Chem
from rdkit.Chem import rdCoordGen

from gicnn.plotting.molecule_layout import _tangle, flat_layout

BRIDGED = "CCC1C2C3OC1C32"


def bonds(smiles):
    molecule = Chem.MolFromSmiles(smiles)
    return np.array([(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in molecule.GetBonds()])


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([[0, 0], [1, 1], [0, 1], [1, 0]], 1),  # a cross
        ([[0, 0], [1, 0], [0, 1], [1, 1]], 0),
        ([[0, 0], [1, 0], [0.1, 0], [1, 1]], 1),  # two atoms almost on one another
    ],
)
def test_crossings_and_atoms_in_one_place_are_counted(points, expected):
    pairs = np.array([[0, 1], [2, 3]])
    assert _tangle(np.array(points, dtype=float), pairs) == expected


def test_the_less_tangled_of_two_layouts_is_taken():
    molecule = Chem.MolFromSmiles(BRIDGED)
    rdCoordGen.AddCoords(molecule)
    usual = molecule.GetConformer().GetPositions()[:, :2]
    ours = np.reshape(flat_layout(BRIDGED), (-1, 2))
    assert _tangle(ours, bonds(BRIDGED)) <= _tangle(usual, bonds(BRIDGED))
