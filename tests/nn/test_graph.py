"""The walks that a graph encoder sees, on molecules whose bonds RDKit knows."""

import numpy as np
import pytest
import torch
from rdkit import Chem

from gicnn.data.chemistry import parse_smiles
from gicnn.data.graphs import GraphCode
from gicnn.nn.graph import GraphEncoder, WalkCounts

GROUPS = [[9, 5], [36, 4]]
DENSE = {"hidden_features": [16], "activation": "elu", "dropout": 0.0}


def encoded(smiles):
    code = GraphCode(["C", "N", "O", "F"], max_atoms=9, ordering="inchi")
    return code, torch.tensor(code.encode(parse_smiles(smiles)), dtype=torch.float64)


@pytest.mark.parametrize("smiles", ["C=CC=CC(=O)O", "N#CC1CC1F", "O"])
def test_counts_are_powers_of_the_matrices_of_bonds(smiles):
    code, graph = encoded(smiles)
    molecule = code.decode(graph.numpy().astype(np.uint8))
    atoms = molecule.GetNumAtoms()
    bonds = np.zeros((9, 9))
    bonds[:atoms, :atoms] = Chem.GetAdjacencyMatrix(molecule, useBO=True)
    single, multiple = (bonds > 0).astype(float), (bonds > 1).astype(float)
    kinds = graph[:45].reshape(9, 5).numpy()
    upper = np.triu_indices(9)
    expected = [single @ kinds, multiple @ kinds, single @ multiple]
    expected += [(single @ single / 2)[upper], (single @ single @ single / 4)[upper]]
    expected += [(multiple @ single @ multiple)[upper]]
    counts = WalkCounts(GROUPS).double()

    assert (
        counts(graph[None])[0].tolist() == np.concatenate([e.ravel() for e in expected]).tolist()
    )
    assert counts.size == sum(e.size for e in expected)


def test_graphs_of_probabilities_have_expected_counts_and_gradients():
    _, graph = encoded("C=CC=CC(=O)O")
    soft = graph[None].repeat(2, 1).requires_grad_()
    encoder = GraphEncoder((189,), 3, GROUPS, walks=0.3, **DENSE).double()
    encoder(soft).sum().backward()

    assert soft.grad.abs().min() > 0
    twice = WalkCounts(GROUPS).double()(torch.stack([graph, graph / 2]))
    middle = slice(2 * 45 + 81, 2 * 45 + 81 + 45)  # walks of two bonds, each half as likely
    assert torch.allclose(twice[1, middle], twice[0, middle] / 4)


def test_encoder_reads_the_graph_itself_too():
    """Walks do not tell a single bond between oxygens from one of another pair alone."""
    _, graph = encoded("O")
    encoder = GraphEncoder((189,), 3, GROUPS, walks=1e-9, **DENSE).double()
    other = encoded("N")[1]
    assert not torch.allclose(encoder(graph[None]), encoder(other[None]))


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([[9, 5], [35, 4]], r"9 atoms have 36 pairs.*\[\[9, 5\], \[35, 4\]\]"),
        ([[9, 5], [36, 2]], "no, a single or a multiple bond"),
    ],
)
def test_groups_that_are_no_graph_are_named(groups, message):
    with pytest.raises(ValueError, match=message):
        WalkCounts(groups)


def test_groups_that_do_not_fit_the_input_are_named():
    with pytest.raises(ValueError, match=r"describe 189 features, the input has shape \(190,\)"):
        GraphEncoder((190,), 3, GROUPS, walks=0.3, **DENSE)
