"""A file counts only if it is the known one; the message tells what it is instead."""

import gzip
import hashlib

import pytest

from gicnn.data.checks import AlteredFileError, KnownFile, check_files

CONTENT = b"some bytes that are known" * 100
PACKED = gzip.compress(CONTENT, mtime=0)


@pytest.fixture
def known():
    return KnownFile("data.bin", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))


def refusal(known, candidate, folder):
    with pytest.raises(AlteredFileError) as caught:
        known.accept(candidate, folder / "place" / known.name)
    assert list((folder / "place").iterdir()) == []
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"), [("data.bin", CONTENT), ("data.bin.gz", PACKED)], ids=["plain", "packed"]
)
def test_the_known_file_is_taken_packed_or_not(known, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)

    known.accept(tmp_path / name, tmp_path / "place" / "data.bin")

    assert (tmp_path / "place" / "data.bin").read_bytes() == CONTENT
    assert known.problem(tmp_path / "place" / "data.bin") is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (CONTENT[:-1] + b"X", "its length is right but bytes were altered"),
        (CONTENT[:50], "truncated"),
        (CONTENT + b"more", "too long"),
        (b"", "empty"),
        (b"\n<!DOCTYPE html><html>Please log in</html>", "an HTML page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
    ],
)
def test_another_file_is_refused_with_digests_and_sizes(known, tmp_path, content, reason):
    candidate = tmp_path / "data.bin"
    candidate.write_bytes(content)

    message = refusal(known, candidate, tmp_path)

    assert reason in message
    assert str(candidate) in message
    assert known.sha256 in message
    assert f"bytes expected {len(CONTENT):,}, found" in message
    assert len(content) > len(CONTENT) or hashlib.sha256(content).hexdigest() in message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(PACKED[:-9], "truncated or altered", id="truncated"),
        pytest.param(PACKED[:-8] + b"XXXX" + PACKED[-4:], "does not unpack", id="altered"),
        pytest.param(b"<html>Not found</html>", "an HTML page", id="page"),
        pytest.param(b"no archive at all", "does not unpack", id="other"),
        pytest.param(gzip.compress(CONTENT[:-1] + b"X"), "bytes were altered", id="content"),
    ],
)
def test_a_bad_archive_is_refused(known, tmp_path, content, reason):
    candidate = tmp_path / "data.bin.gz"
    candidate.write_bytes(content)

    message = refusal(known, candidate, tmp_path)

    assert reason in message
    assert known.sha256 in message


def test_an_archive_that_unpacks_to_more_is_cut_short(known, tmp_path, monkeypatch):
    (tmp_path / "data.bin.gz").write_bytes(gzip.compress(bytes(50_000_000)))
    seen = []
    monkeypatch.setattr(
        KnownFile, "_difference", lambda self, size: seen.append(size) or "it is too long"
    )

    message = refusal(known, tmp_path / "data.bin.gz", tmp_path)

    assert seen == [len(CONTENT) + 1]
    assert "or more" in message


def test_a_refused_candidate_leaves_what_was_there(known, tmp_path):
    place = tmp_path / "data.bin"
    place.write_bytes(CONTENT)
    (tmp_path / "bad.bin").write_bytes(b"bad")

    with pytest.raises(AlteredFileError):
        known.accept(tmp_path / "bad.bin", place)

    assert place.read_bytes() == CONTENT


def test_a_writer_that_dies_leaves_no_file_of_that_name(known, tmp_path, monkeypatch):
    candidate = tmp_path / "data.bin"
    candidate.write_bytes(CONTENT)

    def die(source, target, limit):
        target.write(source.read(10))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gicnn.data.checks._copy", die)

    with pytest.raises(OSError, match="no space left to write it"):
        known.accept(candidate, tmp_path / "place" / "data.bin")
    assert list((tmp_path / "place").iterdir()) == []


def test_checking_files_says_what_to_do(known, tmp_path):
    path = tmp_path / "data.bin"
    files = {"data.bin": {"sha256": known.sha256, "size": known.size}}
    path.write_bytes(CONTENT)
    check_files([path], files)

    path.write_bytes(CONTENT[:-1] + b"X")
    with pytest.raises(AlteredFileError, match="Delete it and run again"):
        check_files([path], files)
    path.unlink()
    with pytest.raises(AlteredFileError, match="is not there"):
        check_files([path], files)
