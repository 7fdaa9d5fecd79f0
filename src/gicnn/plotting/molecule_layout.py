"""Where the atoms of a drawn molecule lie: flat for its graph, turned to face for its geometry."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from jaxtyping import Bool, Float, Int
from rdkit import Chem
from rdkit.Chem import rdCoordGen, rdDepictor

__all__ = ["bonded_pairs", "flat_layout", "turned_to_face"]

_RADII = {"H": 0.31, "C": 0.76, "N": 0.71, "O": 0.66, "F": 0.57}  # covalent, angstrom
# Longest bond, in sums of two covalent radii: above it lie the diagonals of small rings in QM9.
_STRETCH = 1.15
_CLOSE = 0.4  # nearer than this, in bond lengths, atoms hide one another
_TILTS = range(-45, 46, 5)  # degrees
_ROOM, _ROOM_OF_HYDROGEN = 0.8, 0.3  # angstrom from atom to atom, so that both are seen


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


def turned_to_face(
    positions: Float[np.ndarray, "n 3"], heavy: Bool[np.ndarray, " n"]
) -> Float[np.ndarray, "n 3"]:
    """Centre atoms and turn their flattest side to the reader, the longest way across.

    Where atoms would then hide one another, as those on two sides of a mirror plane do, the view is
    tilted just so far that they no longer do, or, if none suffices, the way they are clearest.

    The turn is a rotation, never a reflection, so handedness is kept; the signs of the axes
    follow the third moments, so equal molecules look equal.

    Args:
        positions: Of the atoms, in angstrom.
        heavy: Which atoms are no hydrogens. Hydrogens may come nearer.
    """
    centred = positions - positions.mean(axis=0)
    axes = np.linalg.svd(centred)[2]
    turned = centred @ axes.T
    signs = np.where((turned**3).sum(axis=0) < 0, -1.0, 1.0)
    signs[2] = signs[0] * signs[1] * np.sign(np.linalg.det(axes))
    faced = turned * signs
    room = np.where(heavy, _ROOM, _ROOM_OF_HYDROGEN)
    return max((faced @ tilt.T for tilt in _tilts()), key=lambda view: _clearness(view, room))


def _tilts() -> list[Float[np.ndarray, "3 3"]]:
    """Rotations about the two axes of the page, the least first."""
    pairs = sorted(product(_TILTS, repeat=2), key=lambda pair: (abs(pair[0]) + abs(pair[1]), pair))
    return [_about_x(x) @ _about_y(y) for x, y in np.radians(pairs)]


def _about_x(angle: float) -> Float[np.ndarray, "3 3"]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def _about_y(angle: float) -> Float[np.ndarray, "3 3"]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def _clearness(view: Float[np.ndarray, "n 3"], room: Float[np.ndarray, " n"]) -> float:
    """How far the closest two atoms of a view are apart, over their room; 1 is enough."""
    apart = np.linalg.norm(view[:, None, :2] - view[:, :2], axis=-1)
    share = apart / np.minimum(room[:, None], room)
    nearest = share[np.triu_indices(len(view), k=1)].min(initial=1.0)
    return round(nearest, 6)  # so that rounding does not choose


def bonded_pairs(
    elements: list[str], positions: Float[np.ndarray, "n 3"]
) -> Int[np.ndarray, "bonds 2"]:
    """Pairs of atoms close enough to be bonded."""
    radii = np.array([_RADII[element] for element in elements])
    apart = np.linalg.norm(positions[:, None] - positions, axis=-1)
    close = apart < _STRETCH * (radii[:, None] + radii)
    return np.argwhere(np.triu(close, k=1))
