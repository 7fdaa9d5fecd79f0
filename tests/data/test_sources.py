"""Sources ask the right programs for files, and pass on why they failed."""

import gzip
import hashlib
from pathlib import Path

import pytest
import yaml
from torchvision.datasets import FashionMNIST

from gicnn.data import sources
from gicnn.data.checks import KnownFile
from gicnn.data.processes import ProgramError
from gicnn.data.sources import (
    SOURCES,
    DebianSource,
    FolderSource,
    PipSource,
    SourceError,
    TorchvisionSource,
    make_source,
)

FILES = [KnownFile("a.bin", "0" * 64, 1), KnownFile("b.bin", "1" * 64, 1)]
DEBIAN = Path("/usr/share/datasets/fashion-mnist")
WRITTEN = {"train": 1504176606, "t10k": 1504176627}


@pytest.fixture
def programs(monkeypatch):
    """Records the programs that would run; those named in ``failing`` fail."""
    calls, failing = [], set()

    def run(command, folder, time_limit):
        calls.append(list(command))
        if failing & set(command):
            raise ProgramError(f"{command[0]} ended with code 1: no network")

    monkeypatch.setattr(sources, "run_program", run)
    return calls, failing


def test_a_folder_gives_what_it_has_packed_or_not(tmp_path):
    (tmp_path / "a.bin").touch()
    (tmp_path / "b.bin.gz").touch()
    (tmp_path / "c.bin").touch()

    found = FolderSource(str(tmp_path)).collect(FILES, tmp_path, 1)

    assert [path.name for path in found] == ["a.bin", "b.bin.gz"]


def test_a_relative_folder_is_found_from_below(tmp_path, monkeypatch):
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / "a.bin").touch()
    (tmp_path / "runs" / "smoke").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "runs" / "smoke")

    found = FolderSource("downloads").collect(FILES, tmp_path, 1)

    assert found == [tmp_path / "downloads" / "a.bin"]


def test_a_run_elsewhere_finds_the_checkout_s_folder(tmp_path, monkeypatch):
    (tmp_path / "checkout/downloads").mkdir(parents=True)
    (tmp_path / "checkout/downloads/a.bin").touch()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setattr(sources, "REPOSITORY", tmp_path / "checkout")

    found = FolderSource("downloads").collect(FILES, tmp_path, 1)

    assert found == [tmp_path / "checkout/downloads/a.bin"]


def test_an_empty_folder_says_where_it_looked(tmp_path):
    with pytest.raises(SourceError, match=f"looked in {tmp_path}"):
        FolderSource(str(tmp_path)).collect(FILES, tmp_path, 1)


def test_pip_is_held_to_the_digest_and_names_no_address(tmp_path, programs):
    PipSource("package==1.0").collect(FILES[:1], tmp_path, 1)

    (command,) = programs[0]
    assert "--require-hashes" in command
    assert not any("://" in part for part in command)
    requirement = (tmp_path / "requirements.txt").read_text()
    assert requirement == f"package==1.0 --hash=sha256:{'0' * 64}\n"


def test_torchvision_gives_what_it_unpacked(tmp_path, programs):
    raw = tmp_path / "FashionMNIST" / "raw"
    raw.mkdir(parents=True)
    (raw / "a.bin").touch()

    assert TorchvisionSource("FashionMNIST").collect(FILES, tmp_path, 1) == [raw / "a.bin"]


def test_an_installed_package_is_used_as_it_is(tmp_path, programs):
    for file in FILES:
        (tmp_path / f"{file.name}.gz").touch()

    found = DebianSource("package", str(tmp_path)).collect(FILES, tmp_path, 1)

    assert len(found) == 2
    assert programs[0] == []


def test_apt_without_lists_gets_lists_of_its_own(tmp_path, programs):
    calls, failing = programs
    source = DebianSource("package", "/no/such/folder")
    (tmp_path / "first").mkdir()
    source.collect(FILES, tmp_path / "first", 1)
    assert [command[-2:] for command in calls] == [["download", "package"]]

    calls.clear()
    failing.add("download")
    with pytest.raises(ProgramError, match="no network"):
        source.collect(FILES, tmp_path / "second", 1)
    assert [command[-1] for command in calls] == ["package", "update", "package"]
    assert f"Dir::State={tmp_path / 'second' / 'apt' / 'state'}" in calls[1]


def test_kinds_of_source_are_found_by_name():
    assert isinstance(make_source({"kind": "folder", "folder": "here"}), FolderSource)
    assert set(SOURCES) == {"folder", "pip", "torchvision", "debian"}
    with pytest.raises(ValueError, match="'ftp'; there are folder, pip"):
        make_source({"kind": "ftp"})


@pytest.mark.skipif(not DEBIAN.is_dir(), reason="needs Debian's package")
def test_the_digests_in_the_config_belong_to_what_torchvision_knows():
    """With name and time put back into their headers, the archives have torchvision's MD5s."""
    config = yaml.safe_load((Path(__file__).parents[2] / "config.yaml").read_text())
    known = config["datasets"]["fashion_mnist"]["fetch"]["files"]
    for name, md5 in FashionMNIST.resources:
        packed = (DEBIAN / name).read_bytes()
        time = WRITTEN[name.split("-")[0]].to_bytes(4, "little")
        title = name.removesuffix(".gz").encode() + b"\0"
        original = packed[:3] + b"\x08" + time + packed[8:10] + title + packed[10:]
        content = gzip.decompress(packed)

        assert hashlib.md5(original).hexdigest() == md5
        assert hashlib.sha256(content).hexdigest() == known[name.removesuffix(".gz")]["sha256"]
        assert len(content) == known[name.removesuffix(".gz")]["size"]


def test_torchvision_without_network_fails_in_time(tmp_path, monkeypatch):
    monkeypatch.setattr(
        TorchvisionSource,
        "_PROGRAM",
        "raise OSError('no network: ' + ' '.join(__import__('sys').argv[1:3]))",
    )

    with pytest.raises(ProgramError, match=r"no network: FashionMNIST"):
        TorchvisionSource("FashionMNIST").collect(FILES, tmp_path, 30)


def test_the_program_handed_to_torchvision_is_python():
    assert compile(TorchvisionSource._PROGRAM, "program", "exec")
