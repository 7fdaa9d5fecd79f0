"""Every molecule is in the table: in a split, or with the reason why not."""

import pandas as pd
import pyarrow.parquet as pq
import pytest
import torch

from gicnn.data import molecules
from gicnn.data.encoding import encode_all
from gicnn.data.graphs import GraphCode
from gicnn.data.molecules import build_qm9, save_molecules, selection
from gicnn.data.properties import HARTREE

SETTINGS = {
    "stoichiometry": {"C": 2, "N": 0, "O": 1, "F": 0},
    "elements": ["C", "N", "O", "F"],
    "max_atoms": 9,
    "ordering": "inchi",
    "property": "gap",
    "train": 2,
    "validation": 1,
    "test": 1,
    "seed": 1,
}


def test_unfit_molecules_are_left_out_with_the_reason(wheel):
    data, table = build_qm9(wheel, **SETTINGS)
    table = table.set_index("qm9_index")

    assert "does not parse" in table.loc[3, "reason"]
    assert "charged" in table.loc[4, "reason"]
    assert table.loc[[3, 4], "split"].tolist() == ["", ""]
    assert sorted(data.index.tolist()) == [1, 2, 5, 7]


def test_splits_in_table_and_tensors_agree(wheel):
    data, table = build_qm9(wheel, **SETTINGS)
    names = dict(zip(table["qm9_index"], table["split"], strict=True))

    found = [("train", "validation", "test")[split] for split in data.split]

    assert [names[index] for index in data.index.tolist()] == found
    assert sorted(found) == ["test", "train", "train", "validation"]
    assert ((table["split"] == "") == (table["reason"] != "")).all()


def test_rows_of_the_tensors_are_the_molecules_of_the_table(wheel):
    data, table = build_qm9(wheel, **SETTINGS)
    rows = table.set_index("qm9_index").loc[data.index.tolist()]
    code = GraphCode(SETTINGS["elements"], SETTINGS["max_atoms"], SETTINGS["ordering"])

    assert data.x.shape == (4, 189)
    assert code.decode_smiles(data.x.numpy()) == rows["smiles"].tolist()
    torch.testing.assert_close(data.y, torch.tensor(rows["y"].to_numpy()).float())


def test_molecules_that_no_split_takes_say_so(wheel):
    data, table = build_qm9(wheel, **SETTINGS | {"train": 1})

    assert len(data.y) == 3
    assert (table["reason"] == "not drawn for any split").sum() == 1


def test_the_selection_counts_every_molecule_of_the_stoichiometry(wheel):
    data, table = build_qm9(wheel, **SETTINGS | {"train": 1})
    summary = selection(table)

    assert summary["selected"] == 6
    assert summary["left_out"]["count"] == 6 - len(data.y) == 3
    assert sum(summary["left_out"]["reasons"].values()) == 3
    assert summary["left_out"]["reasons"]["not drawn for any split"] == 1


def test_a_molecule_that_is_there_twice_is_in_one_split_at_most(wheel, monkeypatch):
    """QM9 writes some aromatic molecules in both of their forms; here acetaldehyde is CCO."""
    again = encoding_in_which(monkeypatch, "CC=O", is_written_as="CCO")
    data, table = build_qm9(wheel, **SETTINGS | {"train": 1})
    twice = table[table["smiles"] == again]

    assert twice["qm9_index"].tolist() == [1, 7]
    assert 7 not in data.index
    assert twice["reason"].tolist()[1] == "has the same graph as an earlier one"


def encoding_in_which(monkeypatch, smiles, is_written_as):
    def encode(code, given, workers):
        return encode_all(code, [is_written_as if s == smiles else s for s in given], workers)

    monkeypatch.setattr(molecules, "encode_all", encode)
    return is_written_as


def test_another_property_is_another_column_in_its_unit(wheel):
    gap, dipole = (
        build_qm9(wheel, **SETTINGS | {"property": p})[0] for p in ("gap", "dipole_moment")
    )

    assert dipole.units["y"] == "debye"
    torch.testing.assert_close(dipole.y * HARTREE / 10, gap.y)
    torch.testing.assert_close(dipole.x, gap.x)


def test_asking_for_too_many_molecules_is_refused(wheel):
    with pytest.raises(ValueError, match="from 4 samples"):
        build_qm9(wheel, **SETTINGS | {"test": 2})


def test_the_table_is_saved_with_the_same_bytes_each_time(wheel, tmp_path):
    for name in ("first", "second"):
        save_molecules(build_qm9(wheel, **SETTINGS)[1], tmp_path / name)

    loaded = pd.read_parquet(tmp_path / "first")
    kinds = [str(field.type) for field in pq.read_schema(tmp_path / "first")]

    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert loaded["qm9_index"].tolist() == [1, 2, 3, 4, 5, 7]
    assert list(loaded.columns) == [
        "qm9_index",
        "smiles",
        "inchi",
        "split",
        "reason",
        "y",
        "elements",
        "coordinates",
    ]
    assert kinds == [
        "int64",
        *["string"] * 4,
        "double",
        "list<element: string>",
        "list<element: double>",
    ]
