"""Reconstructions that are molecules are counted, whether they are the right ones or not."""

import torch

from gicnn.evaluation.molecules.names import likeliest_names, reconstructed_as_molecules

NAMES = {(1, 0, 1, 0): "CC", (1, 0, 0, 1): "CO"}


def decode(codes):
    return [NAMES.get(tuple(int(value) for value in code), "") for code in codes]


def test_a_wrong_molecule_is_one_and_a_graph_without_name_is_none(graphs):
    x = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [1, 0, 1, 0]])
    assert reconstructed_as_molecules(graphs, decode, x).tolist() == [True, False, True, True]

    graphs.decoder.forward = lambda z: 20 * torch.cat([z[:, :2], z[:, [3, 2]]], -1)
    assert likeliest_names(graphs, decode, x) == ["CO", "", "CC", "CO"]
    assert reconstructed_as_molecules(graphs, decode, x).tolist() == [True, False, True, True]


def test_what_is_not_finite_has_no_name(graphs):
    z = torch.tensor([[1.0, 0, 1, 0], [1, torch.nan, 1, 0]])
    assert likeliest_names(graphs, decode, z) == ["CC", ""]
