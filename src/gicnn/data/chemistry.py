"""Names and canonical orders of molecules."""

from collections.abc import Callable

from rdkit import Chem, rdBase
from rdkit.Chem import rdinchi

__all__ = [
    "ORDERINGS",
    "UnfitMoleculeError",
    "canonical_smiles",
    "inchi_order",
    "parse_smiles",
    "rank_order",
]


class UnfitMoleculeError(ValueError):
    """A molecule that cannot be written as such a graph; the message says why."""


def parse_smiles(smiles: str) -> Chem.Mol:
    """Parse a SMILES.

    Raises:
        UnfitMoleculeError: It does not parse; the message holds RDKit's reason.
    """
    with rdBase.BlockLogs():
        molecule = Chem.MolFromSmiles(smiles)
        if molecule is None:
            raise UnfitMoleculeError(f"does not parse: {_problem(smiles)}")
    return molecule


def _problem(smiles: str) -> str:
    unchecked = Chem.MolFromSmiles(smiles, sanitize=False)
    problems = Chem.DetectChemistryProblems(unchecked) if unchecked else []
    return problems[0].Message() if problems else "not a SMILES"


def canonical_smiles(molecule: Chem.Mol) -> str:
    """The canonical SMILES of the graph alone: stereochemistry is left out."""
    return Chem.MolToSmiles(molecule, isomericSmiles=False)


def rank_order(molecule: Chem.Mol) -> list[int]:
    """The atoms in the order of RDKit's canonical ranks."""
    ranks = list(Chem.CanonicalRankAtoms(molecule))
    return sorted(range(len(ranks)), key=ranks.__getitem__)


def inchi_order(molecule: Chem.Mol) -> list[int]:
    """The atoms in the order of InChI's canonical labels.

    Raises:
        UnfitMoleculeError: InChI gives it none.
    """
    with rdBase.BlockLogs():
        auxiliary = rdinchi.MolToInchi(molecule, "-SNon")[-1]  # stereochemistry orders no atom
    labels = next((part for part in auxiliary.split("/") if part.startswith("N:")), None)
    if labels is None:
        raise UnfitMoleculeError("InChI gives no canonical labels")
    return [int(atom) - 1 for atom in labels[2:].replace(";", ",").split(",")]


ORDERINGS: dict[str, Callable[[Chem.Mol], list[int]]] = {
    "inchi": inchi_order,
    "rdkit": rank_order,
}
"""How atoms may be ordered: InChI's canonical labels, or RDKit's canonical ranks."""
