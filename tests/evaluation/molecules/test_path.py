"""The path of Figure 6 runs on its level, and what it meets is looked up."""

import pandas as pd
import pytest

from gicnn.evaluation.molecules.clusters import Cluster
from gicnn.evaluation.molecules.path import _summary, follow_molecule_path
from gicnn.files import write_json

CLUSTERS = [Cluster(20, 1.0, 0.1), Cluster(40, 3.0, 0.1)]


@pytest.fixture
def followed(reader, molecules):
    return follow_molecule_path(reader, molecules, CLUSTERS, candidates=20, steps=9, starts=3)


def test_the_level_is_the_largest_cluster_s_and_every_point_is_on_it(followed):
    table, summary = followed
    path = table[table["kind"] == "path"]

    assert summary["level"] == 3.0
    assert path["y"].to_numpy() == pytest.approx(3.0)
    assert path["t"].tolist() == [step / 8 for step in range(9)]


def test_the_references_are_the_two_that_the_minimum_sees_farthest_apart(followed):
    """CO and OC have no place in common, so the angle between them is the widest."""
    table = followed[0]
    assert set(table[table["kind"] == "reference"]["smiles"]) == {"CO", "OC"}


def test_graphs_between_the_references_are_looked_up(followed, tmp_path):
    table, summary = followed
    names = table[table["kind"] == "path"]["smiles"].tolist()
    write_json(tmp_path / "summary.json", summary)

    assert names == [*["OC"] * 4, "CC", *["CO"] * 4]
    assert (table["qm9_index"].notna() == table["smiles"].isin(["CC", "CO"])).all()
    assert (summary["unique"], summary["found"], summary["found_share"]) == (1, 1, 1.0)
    assert (summary["reached_share"], summary["valid_share"]) == (1, 1)
    assert summary["minimum_attained"]


def test_a_model_without_the_level_has_a_path_of_nothing(reader, molecules, tmp_path):
    clusters = [Cluster(60, -5.0, 0.8)]
    table, summary = follow_molecule_path(
        reader, molecules, clusters, candidates=20, steps=9, starts=3
    )
    write_json(tmp_path / "summary.json", summary)

    assert table.loc[table["kind"] == "path", "y"].isna().all()
    assert (summary["valid_share"], summary["unique"], summary["reached_share"]) == (0, 0, 0)


def graphs(*names):
    known = {"CO": (7, 140.0), "CC": (8, 136.0)}
    rows = [(name, name != "", *known.get(name, (None, None))) for name in names]
    table = pd.DataFrame(rows, columns=["smiles", "valid", "qm9_index", "true_y"])
    return table.astype({"qm9_index": "Int64", "true_y": float}).assign(radius=1.0)


def test_the_summary_counts_each_graph_between_the_ends_once():
    path = graphs("C", "CO", "CO", "", "CC", "CCC", "C", "CCC", "", "C")
    summary = _summary(path, {"C"}, CLUSTERS, 139.0, 1.0)

    assert summary["valid_share"] == pytest.approx(0.8)
    assert (summary["unique"], summary["found"]) == (3, 2)
    assert summary["deviation_mae"] == pytest.approx(2.0)


def test_the_summary_of_no_molecules_has_no_averages():
    summary = _summary(graphs("", ""), set(), CLUSTERS, 139.0, 1.0)
    assert summary["found_share"] is None
    assert summary["deviation_mae"] is None
