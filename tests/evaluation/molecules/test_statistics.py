"""What is met on many paths is counted once a path, and summed up without a mistake."""

import json

import numpy as np
import pandas as pd
import pytest
import torch

from gicnn.evaluation.molecules.clusters import Cluster
from gicnn.evaluation.molecules.statistics import graphs_met, measure_molecule_paths
from gicnn.evaluation.molecules.summary import summarise_paths
from gicnn.evaluation.paths.walks import WAYS
from gicnn.files import write_json

SETTINGS = {"candidates": 30, "pairs": 25, "steps": 11, "starts": 4, "seed": 0}
CC, CO, NONE = [1.0, 0, 1, 0], [1.0, 0, 0, 1], [0, 1.0, 0, 1]


def test_a_graph_counts_once_for_each_path_where_it_first_appears(reader):
    points = torch.tensor([[CO, CC, CC, NONE, CC], [CO, CO, NONE, NONE, NONE]]).double()
    points[1, 1] = torch.nan
    ends = np.array([["CO", "OC"], ["OC", "CC"]], dtype=object)
    table = graphs_met(reader, points, ends)

    assert table["pair"].tolist() == [0, 0, 1]
    assert table["smiles"].tolist() == ["CO", "CC", "CO"]
    assert table["position"].tolist() == [0.0, 0.25, 0.0]
    assert table["points"].tolist() == [1, 3, 1]
    assert table["end"].tolist() == [True, False, False]


@pytest.fixture
def measured(reader, molecules):
    clusters = [Cluster(60, 2.0, 0.8)]
    return measure_molecule_paths(reader, molecules, clusters, quantiles=[0.9], **SETTINGS)


def test_every_level_has_its_paths_lines_and_random_molecules(measured, molecules):
    table, summary = measured

    assert [(entry["id"], entry["level"]) for entry in summary["levels"]] == [
        ("cluster", 2.0),
        ("q90", 3.0),
    ]
    for name in ("cluster", "q90"):
        rows = table[table["level_id"] == name]
        assert set(rows["kind"]) == {*WAYS, "random"}
        assert (rows["kind"] == "random").sum() == len(molecules["test"].y)
        assert rows[rows["kind"] != "random"]["pair"].nunique() > 20
    assert (
        not table.duplicated(["level_id", "kind", "pair", "smiles"])
        .loc[table["kind"] != "random"]
        .any()
    )


def test_the_error_of_the_model_is_that_on_the_test_split(measured):
    # The model says 2 of every graph; a third of the test molecules have 1, 2 and 3 each.
    assert measured[1]["model_mae"] == pytest.approx(2 / 3)
    assert measured[1]["levels"][1]["random"]["deviation"]["mean"] == pytest.approx(1.5)


def test_same_seed_gives_the_same_table(reader, molecules, measured):
    again = measure_molecule_paths(
        reader, molecules, [Cluster(60, 2.0, 0.8)], quantiles=[0.9], **SETTINGS
    )
    pd.testing.assert_frame_equal(measured[0], again[0])


def test_ways_bend_as_far_as_they_get_from_their_chords(measured):
    bend = measured[1]["levels"][1]["bend"]
    assert set(bend) == set(WAYS)
    assert bend["straight"]["p90"] == pytest.approx(0, abs=1e-12)
    assert bend["great_circle"]["p90"] > 0.01
    assert measured[1]["levels"][1]["reached_share"] == dict.fromkeys(WAYS, 1.0)


def test_a_model_without_the_level_meets_nothing_and_says_so(reader, molecules, tmp_path):
    clusters = [Cluster(60, -5.0, 0.8)]
    table, summary = measure_molecule_paths(reader, molecules, clusters, quantiles=[], **SETTINGS)
    write_json(tmp_path / "summary.json", summary)
    entry = json.loads((tmp_path / "summary.json").read_text())["levels"][0]

    assert set(table["kind"]) == {"random"}
    assert set(entry["reached_share"].values()) == {0}
    assert entry["level_set"]["valid_share"] == entry["level_set"]["known_share"] == 0
    assert entry["level_set"]["found_share"] is None
    assert entry["level_set"]["deviation"] is None


