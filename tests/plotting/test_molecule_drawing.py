"""Molecules: turned without being mirrored, bonds where they belong, letters the right way round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdkit import Chem

from gicnn.plotting import molecule_layout
from gicnn.plotting.molecule_drawing import draw_graph
from gicnn.plotting.molecule_layout import bonded_pairs, flat_layout
from gicnn.plotting.style import new_figure


def positions_of(molecule):
    return np.reshape(molecule["coordinates"], (-1, 3))


def distances(points):
    return np.linalg.norm(points[:, None] - points, axis=-1)


def turned_to_face(positions, heavy=True):
    """All atoms are heavy unless told."""
    return molecule_layout.turned_to_face(positions, np.broadcast_to(heavy, len(positions)))


def handedness(points):
    return np.sign(np.linalg.det(points[1:4] - points[0]))


@pytest.fixture
def twisted():
    """Four atoms that differ from their mirror image."""
    return np.array([[0, 0, 0], [3, 0, 0], [3.5, 2, 0], [3.2, 2.1, 0.7]])


@given(seed=st.integers(0, 2**32 - 1), atoms=st.integers(4, 9))
def test_turning_keeps_distances_and_handedness(seed, atoms):
    positions = np.random.default_rng(seed).normal(size=(atoms, 3))
    turned = turned_to_face(positions)

    np.testing.assert_allclose(distances(turned), distances(positions), atol=1e-9)
    assert handedness(turned) == handedness(positions)


def test_handedness_sees_a_mirror(twisted):
    assert handedness(twisted * [1, 1, -1]) == -handedness(twisted)


def test_a_rotated_molecule_looks_the_same(twisted):
    rotation, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))
    rotation *= np.sign(np.linalg.det(rotation))
    np.testing.assert_allclose(
        turned_to_face(twisted @ rotation.T + 5), turned_to_face(twisted), atol=1e-9
    )


def test_the_flattest_side_faces_the_reader(molecules):
    spread = turned_to_face(positions_of(molecules.iloc[0])).std(axis=0)
    assert spread[0] >= spread[1] >= spread[2]


@pytest.fixture
def one_behind_another():
    square = np.array([[0, 0], [3, 0], [3, 2], [0, 2.1]])
    return np.concatenate([np.column_stack([square, np.full(4, depth)]) for depth in (0.0, 1.5)])


def test_atoms_that_would_hide_one_another_are_both_seen(one_behind_another):
    view = turned_to_face(one_behind_another)[:, :2]
    assert np.linalg.norm(view[:4] - view[4:], axis=1).min() >= 0.8


def test_hydrogens_may_come_nearer(one_behind_another):
    view = turned_to_face(one_behind_another, np.arange(8) < 4)[:, :2]
    assert 0.3 <= np.linalg.norm(view[:4] - view[4:], axis=1).min() < 0.8


@pytest.mark.parametrize("atoms", [1, 2])
def test_one_and_two_atoms_can_be_turned(atoms):
    positions = np.arange(3.0 * atoms).reshape(atoms, 3)
    turned = turned_to_face(positions)
    np.testing.assert_allclose(distances(turned), distances(positions), atol=1e-9)
    np.testing.assert_allclose(turned[:, 1:], 0, atol=1e-9)


def test_what_lies_flat_is_not_tilted(one_behind_another):
    np.testing.assert_allclose(turned_to_face(one_behind_another[:4])[:, 2], 0, atol=1e-9)


def test_bonds_of_a_geometry_are_those_of_its_graph(molecules):
    for row in molecules.to_dict("records"):
        graph = Chem.AddHs(Chem.MolFromSmiles(row["smiles"]))
        bonds = {(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in graph.GetBonds()}
        found = {tuple(pair) for pair in bonded_pairs(row["elements"], positions_of(row)).tolist()}
        assert found == {tuple(sorted(bond)) for bond in bonds}


def test_a_smiles_that_does_not_parse_is_named():
    with pytest.raises(ValueError, match=r"cannot draw 'C\(C': not a valid SMILES"):
        flat_layout("C(C")


def test_layouts_are_repeatable_and_lie_flat():
    first, second = (np.reshape(flat_layout("CC(=O)CCO"), (-1, 2)) for _ in range(2))

    np.testing.assert_array_equal(first, second)
    assert len(first) == 6
    assert np.ptp(first[:, 0]) >= np.ptp(first[:, 1])


@pytest.mark.parametrize(
    ("smiles", "lines", "letters"),
    [
        ("CC", 1, []),
        ("C=C", 2, []),
        ("C#CC", 4, []),
        ("c1ccccc1", 9, []),
        ("CC=O", 3, ["O"]),
        ("N", 0, ["NH$_3$"]),
        ("OCCO", 3, ["HO", "OH"]),
    ],
)
def test_a_graph_has_a_line_for_each_bond_and_letters_for_other_atoms(smiles, lines, letters):
    axes = new_figure(1, 1).subplots()
    draw_graph(axes, smiles, np.reshape(flat_layout(smiles), (-1, 2)))

    (bonds,) = axes.collections
    assert len(bonds.get_segments()) == lines
    assert sorted(text.get_text() for text in axes.texts) == sorted(letters)
