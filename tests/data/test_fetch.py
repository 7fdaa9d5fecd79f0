"""Files are fetched once, from the first source that has the right ones, or not at all."""

import gzip
import hashlib
import json
import subprocess
import sys
import time

import pytest

from gicnn.data import fetch as fetching
from gicnn.data.fetch import FetchError, fetch
from gicnn.data.sources import SOURCES, Source, SourceError

CONTENT = {"a.bin": b"first file" * 50, "b.bin": b"second file" * 50}
FILES = {
    name: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
    for name, content in CONTENT.items()
}


class FlakySource(Source):
    """Fails as often as it is told to, then gives everything."""

    failures = 0
    calls = 0

    def collect(self, files, scratch, time_limit):
        FlakySource.calls += 1
        if FlakySource.calls <= FlakySource.failures:
            raise SourceError("no network")
        for file in files:
            (scratch / file.name).write_bytes(CONTENT[file.name])
        return [scratch / file.name for file in files]

    def __str__(self):
        return "flaky source"


SLOW_FETCH = """
import json, sys, time
from gicnn.data.fetch import fetch
from gicnn.data.sources import SOURCES, Source

class SlowSource(Source):
    def collect(self, files, scratch, time_limit):
        (scratch / "a.bin").write_bytes(b"first file")
        time.sleep(60)

    def __str__(self):
        return "slow source"

SOURCES["slow"] = SlowSource
fetch(sys.argv[1], json.loads(sys.argv[2]), [{"kind": "slow"}], 1, 60)
"""


@pytest.fixture(autouse=True)
def _sources(monkeypatch):
    monkeypatch.setitem(SOURCES, "flaky", FlakySource)
    monkeypatch.setattr(fetching, "_PAUSE", 0.0)
    monkeypatch.setattr(FlakySource, "calls", 0)
    monkeypatch.setattr(FlakySource, "failures", 0)


def source_folder(path, contents):
    path.mkdir()
    for name, content in contents.items():
        (path / name).write_bytes(content)
    return {"kind": "folder", "folder": str(path)}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def assert_whole(folder):
    assert names(folder) == sorted(CONTENT)
    assert all((folder / name).read_bytes() == content for name, content in CONTENT.items())


def test_files_come_from_a_folder(tmp_path):
    packed = {"a.bin": CONTENT["a.bin"], "b.bin.gz": gzip.compress(CONTENT["b.bin"])}

    fetch(tmp_path / "raw", FILES, [source_folder(tmp_path / "here", packed)], 1, 10)

    assert_whole(tmp_path / "raw")


def test_what_is_there_is_not_fetched_again(tmp_path):
    fetch(tmp_path / "raw", FILES, [{"kind": "flaky"}], 1, 10)
    fetch(tmp_path / "raw", FILES, [{"kind": "flaky"}], 1, 10)

    assert FlakySource.calls == 1
    assert_whole(tmp_path / "raw")


def test_each_source_fills_what_the_ones_before_lack(tmp_path):
    first = source_folder(tmp_path / "first", {"a.bin": CONTENT["a.bin"]})
    second = source_folder(tmp_path / "second", {"b.bin": CONTENT["b.bin"]})

    fetch(tmp_path / "raw", FILES, [first, second, {"kind": "flaky"}], 1, 10)

    assert FlakySource.calls == 0
    assert_whole(tmp_path / "raw")


@pytest.mark.parametrize("wrong", [b"<html>", CONTENT["a.bin"][:-1] + b"X", b""])
def test_a_wrong_file_is_passed_over_for_the_next_source(tmp_path, caplog, wrong):
    bad = source_folder(tmp_path / "bad", CONTENT | {"a.bin": wrong})

    fetch(tmp_path / "raw", FILES, [bad, {"kind": "flaky"}], 1, 10)

    assert_whole(tmp_path / "raw")
    assert "is not the known a.bin" in caplog.text


def test_a_file_altered_in_place_is_replaced(tmp_path, caplog):
    fetch(tmp_path / "raw", FILES, [{"kind": "flaky"}], 1, 10)
    (tmp_path / "raw" / "a.bin").write_bytes(CONTENT["a.bin"][:-1] + b"X")

    fetch(tmp_path / "raw", FILES, [{"kind": "flaky"}], 1, 10)

    assert_whole(tmp_path / "raw")
    assert "bytes were altered" in caplog.text
    assert "it will be replaced" in caplog.text


def test_a_network_is_tried_again_and_a_folder_is_not(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(FlakySource, "failures", 2)
    empty = source_folder(tmp_path / "empty", {})

    with caplog.at_level("INFO"):
        fetch(tmp_path / "raw", FILES, [empty, {"kind": "flaky"}], 3, 10)

    assert FlakySource.calls == 3
    assert caplog.text.count("trying folder") == 1
    assert_whole(tmp_path / "raw")


def test_when_all_fail_each_is_listed_with_its_reason_and_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(FlakySource, "failures", 99)
    bad = source_folder(tmp_path / "bad", {"a.bin": b"<html>"})

    with pytest.raises(FetchError) as caught:
        fetch(tmp_path / "raw", FILES, [bad, {"kind": "flaky"}], 2, 10)

    message = str(caught.value)
    assert "lacks a.bin, b.bin" in message
    assert "it is an HTML page" in message
    assert "b.bin is not there" in message
    assert "flaky source: no network" in message
    assert f"put the files into the folder {tmp_path / 'bad'}" in message
    assert names(tmp_path / "raw") == []


def test_a_full_disk_is_a_reason_like_others(tmp_path, monkeypatch):
    def fail(source, target, limit):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gicnn.data.checks._copy", fail)

    with pytest.raises(FetchError, match="no space left to write it"):
        fetch(tmp_path / "raw", FILES, [{"kind": "flaky"}], 1, 10)
    assert names(tmp_path / "raw") == []


def test_no_attempt_starts_after_the_time_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(FlakySource, "failures", 99)
    monkeypatch.setattr(fetching, "_PAUSE", 1.0)

    with pytest.raises(FetchError):
        fetch(tmp_path / "raw", FILES, [{"kind": "flaky"}], 99, 0.2)

    assert FlakySource.calls == 1


def test_a_killed_fetch_leaves_nothing_that_counts_and_goes_on(tmp_path):
    raw = tmp_path / "raw"
    command = [sys.executable, "-c", SLOW_FETCH, str(raw), json.dumps(FILES)]
    process = subprocess.Popen(command)
    while not list(raw.glob(".incoming-*/a.bin")):
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert not set(names(raw)) & set(FILES)

    fetch(raw, FILES, [{"kind": "flaky"}], 1, 10)

    assert_whole(raw)
