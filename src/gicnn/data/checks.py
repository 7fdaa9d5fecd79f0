"""Trust in files by their digest, wherever they come from (standard library only)."""

import gzip
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path

from gicnn.files import write_atomically
from gicnn.provenance import file_digest

__all__ = ["AlteredFileError", "KnownFile", "check_files", "known_files"]

_BLOCK = 1 << 20


class AlteredFileError(ValueError):
    """A file is not the one that is known by this name; the message compares them."""


@dataclass(frozen=True)
class KnownFile:
    """A file that is known by digest and size.

    Attributes:
        name: Its name.
        sha256: The digest of its bytes, not compressed.
        size: How many bytes it has, not compressed.
    """

    name: str
    sha256: str
    size: int

    def problem(self, path: Path) -> str | None:
        """What is wrong with the file at ``path``, or None if it is the one."""
        if not path.is_file():
            return f"{path} is not there"
        found = file_digest(path)
        if found == self.sha256:
            return None
        return self._comparison(path, found, path.stat().st_size)

    def accept(self, candidate: Path, destination: Path) -> None:
        """Copy a candidate, unpacked if it ends in ``.gz``, to its place if it is the one.

        Never more than the known size is unpacked, so a small archive cannot fill the disk.

        Raises:
            AlteredFileError: It is another file, truncated, or no archive; ``destination`` is
                as before.
        """
        with write_atomically(destination) as temporary:
            try:
                with _opened(candidate) as source, temporary.open("wb") as target:
                    _copy(source, target, self.size + 1)
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise AlteredFileError(self._packed_problem(candidate, error)) from error
            problem = self.problem(temporary)
            if problem:
                raise AlteredFileError(problem.replace(str(temporary), str(candidate)))

    def _comparison(self, path: Path, found: str, size: int) -> str:
        reason = _appearance(path) or self._difference(size)
        return (
            f"{path} is not the known {self.name}: {reason} "
            f"(sha256 expected {self.sha256}, found {found}; "
            f"bytes expected {self.size:,}, found {size:,}{' or more' * (size > self.size)})"
        )

    def _packed_problem(self, path: Path, error: Exception) -> str:
        """Why an archive does not unpack; its own digest is not known, so only shown."""
        reason = _appearance(path) or f"it is truncated or altered, it does not unpack ({error})"
        return (
            f"{path} does not hold the known {self.name}: {reason} "
            f"(unpacked, sha256 expected {self.sha256}, bytes expected {self.size:,}; "
            f"packed, sha256 found {file_digest(path)}, bytes found {path.stat().st_size:,})"
        )

    def _difference(self, size: int) -> str:
        if size < self.size:
            return "it is truncated or another file"
        if size > self.size:
            return "it is too long"
        return "its length is right but bytes were altered"


def known_files(files: Mapping[str, Mapping[str, str | int]]) -> list[KnownFile]:
    """Read ``{name: {sha256: ..., size: ...}}``."""
    return [KnownFile(name, **about) for name, about in files.items()]


def check_files(paths: Iterable[str | Path], files: Mapping[str, Mapping[str, str | int]]) -> None:
    """Make sure that each file is the one known by its name.

    Args:
        paths: Files, each named as in ``files``.
        files: Digest and size by name.

    Raises:
        AlteredFileError: One is missing or another; the message says how, and what to do.
    """
    known = {file.name: file for file in known_files(files)}
    for path in map(Path, paths):
        problem = known[path.name].problem(path)
        if problem:
            raise AlteredFileError(f"{problem}. Delete it and run again, to have it fetched anew")


def _opened(path: Path) -> BufferedIOBase:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def _copy(source: BufferedIOBase, target: BufferedIOBase, limit: int) -> None:
    while limit > 0 and (block := source.read(min(_BLOCK, limit))):
        target.write(block)
        limit -= len(block)


def _appearance(path: Path) -> str | None:
    """What a file plainly is, if that is something else than data."""
    with path.open("rb") as stream:
        start = stream.read(512).lstrip().lower()
    if not start:
        return "it is empty"
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<?xml")):
        return "it is an HTML page, perhaps an error page or a network's log-in page"
    if start.startswith(b"version https://git-lfs"):
        return "it is a pointer of Git LFS, not the file itself"
    return None
