"""Molecules drawn with matplotlib alone, so that they stay vectors: graphs and structures."""

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Circle
from rdkit import Chem

from gicnn.plotting.molecule_layout import bonded_pairs
from gicnn.plotting.style import INK

__all__ = ["HEIGHT", "draw_graph", "draw_structure"]

HEIGHT = 0.8
"""Of a view, over its width: molecules are turned to lie."""

_COLOURS = {"H": "#f2f2f2", "C": "#5a5f66", "N": "#3457d5", "O": "#d7301f", "F": "#5aa02c"}
_RADII = {"H": 0.24, "C": 0.37, "N": 0.36, "O": 0.36, "F": 0.35}  # drawn, angstrom
_GAP = 0.13  # between the lines of a double bond, in bond lengths of the drawing
_LETTER = 6.2  # points
_HALF_LETTER = 0.4 * _LETTER  # half the width of a capital
_LABEL_ROOM = 0.28  # how far a bond stays away from a letter


def draw_graph(axes: Axes, smiles: str, layout: Float[np.ndarray, "n 2"]) -> None:
    """Draw a structural formula: bonds as lines, other atoms than carbon as letters."""
    molecule = Chem.MolFromSmiles(smiles)
    Chem.Kekulize(molecule, clearAromaticFlags=True)
    points = layout / _usual_bond(molecule, layout)
    lines = [line for bond in molecule.GetBonds() for line in _bond_lines(bond, points)]
    axes.add_collection(LineCollection(lines, colors=INK, linewidths=0.9, capstyle="round"))
    for atom in molecule.GetAtoms():
        if atom.GetSymbol() != "C" or molecule.GetNumAtoms() == 1:
            _write_atom(axes, atom, points)
    _frame(axes, points, room=0.75, least=3.6)


def _usual_bond(molecule: Chem.Mol, layout: Float[np.ndarray, "n 2"]) -> float:
    ends = [(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in molecule.GetBonds()]
    if not ends:
        return 1.0
    first, second = np.array(ends).T
    return float(np.median(np.linalg.norm(layout[first] - layout[second], axis=1)))


def _bond_lines(
    bond: Chem.Bond, points: Float[np.ndarray, "n 2"]
) -> list[Float[np.ndarray, "2 2"]]:
    """The parallel lines of a bond, kept off letters."""
    atoms = (bond.GetBeginAtom(), bond.GetEndAtom())
    ends = points[[atom.GetIdx() for atom in atoms]]
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    for end, atom in enumerate(atoms):
        if atom.GetSymbol() != "C":
            ends[end] = ends[end] + (1 - 2 * end) * _LABEL_ROOM * along
    count = round(bond.GetBondTypeAsDouble())
    across = np.array([-along[1], along[0]]) * _GAP
    return [ends + (place - (count - 1) / 2) * across for place in range(count)]


def _write_atom(axes: Axes, atom: Chem.Atom, points: Float[np.ndarray, "n 2"]) -> None:
    symbol, hydrogens = atom.GetSymbol(), atom.GetTotalNumHs()
    tail = "" if hydrogens == 0 else "H" if hydrogens == 1 else f"H$_{hydrogens}$"
    here = points[atom.GetIdx()]
    others = [points[other.GetIdx()] for other in atom.GetNeighbors()]
    leftwards = bool(others) and np.mean(others, axis=0)[0] > here[0] + 0.1
    text, side = (f"{tail}{symbol}", "right") if leftwards else (f"{symbol}{tail}", "left")
    axes.annotate(
        text, here, (_HALF_LETTER if leftwards else -_HALF_LETTER, 0), textcoords="offset points",
        size=_LETTER, ha=side, va="center_baseline", color=_COLOURS.get(symbol, INK),
    )  # fmt: skip


def draw_structure(axes: Axes, elements: list[str], positions: Float[np.ndarray, "n 3"]) -> None:
    """Draw balls and sticks seen along z, nearer ones over farther ones."""
    for first, second in bonded_pairs(elements, positions):
        ends = positions[[first, second]]
        axes.plot(*ends[:, :2].T, color="#9aa0a8", lw=2.2, zorder=ends[:, 2].min(),
                  solid_capstyle="round")  # fmt: skip
    for element, (x, y, depth) in zip(elements, positions, strict=True):
        _draw_ball(axes, element, x, y, depth)
    _frame(axes, positions[:, :2], room=0.6, least=7.0)


def _draw_ball(axes: Axes, element: str, x: float, y: float, depth: float) -> None:
    radius, colour = _RADII[element], _COLOURS[element]
    axes.add_patch(Circle((x, y), radius, fc=colour, ec=INK, lw=0.45, zorder=depth + 0.01))
    shine = (x - 0.33 * radius, y + 0.33 * radius)
    axes.add_patch(Circle(shine, 0.28 * radius, fc="white", alpha=0.55, lw=0, zorder=depth + 0.02))


def _frame(axes: Axes, points: Float[np.ndarray, "n 2"], room: float, least: float) -> None:
    """A view of the molecule, at least so wide that small ones are not blown up."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    width, height = np.ptp(points, axis=0) + 2 * room
    half = max(width, height / HEIGHT, least) / 2
    axes.set_xlim(middle[0] - half, middle[0] + half)
    axes.set_ylim(middle[1] - HEIGHT * half, middle[1] + HEIGHT * half)
