"""The real molecules, where a run has fetched them."""

import random
from pathlib import Path

import pytest
from rdkit import Chem

from gicnn.data.chemistry import canonical_smiles, parse_smiles
from gicnn.data.graphs import GraphCode
from gicnn.data.molecules import encode_all
from gicnn.data.qm9 import read_qm9

ROOT = Path(__file__).parents[2]
NAME = "results/raw/qm9pack-1.0.3-py3-none-any.whl"
WHEELS = [path for run in (ROOT, *sorted(ROOT.glob("runs/*"))) if (path := run / NAME).exists()]

pytestmark = pytest.mark.skipif(not WHEELS, reason="needs QM9, fetched by any run")


@pytest.fixture(scope="module")
def table():
    return read_qm9(WHEELS[0], {"C": 7, "N": 0, "O": 2, "F": 0})


@pytest.fixture(scope="module")
def code():
    return GraphCode(["C", "N", "O", "F"], max_atoms=9, ordering="inchi")


def test_the_subset_is_the_one_that_is_known(table):
    assert len(table) == 16306
    assert table["gap"].mean() == pytest.approx(167.69, abs=0.01)
    assert table["gap"].std() == pytest.approx(29.72, abs=0.01)
    assert table["gap"].min() == pytest.approx(78.94, abs=0.01)
    assert table["gap"].max() == pytest.approx(223.71, abs=0.01)
    assert table["inchi"].str.startswith("InChI=1S/C7H").all()


def test_a_sample_agrees_with_an_independent_encoding_in_any_numbering(
    table, code, independent_code
):
    for smiles in table["smiles"].iloc[::60]:
        molecule = parse_smiles(smiles)
        order = random.sample(range(9), 9)
        graph = code.encode(Chem.RenumberAtoms(molecule, order))

        assert (graph == independent_code(smiles)).all()
        assert canonical_smiles(code.decode(graph)) == canonical_smiles(molecule)


@pytest.mark.slow
def test_all_molecules_have_graphs_and_no_two_the_same(table, code, independent_code):
    graphs, _, reasons = encode_all(code, table["smiles"])

    assert set(reasons) == {""}
    assert len({graph.tobytes() for graph in graphs}) == len(table)
    assert all(
        (graph == independent_code(smiles)).all()
        for graph, smiles in zip(graphs, table["smiles"], strict=True)
    )
