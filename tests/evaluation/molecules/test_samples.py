"""Directions are uniform, and what they lead to is counted and looked up."""

from dataclasses import replace

import pytest
import torch

from gicnn.evaluation.molecules import samples
from gicnn.evaluation.molecules.clusters import Cluster
from gicnn.evaluation.molecules.samples import for_chemists, sample_molecules
from gicnn.files import write_json
from gicnn.levelset import to_spherical

SETTINGS = {"quantiles": [0.9], "count": 4000, "starts": 4, "seed": 0}


@pytest.fixture
def sampled(reader, molecules):
    return sample_molecules(reader, molecules, [Cluster(60, 2.0, 0.8)], **SETTINGS)


def test_each_molecule_of_a_level_has_one_row(sampled):
    table = sampled[0]

    assert not table.duplicated(["level_id", "directions", "smiles"]).any()
    assert set(table["smiles"]) == {"CC", "CO", "OC"}
    assert (table.groupby(["level_id", "directions"])["samples"].sum() < 4000).all()


def test_directions_favour_no_graph(sampled):
    """Each of four graphs has the same share of the directions, and one is no molecule."""
    for entry in sampled[1]["levels"]:
        assert entry["uniform"]["reached_share"] == 1
        assert entry["uniform"]["valid_share"] == pytest.approx(3 / 4, abs=0.03)
    uniform = sampled[0].query("directions == 'uniform'")
    assert uniform["samples"].to_numpy() == pytest.approx(1000, abs=120)


def test_directions_come_from_a_distribution_that_no_rotation_changes(
    monkeypatch, reader, molecules
):
    """Of a uniform one in d dimensions a coordinate has the fourth moment 3 / (d (d + 2))."""
    seen = []

    def angles_only(directions):
        seen.append(torch.nn.functional.normalize(directions, dim=-1))
        return to_spherical(directions)

    monkeypatch.setattr(samples, "to_spherical", angles_only)
    sample_molecules(reader, molecules, [Cluster(60, 2.0, 0.8)], **SETTINGS)
    uniform = seen[0]
    assert uniform.shape == (4000, 4)
    assert uniform.pow(4).mean().item() == pytest.approx(3 / (4 * 6), abs=0.004)


def test_other_directions_follow_the_codes(reader, molecules):
    """Where all codes lie about that of CC, so does all that is found."""
    train = molecules["train"]
    x = 3 * train.x[:1] + 0.1 * torch.randn(60, 4)
    about = molecules | {"train": replace(train, x=x)}
    table, summary = sample_molecules(reader, about, [Cluster(60, 2.0, 0.8)], **SETTINGS)

    assert set(table.query("directions == 'like_codes'")["smiles"]) == {"CC"}
    assert [entry["like_codes"]["valid_share"] for entry in summary["levels"]] == [1, 1]
    assert [entry["like_codes"]["different"] for entry in summary["levels"]] == [1, 1]


def test_what_is_valid_unique_and_novel_is_counted(sampled):
    entry = sampled[1]["levels"][1]["uniform"]

    assert entry["different"] == 3
    assert entry["novel_share"] == pytest.approx(1 / 3)  # OC is not known
    assert entry["trained_on"] == 1
    assert entry["predicted"]["mean"] == pytest.approx(2.0)
    assert entry["prediction_deviation"]["mean"] == pytest.approx(1.0)
    assert entry["deviation"]["mean"] == pytest.approx((2 + 1) / 2)


def test_the_table_explains_itself(sampled):
    table = for_chemists(sampled[0], "gap", "kcal/mol")

    assert table.columns[0] == "smiles"
    assert table.query("smiles == 'OC'")["novel"].all()
    assert not table.query("smiles == 'CC'")["novel"].any()
    assert table.query("smiles == 'CO'")["gap_in_qm9"].unique().tolist() == [2.0]
    assert set(table["unit"]) == {"kcal/mol"}


def test_same_seed_gives_the_same_molecules(reader, molecules, sampled):
    again = sample_molecules(reader, molecules, [Cluster(60, 2.0, 0.8)], **SETTINGS)
    assert again[0].equals(sampled[0])


def test_a_model_without_the_level_gives_none_and_says_so(reader, molecules, tmp_path):
    clusters = [Cluster(60, -5.0, 0.8)]
    table, summary = sample_molecules(reader, molecules, clusters, **SETTINGS | {"quantiles": []})
    write_json(tmp_path / "summary.json", summary)

    assert len(table) == 0
    uniform = summary["levels"][0]["uniform"]
    assert (uniform["reached_share"], uniform["valid_share"]) == (0, 0)
    assert summary["levels"][0]["like_codes"]["novel_share"] is None
