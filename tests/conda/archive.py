"""One package of a local conda channel, written from files where they lie."""

import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from conda_package_streaming.create import CondaTarFile, conda_builder

_FAST = 1
"""Level of compression: the channel is read once or twice, on the machine that made it."""


@dataclass(frozen=True)
class Entry:
    """One file of a package.

    Attributes:
        target: Where it goes, below an environment's folder.
        source: The file itself.
        link: What it points to, for a symbolic link instead of a file.
        placeholder: A folder named in its text, to be replaced by the environment's own.
    """

    target: str
    source: Path | None = None
    link: str | None = None
    placeholder: str | None = None


def write_package(folder: Path, index: dict, entries: Iterable[Entry]) -> Path:
    """Write a package, beside its place and then into it, so that it is there whole or not at all.

    Args:
        folder: The channel's folder for the platform.
        index: The package's own record: name, version, build, what it depends on.
        entries: Its files.
    """
    entries = sorted(entries, key=lambda entry: entry.target)
    stem = "{name}-{version}-{build}".format(**index)
    paths = {"paths": [_path_record(entry) for entry in entries], "paths_version": 1}
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="partial-") as scratch:
        with conda_builder(stem, scratch, compression_level=_FAST, compression_threads=2) as tar:
            tar.dereference = True  # files that share an inode are files all the same
            _add_text(tar, "info/index.json", json.dumps(index, indent=1))
            _add_text(tar, "info/paths.json", json.dumps(paths))
            for entry in entries:
                _add(tar, entry)
        return Path(scratch, f"{stem}.conda").replace(folder / f"{stem}.conda")


def _path_record(entry: Entry) -> dict:
    if entry.source is None:
        return {"_path": entry.target, "path_type": "softlink"}
    with entry.source.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    record = {"_path": entry.target, "path_type": "hardlink", "sha256": digest}
    record["size_in_bytes"] = entry.source.stat().st_size
    if entry.placeholder:
        record |= {"file_mode": "text", "prefix_placeholder": entry.placeholder}
    return record


def _add(tar: CondaTarFile, entry: Entry) -> None:
    if entry.source is None:
        link = tarfile.TarInfo(entry.target)
        link.type, link.linkname = tarfile.SYMTYPE, entry.link
        tar.addfile(link)
        return
    member = tar.gettarinfo(os.fspath(entry.source), entry.target)
    member.mode = 0o755 if member.mode & 0o111 else 0o644
    with entry.source.open("rb") as stream:
        tar.addfile(member, stream)


def _add_text(tar: CondaTarFile, name: str, text: str) -> None:
    content = text.encode()
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))
