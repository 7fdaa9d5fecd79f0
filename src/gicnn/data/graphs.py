"""Molecules as one-hot graphs in a canonical order of their atoms, and back (section 5.3)."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from jaxtyping import UInt8
from rdkit import Chem, rdBase

from gicnn.data.chemistry import ORDERINGS, UnfitMoleculeError, canonical_smiles, rank_order

__all__ = ["BONDS", "GraphCode"]

BONDS = (None, Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE)
"""What the entries of a pair's one-hot vector stand for: no bond, then by the bond's order."""

_KNOWN = {*BONDS[1:], Chem.BondType.AROMATIC}
_OPERATIONS = Chem.SANITIZE_ALL ^ Chem.SANITIZE_CLEANUP


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
        | Towards a Universal SMILES representation (O'Boyle, 2012), which orders by InChI labels

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
        self.ordering = ordering
        self.pairs = tuple(combinations(range(max_atoms), 2))
        self._starts = np.cumsum([0, *self.groups[:-1]])
        self._atoms = [Chem.Atom(element) for element in self.elements]

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments that make such a code."""
        names = ("elements", "max_atoms", "ordering")
        return {name: getattr(self, name) for name in names}

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
        return self.one_hot([self.choices(molecule)[0]])[0]

    def choices(self, molecule: Chem.Mol) -> tuple[list[int], str]:
        """Which entry of each one-hot vector is 1, and the canonical SMILES.

        Raises:
            UnfitMoleculeError: As ``encode``.
        """
        self._check_fit(molecule)
        smiles = canonical_smiles(molecule)
        ordered = self._canonical(smiles)
        atoms = (ordered.GetAtomWithIdx(i) for i in range(ordered.GetNumAtoms()))
        elements = [self.elements.index(atom.GetSymbol()) for atom in atoms]
        orders = Chem.GetAdjacencyMatrix(ordered, useBO=True, force=True).tolist()
        count = len(elements)
        bonds = [int(orders[i][j]) if j < count else 0 for i, j in self.pairs]
        elements += [len(self.elements)] * (self.max_atoms - count)
        if not _is_plain(smiles):
            back = self._assemble(elements, bonds)
            if back is None or canonical_smiles(back) != smiles:
                raise UnfitMoleculeError("is not told by its graph alone (it may be a radical)")
        return [*elements, *bonds], smiles

    def one_hot(self, choices: Sequence[Sequence[int]]) -> UInt8[np.ndarray, "n size"]:
        """Write choices as zeros and ones."""
        codes = np.zeros((len(choices), self.size), dtype=np.uint8)
        if len(choices):
            np.put_along_axis(codes, self._starts + np.asarray(choices), 1, axis=1)
        return codes

    def decode(self, code: np.ndarray) -> Chem.Mol | None:
        """The molecule of one code, or None if there is no such molecule.

        Each one-hot vector counts by its largest entry. A molecule is valid if it is one
        fragment that RDKit sanitises as it is: no bond to a blank place, no atom with too many
        bonds (nitrogen with five, too, which RDKit would otherwise mend by charges).
        Free valences are filled with hydrogen, so that it is neutral and no radical.

        Shapes:
            code: (size,)

        Raises:
            ValueError: The code does not have the right length.
        """
        code = np.asarray(code)
        if code.shape != (self.size,):
            raise ValueError(f"a code has shape ({self.size},), this one {code.shape}")
        atoms, bonds = np.split(code, [self.max_atoms * (len(self.elements) + 1)])
        return self._assemble(
            atoms.reshape(self.max_atoms, -1).argmax(-1).tolist(),
            bonds.reshape(len(self.pairs), -1).argmax(-1).tolist(),
        )

    def decode_smiles(self, codes: Iterable[np.ndarray]) -> list[str]:
        """Canonical SMILES of each code, empty where there is no such molecule.

        Shapes:
            codes: (n, size)
        """
        molecules = (self.decode(code) for code in codes)
        return [canonical_smiles(molecule) if molecule else "" for molecule in molecules]

    def _assemble(self, elements: Sequence[int], bonds: Sequence[int]) -> Chem.Mol | None:
        molecule = Chem.RWMol()
        places = {
            place: molecule.AddAtom(self._atoms[element])
            for place, element in enumerate(elements)
            if element < len(self.elements)
        }
        for (first, second), bond in zip(self.pairs, bonds, strict=True):
            if bond and (first not in places or second not in places):
                return None
            if bond:
                molecule.AddBond(places[first], places[second], BONDS[bond])
        return _sanitised(molecule)

    def _canonical(self, smiles: str) -> Chem.Mol:
        """The graph, kekulised and in order, from its canonical SMILES.

        InChI's labels alone leave a tie where a hydrogen is mobile, as in tropolone, and
        kekulisation depends on the order of the bonds; RDKit's canonical order settles both.
        """
        settled = Chem.MolFromSmiles(smiles)
        settled = Chem.RenumberAtoms(settled, rank_order(settled))
        ordered = Chem.RenumberAtoms(settled, ORDERINGS[self.ordering](settled))
        Chem.Kekulize(ordered, clearAromaticFlags=True)
        return ordered

    def _check_fit(self, molecule: Chem.Mol) -> None:
        # By number: RDKit's own iteration over atoms takes twice the time.
        atoms = [molecule.GetAtomWithIdx(i) for i in range(molecule.GetNumAtoms())]
        unknown = {atom.GetSymbol() for atom in atoms} - set(self.elements)
        if unknown:
            raise UnfitMoleculeError(f"has the element {', '.join(sorted(unknown))}")
        if not 0 < len(atoms) <= self.max_atoms:
            raise UnfitMoleculeError(f"has {len(atoms)} atoms, not 1 to {self.max_atoms}")
        if len(Chem.GetMolFrags(molecule)) > 1:
            raise UnfitMoleculeError("is made of several fragments")
        if any(atom.GetFormalCharge() for atom in atoms):
            raise UnfitMoleculeError("has a charged atom")
        bonds = (molecule.GetBondWithIdx(i) for i in range(molecule.GetNumBonds()))
        strange = {bond.GetBondType() for bond in bonds} - _KNOWN
        if strange:
            raise UnfitMoleculeError(f"has a bond of kind {', '.join(sorted(map(str, strange)))}")


def _is_plain(smiles: str) -> bool:
    """Whether a SMILES has neither brackets nor aromatic atoms, and so is a graph and no more."""
    return "[" not in smiles and smiles == smiles.upper()


def _sanitised(molecule: Chem.RWMol) -> Chem.Mol | None:
    if not molecule.GetNumAtoms() or len(Chem.GetMolFrags(molecule)) > 1:
        return None
    with rdBase.BlockLogs():
        failed = Chem.SanitizeMol(molecule, _OPERATIONS, catchErrors=True)
    return None if failed else molecule.GetMol()
