"""Files are whole or absent."""

import errno
import json
import math
import os

import pytest
import torch

from gicnn.files import sole_writer, write_atomically, write_json
from gicnn.tensors import load_tensors, save_tensors


def test_failed_block_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail():
        with write_atomically(path) as temporary:
            temporary.write_text("half")
            raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        fail()

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_successful_block_replaces_the_file(tmp_path):
    path = tmp_path / "new" / "a.txt"
    with write_atomically(path) as temporary:
        temporary.write_text("whole")

    assert path.read_text() == "whole"
    assert list(path.parent.iterdir()) == [path]


def test_file_can_be_read_as_widely_as_any_other(tmp_path):
    (tmp_path / "usual").touch()
    write_json(tmp_path / "ours.json", {})
    assert (tmp_path / "ours.json").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_json_has_no_nan(tmp_path):
    with pytest.raises(ValueError, match=r"a\.json cannot hold"):
        write_json(tmp_path / "a.json", {"a": math.nan})
    assert list(tmp_path.iterdir()) == []


def test_json_is_read_back(tmp_path):
    write_json(tmp_path / "a.json", {"b": [1, 0.1], "a": "é"})
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == {
        "a": "é",
        "b": [1, 0.1],
    }


def test_full_disk_keeps_the_old_weights_and_says_what_to_do(tmp_path, monkeypatch):
    path = tmp_path / "weights.safetensors"
    save_tensors(path, {"a": torch.ones(2)})

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="free some space and run again"):
        save_tensors(path, {"a": torch.zeros(2)})

    assert torch.equal(load_tensors(path)[0]["a"], torch.ones(2))
    assert list(tmp_path.iterdir()) == [path]


def test_equal_tensors_and_notes_give_equal_bytes(tmp_path):
    tensors = {name: torch.arange(3.0) for name in "abcdef"}
    save_tensors(tmp_path / "one", tensors, {"x": 1, "y": 2})
    save_tensors(tmp_path / "two", dict(reversed(tensors.items())), {"x": 1, "y": 2})

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert load_tensors(tmp_path / "one")[1] == {"x": 1, "y": 2}


def test_damaged_file_is_named(tmp_path):
    (tmp_path / "weights").write_bytes(b"<html>not tensors</html>")
    with pytest.raises(ValueError, match="weights is damaged"):
        load_tensors(tmp_path / "weights")


def test_second_writer_is_refused_until_the_first_is_done(tmp_path):
    path = tmp_path / "checkpoint"
    with sole_writer(path):
        second = sole_writer(path)
        with pytest.raises(RuntimeError, match="another process is working on"):
            second.__enter__()
    with sole_writer(path):
        pass


def test_leftovers_of_a_killed_writer_go(tmp_path):
    (tmp_path / ".a.json.x1y2.json").write_text("half")
    (tmp_path / ".other.json.x1y2.json").write_text("not ours")
    write_json(tmp_path / "a.json", {})
    assert {path.name for path in tmp_path.iterdir()} == {"a.json", ".other.json.x1y2.json"}