def rows(kind, *graphs):
    """Graphs on paths: pair, SMILES, points, end, index and true property (None if unknown)."""
    names = ["pair", "smiles", "points", "end", "qm9_index", "true_y"]
    table = pd.DataFrame(graphs, columns=names).astype({"qm9_index": "Int64", "true_y": float})
    return table.assign(
        kind=kind, level_id="cluster", level=10.0, split="train", predicted=table["true_y"] + 1
    )


def test_shares_and_deviations_are_those_of_a_count_by_hand():
    table = pd.concat(
        [
            rows(
                "level_set",
                (0, "A", 4, True, 1, 10.0),  # an end: counts among points only
                (0, "B", 2, False, 2, 11.0),
                (0, "C", 1, False, 3, 14.0),
                (1, "B", 2, False, 2, 11.0),
                (1, "D", 1, False, None, None),
            ),
            rows("random", (None, "A", 0, False, 1, 10.0), (None, "E", 0, False, 9, 30.0)),
        ],
        ignore_index=True,
    )
    table.loc[table["smiles"] == "C", ["split", "predicted"]] = ["test", 17.0]
    summary = summarise_paths(
        table,
        {"id": "cluster", "level": 10.0},
        {"pairs": 2, "steps": 10, "model_mae": 2.0},
        np.array([1.0, 3.0]),
    )
    paths = summary["level_set"]

    assert paths["valid_share"] == pytest.approx(10 / 20)
    assert paths["known_share"] == pytest.approx(9 / 20)
    assert paths["end_share"] == pytest.approx(4 / 20)
    assert (paths["graphs"], paths["different_graphs"], paths["found"]) == (4, 3, 3)
    assert paths["found_share"] == pytest.approx(3 / 4)
    assert paths["paths_all_found_share"] == pytest.approx(1 / 2)
    assert paths["deviation"]["mean"] == pytest.approx((1 + 4 + 1) / 3)
    assert paths["within_error_share"] == pytest.approx(2 / 3)
    assert paths["paths_within_error_share"] == pytest.approx(1 / 2)
    assert paths["unseen"] == 1
    assert paths["deviation_unseen"]["mean"] == pytest.approx(4)
    assert paths["prediction_error"] == pytest.approx(3)
    assert paths["prediction_error_trained_on"] == pytest.approx(1)
    assert summary["random"]["deviation"]["mean"] == pytest.approx(10)
    assert summary["straight"]["graphs"] == 0
    assert summary["level_set"]["over_straight"] is None
    assert summary["model"]["deviation"]["mean"] == pytest.approx(2)
    assert summary["model"]["within_error_share"] == pytest.approx(1 / 2)


def test_the_ratio_to_straight_lines_has_an_interval_over_pairs():
    """Pairs differ far more from each other than the two ways between the ends of one."""
    rng = np.random.default_rng(0)
    sizes = rng.lognormal(sigma=1.0, size=40)
    tables = [
        rows(kind, *((pair, name, 1, False, 1, 10 + times * size * rng.uniform(0.9, 1.1))
                     for pair, size in enumerate(sizes) for name in "AB"))
        for kind, times in (("level_set", 2.0), ("straight", 1.0))
    ]  # fmt: skip
    tables.append(rows("random", (None, "E", 0, False, 9, 30.0)))
    facts = {"pairs": 40, "steps": 10, "model_mae": 2.0}
    entry = {"id": "cluster", "level": 10.0}
    table = pd.concat(tables, ignore_index=True)
    found = summarise_paths(table, entry, facts, np.ones(2))["level_set"]["over_straight"]

    means = [table.query("kind == @kind")["true_y"].mean() - 10 for kind in WAYS[::2]]
    assert found["value"] == pytest.approx(means[0] / means[1])
    assert found["interval"][0] < found["value"] < found["interval"][1]
    assert found["interval"][1] - found["interval"][0] < 0.2
    drawn = [rng.choice(part["true_y"] - 10, (500, 80)).mean(1) for part in tables[:2]]
    assert np.ptp(np.quantile(drawn[0] / drawn[1], [0.025, 0.975])) > 0.6  # if not of pairs
