"""Fetching files once: from the first source whose bytes have the known digest."""

import logging
import os
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gicnn.data.checks import AlteredFileError, KnownFile, known_files
from gicnn.data.processes import ProgramError
from gicnn.data.sources import Source, SourceError, make_source

__all__ = ["FetchError", "fetch"]

_log = logging.getLogger(__name__)
_SCRATCH = ".incoming-"
_PAUSE = 2.0


class FetchError(RuntimeError):
    """Files could not be had; the message has each source with its reason, and what to do."""


def fetch(
    folder: str | Path,
    files: Mapping[str, Mapping[str, str | int]],
    sources: Sequence[Mapping[str, Any]],
    attempts: int,
    time_limit: float,
) -> None:
    """Make sure that a folder holds files of known digest.

    What is there and right is left alone and no source is asked. A file takes its name only
    when it is whole and checked, so the job may be killed at any moment. Files stay writable: a
    workflow that cannot write its outputs cannot go on after a kill. Whoever reads them checks
    them again instead (``gicnn.data.checks.check_files``).

    Args:
        folder: Where the files go.
        files: Digest (``sha256``) and ``size`` in bytes of each file, not compressed, by name.
        sources: Where to look, in this order; each has a ``kind`` and that kind's arguments.
        attempts: How often a source on the network is tried.
        time_limit: Seconds that one source may take, all attempts together.

    Raises:
        FetchError: A file could not be had from any source.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    known = known_files(files)
    _sweep(folder)

    refusals: list[str] = []
    for settings in sources:
        if missing := _missing(folder, known):
            source = make_source(settings)
            refusals += _try(source, missing, folder, attempts, time.monotonic() + time_limit)
    if missing := _missing(folder, known):
        raise FetchError(_advice(folder, missing, refusals, sources))
    for file in known:
        # The age of a checked file tells when it was checked, so that none looks outdated.
        os.utime(folder / file.name)
    _log.info("%s: %d files, all as known", folder, len(known))


def _sweep(folder: Path) -> None:
    """Remove what a killed run has left."""
    for stale in folder.glob(f"{_SCRATCH}*"):
        shutil.rmtree(stale, ignore_errors=True)


def _missing(folder: Path, known: Sequence[KnownFile]) -> list[KnownFile]:
    missing = []
    for file in known:
        if problem := file.problem(folder / file.name):
            missing.append(file)
            if (folder / file.name).exists():
                _log.warning("%s; it will be replaced", problem)
    return missing


def _try(
    source: Source, files: Sequence[KnownFile], folder: Path, attempts: int, stop: float
) -> list[str]:
    """Try a source as often as may help, and list why it did not give everything."""
    refusals: list[str] = []
    for attempt in range(1, attempts + 1 if source.remote else 2):
        if attempt > 1:
            time.sleep(min(_PAUSE * attempt, max(0.0, stop - time.monotonic())))
        if time.monotonic() >= stop:
            break
        _log.info("trying %s, attempt %d, for %d files", source, attempt, len(files))
        refusals = _try_once(source, files, folder, stop)
        files = _missing(folder, files)
        if not files:
            return []
        for refusal in refusals:
            _log.warning("%s: %s", source, refusal)
    return [f"{source}: {refusal}" for refusal in refusals]


def _try_once(source: Source, files: Sequence[KnownFile], folder: Path, stop: float) -> list[str]:
    with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=folder) as scratch:
        try:
            found = source.collect(files, Path(scratch).resolve(), stop - time.monotonic())
        except (SourceError, ProgramError) as error:
            return [str(error)]
        return [refusal for file in files for refusal in _take(file, found, folder)]


def _take(file: KnownFile, found: Sequence[Path], folder: Path) -> list[str]:
    """Put the first right candidate in place; otherwise say what is wrong with each."""
    refusals = []
    for candidate in found:
        if candidate.name in (file.name, f"{file.name}.gz"):
            try:
                file.accept(candidate, folder / file.name)
            except (AlteredFileError, OSError) as error:
                refusals.append(str(error))
            else:
                return []
    return refusals or [f"{file.name} is not there"]


def _advice(
    folder: Path,
    missing: Sequence[KnownFile],
    refusals: Sequence[str],
    sources: Sequence[Mapping[str, Any]],
) -> str:
    names = ", ".join(file.name for file in missing)
    tried = "\n".join(f"  - {refusal}" for refusal in refusals) or "  - no source is configured"
    places = [settings["folder"] for settings in sources if settings["kind"] == "folder"]
    by_hand = f" or put the files into the folder {places[0]} (.gz is fine)" if places else ""
    return f"{folder} lacks {names}\n{tried}\nConnect to the network{by_hand}, and run again."
