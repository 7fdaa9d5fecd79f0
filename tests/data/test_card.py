"""Cards tell what is in a dataset, and datasets are saved whole."""

import json

import torch
from safetensors.torch import load_file

from gicnn.data.card import describe
from gicnn.data.dataset import save_dataset
from gicnn.data.grids import build_grid

SETTINGS = {
    "function": "rosenbrock",
    "extent": 0.4,
    "points_per_side": 5,
    "validation": 4,
    "test": 3,
    "seed": 1,
}


def test_the_card_counts_what_there_is():
    card = describe(build_grid(**SETTINGS), SETTINGS, {"raw": {"size": 1, "sha256": "0"}})

    assert card["count"] == 32
    assert {name: part["count"] for name, part in card["splits"].items()} == {
        "train": 25,
        "validation": 4,
        "test": 3,
    }
    assert card["tensors"]["x"]["shape"] == [32, 2]
    assert card["tensors"]["x"]["dtype"] == "float32"
    assert card["settings"] == SETTINGS
    assert card["sources"] == {"raw": {"size": 1, "sha256": "0"}}
    assert json.loads(json.dumps(card, allow_nan=False)) == card


def test_saving_twice_gives_the_same_bytes_and_loading_the_same_tensors(tmp_path):
    data = build_grid(**SETTINGS)
    save_dataset(data, tmp_path / "first")
    save_dataset(build_grid(**SETTINGS), tmp_path / "second")

    loaded = load_file(tmp_path / "first")

    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert loaded.keys() == data.tensors.keys()
    assert all(torch.equal(loaded[name], tensor) for name, tensor in data.tensors.items())
