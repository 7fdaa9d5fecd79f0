"""Latent points have the names of molecules, and molecules what is known of them."""

import pandas as pd
import pytest
import torch


def test_points_have_the_names_of_their_likeliest_graphs(reader):
    points = torch.tensor(
        [[0.6, 0.4, 0.9, 0.1], [3.0, -1.0, 0.0, 2.0], [0.0, 1.0, 0.0, 1.0], [0.6, 0.4, 0.9, 0.1]]
    ).double()
    assert reader.names(points) == ["CC", "CO", "", "CC"]


def test_points_that_are_not_there_have_no_name(reader):
    points = torch.tensor([[1.0, 0.0, 1.0, 0.0]] * 3).double()
    points[1] = torch.nan
    points[2, 0] = torch.inf
    assert reader.names(points) == ["CC", "", ""]


def test_known_molecules_come_with_their_facts_and_others_without(reader):
    facts = reader.facts(["CO", "OC", "", "CC", "OC"])

    assert facts.index.tolist() == ["CC", "CO", "OC"]
    assert facts["qm9_index"].tolist() == [5, 700, pd.NA]
    assert facts["split"].tolist() == ["train", "", ""]
    assert facts["true_y"].tolist()[:2] == [1.0, 2.0]
    assert facts["true_y"].isna().tolist() == [False, False, True]
    assert facts["predicted"].tolist() == [2.0, 2.0, 2.0]  # |z|^2 of a graph of two places


def test_a_molecule_that_has_no_graph_has_no_prediction(reader):
    facts = reader.facts(["CC", "CCCC"])
    assert facts["predicted"].isna().tolist() == [False, True]


@pytest.mark.parametrize("names", [[], ["", ""]])
def test_of_nothing_nothing_is_known(reader, names):
    assert len(reader.facts(names)) == 0
