"""Places that files can be had from; what they give is never trusted, only checked (see fetch)."""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from os.path import isfile
from pathlib import Path
from typing import Any

from gicnn.circumstances import REPOSITORY
from gicnn.data.checks import KnownFile
from gicnn.data.processes import ProgramError, run_program

__all__ = ["SOURCES", "Source", "SourceError", "make_source"]

_SILENCE = 30  # seconds that a connection may stay silent


class SourceError(RuntimeError):
    """A source could not give what it was asked for; the message says why."""


class Source(ABC):
    """A place that files can be had from."""

    remote = True
    """Whether trying again may help."""

    @abstractmethod
    def collect(self, files: Sequence[KnownFile], scratch: Path, time_limit: float) -> list[Path]:
        """Bring candidates within reach: files named as asked for, or so with ``.gz`` added.

        Args:
            files: What is wanted.
            scratch: An empty folder for what is downloaded.
            time_limit: Seconds that it may take.

        Raises:
            SourceError: There is nothing to be had.
            ProgramError: A program that it needs is not there or failed.
        """

    @abstractmethod
    def __str__(self) -> str:
        """What to call it in messages."""


class FolderSource(Source):
    """A folder on this machine.

    Args:
        folder: A relative folder is looked for here and in each folder above, and then in the
            checkout, so that a run in a folder of its own finds it too.
    """

    remote = False

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder).expanduser()

    def collect(self, files: Sequence[KnownFile], scratch: Path, time_limit: float) -> list[Path]:
        here = Path.cwd()
        places = [base / self.folder for base in (here, *here.parents, REPOSITORY)]
        found = [path for place in dict.fromkeys(places) for path in _candidates(place, files)]
        if not found:
            raise SourceError(
                f"none of the files is there (looked in {places[0]}, above, and in {places[-1]})"
            )
        return found

    def __str__(self) -> str:
        return f"folder {self.folder}"


class PipSource(Source):
    """A wheel that pip downloads from wherever this machine's pip is told to look.

    Args:
        requirement: A package with its exact version.
    """

    def __init__(self, requirement: str) -> None:
        self.requirement = requirement

    def collect(self, files: Sequence[KnownFile], scratch: Path, time_limit: float) -> list[Path]:
        hashes = " ".join(f"--hash=sha256:{file.sha256}" for file in files)
        (scratch / "requirements.txt").write_text(f"{self.requirement} {hashes}\n")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
        options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--retries=2"]
        wanted = [f"--timeout={_SILENCE}", "-r", "requirements.txt", "--dest", str(scratch)]
        run_program([*pip, "download", *options, *wanted], scratch, time_limit)
        return _candidates(scratch, files)

    def __str__(self) -> str:
        return f"pip download {self.requirement}"


class TorchvisionSource(Source):
    """The download that torchvision has built in for one of its datasets.

    Args:
        dataset: The name of a class in ``torchvision.datasets``.
    """

    _PROGRAM = (
        "import socket, sys; socket.setdefaulttimeout(float(sys.argv[3])); "
        "import torchvision.datasets as known; "
        "getattr(known, sys.argv[1])(sys.argv[2], download=True)"
    )

    def __init__(self, dataset: str) -> None:
        self.dataset = dataset

    def collect(self, files: Sequence[KnownFile], scratch: Path, time_limit: float) -> list[Path]:
        arguments = [self.dataset, str(scratch), str(_SILENCE)]
        run_program([sys.executable, "-c", self._PROGRAM, *arguments], scratch, time_limit)
        return _candidates(scratch / self.dataset / "raw", files)

    def __str__(self) -> str:
        return f"torchvision {self.dataset}"


class DebianSource(Source):
    """A Debian package, installed or downloaded; it is unpacked without being installed.

    Args:
        package: Its name.
        folder: Where its files are, once it is installed.
    """

    def __init__(self, package: str, folder: str) -> None:
        self.package = package
        self.folder = Path(folder)

    def collect(self, files: Sequence[KnownFile], scratch: Path, time_limit: float) -> list[Path]:
        installed = _candidates(self.folder, files)
        if len(installed) >= len(files):
            return installed
        stop = time.monotonic() + time_limit
        self._download(scratch, stop)
        for archive in scratch.glob("*.deb"):
            run_program(
                ["dpkg-deb", "-x", archive.name, "unpacked"], scratch, stop - time.monotonic()
            )
        return _candidates(scratch / "unpacked" / self.folder.relative_to("/"), files)

    def _download(self, scratch: Path, stop: float) -> None:
        """With the machine's lists of packages, else with lists of its own, which needs no root."""
        get = ["apt-get", "-q", "-o", f"Acquire::http::Timeout={_SILENCE}"]
        try:
            run_program([*get, "download", self.package], scratch, stop - time.monotonic())
        except ProgramError:
            get += _private_state(scratch / "apt")
            run_program([*get, "update"], scratch, stop - time.monotonic())
            run_program([*get, "download", self.package], scratch, stop - time.monotonic())

    def __str__(self) -> str:
        return f"Debian package {self.package}"


SOURCES: dict[str, type[Source]] = {
    "folder": FolderSource,
    "pip": PipSource,
    "torchvision": TorchvisionSource,
    "debian": DebianSource,
}
"""Kinds of source by name."""


def make_source(settings: Mapping[str, Any]) -> Source:
    """A source from ``{kind: ..., other arguments}``.

    Raises:
        ValueError: There is no such kind.
    """
    arguments = dict(settings)
    kind = arguments.pop("kind")
    if kind not in SOURCES:
        raise ValueError(f"no kind of source {kind!r}; there are {', '.join(SOURCES)}")
    return SOURCES[kind](**arguments)


def _candidates(folder: Path, files: Sequence[KnownFile]) -> list[Path]:
    paths = (folder / f"{file.name}{suffix}" for file in files for suffix in ("", ".gz"))
    return [*filter(isfile, paths)]  # Path's own raises where one may not look


def _private_state(folder: Path) -> list[str]:
    """Options that keep apt's lists and cache in a folder of one's own."""
    (folder / "state" / "lists" / "partial").mkdir(parents=True)
    (folder / "cache" / "archives" / "partial").mkdir(parents=True)
    (folder / "state" / "status").touch()
    settings = {
        "Dir::State": folder / "state",
        "Dir::State::status": folder / "state" / "status",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    return [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
