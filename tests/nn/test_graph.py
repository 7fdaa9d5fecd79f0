"""The walks that a graph encoder sees, on molecules whose bonds RDKit knows."""

import numpy as np
import pytest
import torch
from rdkit import Chem

from gicnn.data.chemistry import parse_smiles
from gicnn.data.graphs import GraphCode
from gicnn.models.build import build_model, load_model
from gicnn.nn.graph import GraphEncoder, WalkCounts
from gicnn.tensors import save_tensors

GROUPS = [[9, 5], [36, 4]]
DENSE = {"hidden_features": [16], "activation": "elu", "dropout": 0.0}
NINE = GraphCode(["C", "N", "O", "F"], max_atoms=9, ordering="inchi")
SEVEN = GraphCode(["C", "O"], max_atoms=7, ordering="inchi")
MOLECULES = [(NINE, "C=CC=CC(=O)O"), (NINE, "N#CC1CC1F"), (NINE, "O"), (SEVEN, "C=CC=CC(=O)O")]


def encoded(smiles, code=NINE):
    return torch.tensor(code.encode(parse_smiles(smiles)), dtype=torch.float64)


def counted(elements, any_order, multiple):
    """The counts by powers of whole matrices."""
    upper = np.triu_indices(len(elements))
    walks = [any_order @ elements, multiple @ elements, any_order @ multiple]
    walks += [np.linalg.matrix_power(any_order, 2)[upper] / 2]
    walks += [np.linalg.matrix_power(any_order, 3)[upper] / 4]
    walks += [(multiple @ any_order @ multiple)[upper]]
    return np.concatenate([part.ravel() for part in walks])


@pytest.mark.parametrize(("code", "smiles"), MOLECULES)
def test_counts_are_those_of_the_molecule_s_bonds(code, smiles):
    graph, atoms = encoded(smiles, code), code.max_atoms
    molecule = code.decode(graph.numpy().astype(np.uint8))
    there = molecule.GetNumAtoms()
    bonds = np.zeros((atoms, atoms))
    bonds[:there, :there] = Chem.GetAdjacencyMatrix(molecule, useBO=True)
    counts = WalkCounts([[atoms, len(code.elements) + 1], [atoms * (atoms - 1) // 2, 4]]).double()
    elements = graph[: counts.atoms * counts.kinds].reshape(atoms, -1).numpy()
    expected = counted(elements, (bonds > 0).astype(float), (bonds > 1).astype(float))

    assert counts(graph[None])[0].tolist() == expected.tolist()
    assert counts.size == len(expected)


def test_in_a_graph_of_probabilities_a_walk_counts_by_their_product():
    mixed = 0.3 * encoded("C=CC=CC(=O)O") + 0.7 * encoded("N#CC1CC1F")
    bonds = mixed[45:].reshape(36, 4).numpy()
    matrices = np.zeros((2, 9, 9))
    row, column = np.triu_indices(9, k=1)
    for matrix, values in zip(matrices, (bonds[:, 1:].sum(1), bonds[:, 2:].sum(1)), strict=True):
        matrix[row, column] = matrix[column, row] = values
    expected = counted(mixed[:45].reshape(9, 5).numpy(), *matrices)

    assert WalkCounts(GROUPS).double()(mixed[None])[0].numpy() == pytest.approx(expected)


def test_network_is_given_the_graph_and_then_the_weighted_counts():
    graphs = torch.stack([encoded("C=CC=CC(=O)O"), encoded("C1CC=CCO1")]).requires_grad_()
    encoder = GraphEncoder((189,), 3, GROUPS, walks=0.3, **DENSE).double()
    expected = encoder.layers(torch.cat([graphs, 0.3 * encoder.counts(graphs)], -1))

    assert torch.equal(encoder(graphs), expected)
    expected.sum().backward()
    assert (graphs.grad != 0).all()


def test_model_of_this_kind_comes_back_from_its_file(tmp_path):
    settings = {
        "latent_features": 3,
        "encoder": {"kind": "graph", "groups": GROUPS, "walks": 0.3, **DENSE},
        "decoder": {"kind": "dense", **DENSE},
        "likelihood": {"kind": "categorical", "groups": GROUPS},
        "property_decoder": {"kind": "input_convex", "hidden_features": [8], "curvature": 0.0},
        "monotone": None,
        "property_units": None,
    }
    model = build_model(settings, (189,)).eval()
    save_tensors(tmp_path / "weights.safetensors", model.state_dict())
    again = load_model(settings, tmp_path / "weights.safetensors", (189,))
    graph = encoded("C=CC=CC(=O)O")[None].float()

    assert torch.equal(again.encode(graph), model.encode(graph))


@pytest.mark.parametrize(
    ("groups", "wanted"),
    [
        ([[9, 5], [35, 4]], r"\[\[9, 5\], \[35, 4\]\] are no graph: 9 atoms .* \[36, n\]"),
        ([[9, 5], [36, 2]], r"\[\[9, 5\], \[36, 2\]\] are no graph: .* n of 3 or more"),
        ([[9, 5]], r"\[\[9, 5\]\] are no graph: 9 atoms ask for one more group"),
        ([[9, 5], [18, 4], [18, 4]], r"\[18, 4\]\] are no graph: 9 atoms ask for one more group"),
    ],
)
def test_groups_that_are_no_graph_are_named(groups, wanted):
    with pytest.raises(ValueError, match=wanted):
        WalkCounts(groups)


def test_groups_that_do_not_fit_the_input_are_named():
    with pytest.raises(ValueError, match=r"describe 189 features, the input has shape \(190,\)"):
        GraphEncoder((190,), 3, GROUPS, walks=0.3, **DENSE)
