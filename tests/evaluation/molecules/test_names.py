"""Reconstructions that are molecules are counted, whether they are the right ones or not."""

import torch

from gicnn.evaluation.molecules.names import likeliest_names, reconstructed_as_molecules


def test_a_wrong_molecule_is_one_and_a_graph_without_name_is_none(reader, graphs):
    x = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]).double()
    assert reconstructed_as_molecules(graphs, reader.decode, x).tolist() == [
        True,
        False,
        True,
        True,
    ]

    graphs.decoder.forward = lambda z: 20 * z[:, [1, 0, 2, 3]]
    assert likeliest_names(graphs, reader.decode, x) == ["OC", "CO", "", "CC"]
    assert reconstructed_as_molecules(graphs, reader.decode, x).tolist() == [
        True,
        True,
        False,
        True,
    ]


def test_what_is_not_finite_has_no_name(reader, graphs):
    z = torch.tensor([[1.0, 0, 1, 0], [1, torch.nan, 1, 0]]).double()
    assert reader.decode(graphs.likelihood.mode(graphs.decode(z)).numpy()) == ["CC", "OC"]
    assert likeliest_names(graphs, reader.decode, z) == ["CC", ""]
