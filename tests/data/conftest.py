"""A small table in the form of QM9's, and an independent encoding of molecules."""

from zipfile import ZipFile

import numpy as np
import pytest
from rdkit import Chem, rdBase

HEADER = "Index,SMILES,InChi,N_atoms,Stoichiometry,Elements,XYZ_Ang,HOMO_LUMO_gap_au,Dipole_debye"
ROWS = [
    (5, "C#CO", "[2,2,0,1,0]", 0.30),
    (1, "CC=O", "[4,2,0,1,0]", 0.21),
    (2, "C1CO1", "[4,2,0,1,0]", 0.25),
    (7, "CCO", "[6,2,0,1,0]", 0.28),
    (3, "C(C", "[6,2,0,1,0]", 0.27),
    (4, "C[OH+]C", "[7,2,0,1,0]", 0.27),
    (6, "CCN", "[7,2,1,0,0]", 0.22),
    (12, "CCCO", "[8,3,0,1,0]", 0.26),
]


@pytest.fixture
def wheel(tmp_path):
    """A wheel with eight molecules, two of them unfit; dipole moments are ten times the gaps."""
    lines = [
        f'{index},"{smiles}","InChI={index}",2,"{counts}","[\'C\',\'O\']",'
        f'"[[0.1,0.2,0.3],[{index},0.,1e-3]]",{gap},{10 * gap}'
        for index, smiles, counts, gap in ROWS
    ]
    path = tmp_path / "small-1.0-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        for number, part in enumerate((lines[:4], lines[4:]), start=1):
            archive.writestr(f"small/data/qm9_part{number}.csv", "\n".join([HEADER, *part]) + "\n")
        archive.writestr("small/data/qm9_polarizability.csv", "XYZ_file,A_xx\n")
    return path


@pytest.fixture(scope="session")
def independent_code():
    return _independent_code


def _independent_code(smiles):
    """The same graph worked out in another way: a bond matrix, and labels read off InChI."""
    molecule = Chem.MolFromSmiles(smiles)
    with rdBase.BlockLogs():
        auxiliary = Chem.MolToInchiAndAuxInfo(molecule)[1]
    labels = auxiliary.split("/N:")[1].split("/")[0]
    place = {int(atom) - 1: position for position, atom in enumerate(labels.split(","))}
    Chem.Kekulize(molecule, clearAromaticFlags=True)
    orders = Chem.GetAdjacencyMatrix(molecule, useBO=True)
    atoms, bonds = np.zeros((9, 5)), np.zeros((9, 9), dtype=int)
    atoms[:, 4] = 1
    for atom in molecule.GetAtoms():
        atoms[place[atom.GetIdx()]] = [symbol == atom.GetSymbol() for symbol in "CNOF"] + [0]
        for other in molecule.GetAtoms():
            order = int(orders[atom.GetIdx(), other.GetIdx()])
            bonds[place[atom.GetIdx()], place[other.GetIdx()]] = order
    pairs = np.eye(4)[bonds[np.triu_indices(9, k=1)]]
    return np.concatenate([atoms.ravel(), pairs.ravel()])
