"""Where the atoms of a drawn molecule lie: flat for its graph, turned to face for its geometry."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from jaxtyping import Float, Int
from rdkit import Chem
from rdkit.Chem import rdCoordGen, rdDepictor

__all__ = ["bonded_pairs", "flat_layout", "turned_to_face"]

_RADII = {"H": 0.31, "C": 0.76, "N": 0.71, "O": 0.66, "F": 0.57}  # covalent, angstrom
# Longest bond, in sums of two covalent radii: above it lie the diagonals of small rings in QM9.
_STRETCH = 1.15
_CLOSE = 0.4  # nearer than this, in bond lengths, atoms hide one another


def flat_layout(smiles: str) -> list[float]:
    """Place the heavy atoms of a graph on paper: x y of each in turn, about a bond length apart.

    Raises:
        ValueError: RDKit does not read the SMILES.
    """
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None:
        raise ValueError(f"cannot draw {smiles!r}: not a valid SMILES")
    ends = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in molecule.GetBonds()]
    bonds = np.array(ends, dtype=int).reshape(-1, 2)
    flat = min(_layouts(molecule), key=lambda points: _tangle(points, bonds))
    return _wider_than_high(flat).ravel().tolist()


def _layouts(molecule: Chem.Mol) -> Iterator[Float[np.ndarray, "n 2"]]:
    """What RDKit's two programs make of it; bridged rings come out better now here, now there."""
    for place in (rdCoordGen.AddCoords, rdDepictor.Compute2DCoords):
        place(molecule)
        yield molecule.GetConformer().GetPositions()[:, :2].copy()


def _tangle(points: Float[np.ndarray, "n 2"], bonds: Int[np.ndarray, "bonds 2"]) -> int:
    """How many pairs of bonds cross, and of atoms lie almost on one another."""
    crossed = 0
    for (a, b), (c, d) in combinations(bonds.tolist(), 2):
        if len({a, b, c, d}) == 4:
            sides = [_side(points[a], points[b], points[e]) for e in (c, d)]
            sides += [_side(points[c], points[d], points[e]) for e in (a, b)]
            crossed += sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0
    length = np.median([np.linalg.norm(points[a] - points[b]) for a, b in bonds] or [1.0])
    apart = np.linalg.norm(points[:, None] - points, axis=-1)
    return crossed + int((apart < _CLOSE * length)[np.triu_indices(len(points), k=1)].sum())


def _side(start: np.ndarray, end: np.ndarray, point: np.ndarray) -> float:
    """On which side of a line a point lies, as a sign."""
    (x, y), (u, v) = end - start, point - start
    return float(x * v - y * u)


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
