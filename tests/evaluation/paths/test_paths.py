"""Paths keep their level from one reference to the other."""

import copy

import pytest
import torch

from gicnn.evaluation.paths.image_path import follow_image_path
from gicnn.evaluation.paths.interpolation import follow_path, latent_minimum
from gicnn.evaluation.paths.molecule_path import _look_up, _summary, follow_molecule_path
from gicnn.types import Split


def test_path_runs_on_the_level_between_the_ends(exact):
    exact.double()
    ends = torch.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
    centre = latent_minimum(exact, torch.randn(4, 2, dtype=torch.float64))
    path = follow_path(exact, centre, ends, level=9.0, steps=11)

    assert centre.norm() < 1e-5
    assert torch.allclose(path.inputs.norm(dim=-1), torch.full((11,), 2.0, dtype=torch.float64))
    assert torch.allclose(path.inputs[0], 2 * ends[0], atol=1e-4)
    assert torch.allclose(path.inputs[-1], ends[1], atol=1e-4)
    assert torch.allclose(path.cycled, torch.full((11,), 9.0, dtype=torch.float64))


def test_picture_path_is_judged_by_a_model_of_its_own(exact):
    x = torch.randn(200, 2)
    y = 1 + 2 * x.square().sum(-1)
    label = torch.arange(200) % 3
    split = Split(x, y, torch.arange(200), label)
    judge = copy.deepcopy(exact)
    judge.offset += 0.5
    tables, summary = follow_image_path(
        exact, judge, {"test": split, "validation": split},
        level=3.0, start_label=1, end_label=2, steps=7, starts=4,
    )  # fmt: skip
    references, path = tables

    assert references["label"].tolist() == [1, 2]
    assert references["index"][0] == (y - 3 + 1e6 * (label != 1)).abs().argmin()
    assert torch.allclose(path["y"], torch.full((7,), 3.0, dtype=torch.float64))
    assert summary["judge_deviation_mae"] == pytest.approx(0.5, abs=1e-5)
    assert summary["judge_test_mae"] == pytest.approx(0.5, abs=1e-5)


def test_molecule_path_is_looked_up_and_counts_what_is_no_molecule(graphs):
    x = torch.tensor([[1.0, 0, 0, 1], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0]]).repeat(30, 1)
    graphs.convex.forward = lambda z: (z - 0.5).square().sum(-1)
    y = torch.cat([torch.full((100,), 0.8), torch.full((20,), 9.0)])
    split = Split(x, y, torch.arange(120))
    names = {(0, 1): "CO", (1, 1): "CC"}

    def decode(codes):
        choices = ((code[:2].argmax(), code[2:].argmax()) for code in codes)
        return [names.get((int(a), int(b)), "") for a, b in choices]

    tables, summary = follow_molecule_path(
        graphs, {"train": split, "validation": split, "test": split}, decode, {"CO": (7, 140.0)},
        components=2, seed=0, candidates=4, steps=9, starts=3,
    )  # fmt: skip
    path = tables[1]

    assert summary["level"] == pytest.approx(0.8)
    assert torch.allclose(path["y"], torch.full((9,), 0.8, dtype=torch.float64))
    assert set(path["smiles"]) <= {"CO", "CC", ""}
    assert summary["valid_share"] == pytest.approx(sum(s != "" for s in path["smiles"]) / 9)
    assert [f for s, f in zip(path["smiles"], path["found"], strict=True) if s == "CC"] in (
        [],
        [False] * path["smiles"].count("CC"),
    )


def test_summary_of_molecules_counts_each_graph_once():
    known = {"CO": (7, 140.0), "CC": (8, 136.0)}
    smiles = ["CO", "CO", "", "CC", "CCC"]
    summary = _summary({"smiles": smiles} | _look_up(smiles, known), level=139.0)

    assert summary["valid_share"] == pytest.approx(0.8)
    assert (summary["unique"], summary["found"]) == (3, 2)
    assert summary["gap_deviation_mae"] == pytest.approx(2.0)


def test_summary_of_no_molecules_has_no_averages():
    summary = _summary({"smiles": [""]} | _look_up([""], {}), level=139.0)
    assert summary["found_share"] is None
    assert summary["gap_deviation_mae"] is None
