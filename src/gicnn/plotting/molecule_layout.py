"""Where the atoms of a drawn molecule lie: flat for its graph, turned to face for its geometry."""

import numpy as np
from jaxtyping import Float, Int
from rdkit import Chem
from rdkit.Chem import rdCoordGen

__all__ = ["bonded_pairs", "flat_layout", "turned_to_face"]

_RADII = {"H": 0.31, "C": 0.76, "N": 0.71, "O": 0.66, "F": 0.57}  # covalent, angstrom
# Longest bond, in sums of two covalent radii: above it lie the diagonals of small rings in QM9.
_STRETCH = 1.15


def flat_layout(smiles: str) -> list[float]:
    """Place the heavy atoms of a graph on paper: x y of each in turn, about a bond length apart.

    Raises:
        ValueError: RDKit does not read the SMILES.
    """
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None:
        raise ValueError(f"cannot draw {smiles!r}: not a valid SMILES")
    rdCoordGen.AddCoords(molecule)
    flat = _wider_than_high(molecule.GetConformer().GetPositions()[:, :2])
    return flat.ravel().tolist()


def _wider_than_high(points: Float[np.ndarray, "n 2"]) -> Float[np.ndarray, "n 2"]:
    width, height = np.ptp(points, axis=0)
    return points if width >= height else points[:, ::-1] * [1.0, -1.0]


def turned_to_face(positions: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "n 3"]:
    """Centre atoms and turn their flattest side to the reader, the longest way across.

    The turn is a rotation, never a reflection, so handedness is kept; the signs of the axes
    follow the third moments, so equal molecules look equal.
    """
    centred = positions - positions.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes.T
    signs = np.where((turned**3).sum(axis=0) < 0, -1.0, 1.0)
    signs[2] = signs[0] * signs[1] * np.sign(np.linalg.det(axes))
    return turned * signs


def bonded_pairs(
    elements: list[str], positions: Float[np.ndarray, "n 3"]
) -> Int[np.ndarray, "bonds 2"]:
    """Pairs of atoms close enough to be bonded."""
    radii = np.array([_RADII[element] for element in elements])
    apart = np.linalg.norm(positions[:, None] - positions, axis=-1)
    close = apart < _STRETCH * (radii[:, None] + radii)
    return np.argwhere(np.triu(close, k=1))
