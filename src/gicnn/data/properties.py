"""The properties that QM9 gives of each molecule, and their units."""

from dataclasses import dataclass

__all__ = ["HARTREE", "PROPERTIES", "MolecularProperty"]

HARTREE = 627.509
"""One Hartree in kcal/mol."""


@dataclass(frozen=True)
class MolecularProperty:
    """A column of QM9's table.

    Attributes:
        column: Its name in the table.
        unit: The unit in which we give it.
        factor: From the table's unit to ours.
    """

    column: str
    unit: str
    factor: float = 1.0


def _energy(column: str) -> MolecularProperty:
    return MolecularProperty(column, "kcal/mol", HARTREE)


PROPERTIES: dict[str, MolecularProperty] = {
    "gap": _energy("HOMO_LUMO_gap_au"),
    "homo": _energy("HOMO_au"),
    "lumo": _energy("LUMO_au"),
    "dipole_moment": MolecularProperty("Dipole_debye", "debye"),
    "polarizability": MolecularProperty("Polarizability_bohr3", "bohr^3"),
    "spatial_extent": MolecularProperty("R2_bohr2", "bohr^2"),
    "zero_point_energy": _energy("ZPVE_au"),
    "energy_0k": _energy("InternalEnergy_0K_au"),
    "energy_298k": _energy("InternalEnergy_298K_au"),
    "enthalpy_298k": _energy("Enthalphy_298K_au"),
    "free_energy_298k": _energy("GibbsFreeEnergy_298K_au"),
    "heat_capacity": MolecularProperty("Heatcapacity_Cv_cal_mol_K", "cal/(mol K)"),
    "rotational_constant_a": MolecularProperty("RotA_GHz", "GHz"),
    "rotational_constant_b": MolecularProperty("RotB_GHz", "GHz"),
    "rotational_constant_c": MolecularProperty("RotC_GHz", "GHz"),
}
"""By the name that the config gives them; energies are in kcal/mol."""
