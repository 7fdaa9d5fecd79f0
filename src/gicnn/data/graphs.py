"""Molecules as one-hot graphs in a canonical order of their atoms, and back (section 5.3)."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from jaxtyping import UInt8
from rdkit import Chem, rdBase

from gicnn.data.chemistry import ORDERINGS, UnfitMoleculeError, canonical_smiles, rank_order

__all__ = ["BONDS", "GraphCode"]

BONDS = (None, Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE)
"""What the entries of a pair's one-hot vector stand for, in order."""


class GraphCode:
    """Writes molecules as concatenated one-hot vectors of their atoms and pairs of atoms.

    First each of ``max_atoms`` places has an element or is blank; then each pair of places,
    (0, 1), (0, 2), ..., has no bond, a single, a double or a triple one. Hydrogens are implicit
    and aromatic rings are kekulised. The same molecule has the same code however its atoms
    were numbered.

    Args:
        elements: The symbols of the elements there may be.
        max_atoms: The largest number of atoms, hydrogens not counted.
        ordering: A key of ``ORDERINGS``.

    Raises:
        ValueError: The ordering has an unknown name.

    References:
        | Towards a Universal SMILES representation (O'Boyle, 2012), which orders atoms by
        | InChI's canonical labels

    Example:
        >>> from gicnn.data.chemistry import parse_smiles
        >>> code = GraphCode(["C", "N", "O", "F"], max_atoms=9, ordering="inchi")
        >>> code.size
        189
        >>> formic_acid = code.encode(parse_smiles("OC=O"))
        >>> canonical_smiles(code.decode(formic_acid))
        'O=CO'
    """

    def __init__(self, elements: Sequence[str], max_atoms: int, ordering: str) -> None:
        if ordering not in ORDERINGS:
            raise ValueError(f"no ordering {ordering!r}; there are {', '.join(ORDERINGS)}")
        self.elements = tuple(elements)
        self.max_atoms = max_atoms
        self.pairs = tuple(combinations(range(max_atoms), 2))
        self._order = ORDERINGS[ordering]

    @property
    def groups(self) -> list[int]:
        """The length of each one-hot vector, in order."""
        return [len(self.elements) + 1] * self.max_atoms + [len(BONDS)] * len(self.pairs)

    @property
    def size(self) -> int:
        """The length of the whole code."""
        return sum(self.groups)

    def encode(self, molecule: Chem.Mol) -> UInt8[np.ndarray, " size"]:
        """Write a molecule as zeros and ones.

        Raises:
            UnfitMoleculeError: It has too many atoms, an element or bond that there is no
                place for, or something that its graph does not tell, such as a charge.
        """
        self._check_fit(molecule)
        smiles = canonical_smiles(molecule)
        ordered = self._canonical(smiles)
        choices = [len(self.elements)] * self.max_atoms + [0] * len(self.pairs)
        for atom in ordered.GetAtoms():
            choices[atom.GetIdx()] = self.elements.index(atom.GetSymbol())
        for bond in ordered.GetBonds():
            ends = sorted((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()))
            pair = self.pairs.index((ends[0], ends[1]))
            choices[self.max_atoms + pair] = BONDS.index(bond.GetBondType())
        code = self._one_hot(choices)
        back = self.decode(code)
        if back is None or canonical_smiles(back) != smiles:
            raise UnfitMoleculeError("is not told by its graph alone (it may be a radical)")
        return code

    def decode(self, code: np.ndarray) -> Chem.Mol | None:
        """The molecule of one code, or None if there is no such molecule.

        Each one-hot vector counts by its largest entry. A code is invalid if it holds no atom,
        a bond to a blank place, an atom with too many bonds, or several fragments.

        Shapes:
            code: (size,)

        Raises:
            ValueError: The code does not have the right length.
        """
        elements, bonds = self._choices(code)
        atoms = np.flatnonzero(elements < len(self.elements))
        molecule = Chem.RWMol()
        places = {
            int(place): molecule.AddAtom(Chem.Atom(self.elements[elements[place]]))
            for place in atoms
        }
        for pair in np.flatnonzero(bonds):
            first, second = self.pairs[pair]
            if first not in places or second not in places:
                return None
            molecule.AddBond(places[first], places[second], BONDS[bonds[pair]])
        return _sanitised(molecule)

    def decode_smiles(self, codes: Iterable[np.ndarray]) -> list[str]:
        """Canonical SMILES of each code, empty where there is no such molecule.

        Shapes:
            codes: (n, size)
        """
        molecules = (self.decode(code) for code in codes)
        return [canonical_smiles(molecule) if molecule else "" for molecule in molecules]

    def _choices(self, code: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The largest entry of each one-hot vector, of the places and of the pairs."""
        code = np.asarray(code)
        if code.shape != (self.size,):
            raise ValueError(f"a code has shape ({self.size},), this one {code.shape}")
        atoms, bonds = np.split(code, [self.max_atoms * (len(self.elements) + 1)])
        return (
            atoms.reshape(self.max_atoms, -1).argmax(-1),
            bonds.reshape(len(self.pairs), -1).argmax(-1),
        )

    def _one_hot(self, choices: Sequence[int]) -> UInt8[np.ndarray, " size"]:
        starts = np.cumsum([0, *self.groups[:-1]])
        code = np.zeros(self.size, dtype=np.uint8)
        code[starts + np.array(choices)] = 1
        return code

    def _canonical(self, smiles: str) -> Chem.Mol:
        """The graph, kekulised and in order, from its canonical SMILES.

        InChI's labels alone leave a tie where a hydrogen is mobile, as in tropolone, and
        kekulisation depends on the order of the bonds; RDKit's canonical order settles both.
        """
        settled = Chem.MolFromSmiles(smiles)
        settled = Chem.RenumberAtoms(settled, rank_order(settled))
        ordered = Chem.RenumberAtoms(settled, self._order(settled))
        Chem.Kekulize(ordered, clearAromaticFlags=True)
        return ordered

    def _check_fit(self, molecule: Chem.Mol) -> None:
        atoms = list(molecule.GetAtoms())
        unknown = {atom.GetSymbol() for atom in atoms} - set(self.elements)
        if unknown:
            raise UnfitMoleculeError(f"has the element {', '.join(sorted(unknown))}")
        if not 0 < len(atoms) <= self.max_atoms:
            raise UnfitMoleculeError(f"has {len(atoms)} atoms, not 1 to {self.max_atoms}")
        if len(Chem.GetMolFrags(molecule)) > 1:
            raise UnfitMoleculeError("is made of several fragments")
        if any(atom.GetFormalCharge() for atom in atoms):
            raise UnfitMoleculeError("has a charged atom")
        known = {*BONDS, Chem.BondType.AROMATIC}
        strange = {str(bond.GetBondType()) for bond in molecule.GetBonds()} - set(map(str, known))
        if strange:
            raise UnfitMoleculeError(f"has a bond of kind {', '.join(sorted(strange))}")


def _sanitised(molecule: Chem.RWMol) -> Chem.Mol | None:
    if not molecule.GetNumAtoms() or len(Chem.GetMolFrags(molecule)) > 1:
        return None
    with rdBase.BlockLogs():
        failed = Chem.SanitizeMol(molecule, catchErrors=True)
    return None if failed else molecule.GetMol()
