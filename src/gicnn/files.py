"""Files that are either whole or absent (standard library only)."""

import errno
import fcntl
import glob
import json
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["sole_writer", "write_atomically", "write_json"]


@contextmanager
def write_atomically(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` and rename it into place once the block succeeds.

    The temporary file keeps the suffix of ``path``, since many writers choose their format by
    it. One process at a time may write a path. If the block raises, the temporary file goes and whatever stood at ``path`` stays.

    Raises:
        OSError: The disk is full or the folder cannot be written; ``path`` is untouched.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{path.name}."
    for leftover in path.parent.glob(f"{glob.escape(prefix)}*"):  # of a killed process
        leftover.unlink(missing_ok=True)
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=path.suffix, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _flush_to_disk(temporary)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise OSError(
            errno.ENOSPC,
            "no space left to write it; whatever stood there before is untouched; free some "
            "space and run again",
            str(path),
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def sole_writer(path: str | Path) -> Iterator[None]:
    """Keep other processes from the same work on ``path``; the lock dies with the process.

    Raises:
        RuntimeError: Another process is at it.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with Path(f"{path}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RuntimeError(
                f"another process is working on {path}, perhaps left over from a run that was "
                "killed; wait for it or end it, and run again"
            ) from error
        except OSError as error:
            if error.errno not in (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP):
                raise
            warnings.warn(f"no lock for {path}, since its disk has none: {error}", stacklevel=3)
        yield


def write_json(path: str | Path, content: Any) -> None:  # noqa: ANN401
    """Write sorted, indented JSON; NaN and infinity are refused, since JSON has neither.

    Raises:
        ValueError: A number is not finite.
    """
    try:
        text = json.dumps(content, indent=2, sort_keys=True, allow_nan=False, ensure_ascii=False)
    except ValueError as error:
        raise ValueError(f"{path} cannot hold {content}: {error}") from error
    with write_atomically(path) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def _flush_to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
