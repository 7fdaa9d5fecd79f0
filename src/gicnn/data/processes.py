"""Other programs, run within a time limit and watched (standard library only)."""

import logging
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from gicnn.interruption import interrupted_by_sigterm

__all__ = ["ProgramError", "run_program"]

_log = logging.getLogger(__name__)
_REPORT_EVERY = 5.0


class ProgramError(RuntimeError):
    """A program is not there, failed or took too long; the message holds its last words."""


def run_program(
    command: Sequence[str],
    folder: Path,
    time_limit: float,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run a program in a folder, and report how much it has written there.

    It is stopped, with all that it started, when it takes too long or this program is told to
    stop: a group of its own keeps it from hearing of that itself.

    Args:
        command: The program and its arguments.
        folder: Where it runs; temporary files of the program go there too.
        time_limit: Seconds after which it is stopped.
        environment: Variables that are set for it beside the inherited ones.

    Raises:
        ProgramError: It is not there, ends with another code than 0, or takes too long.
    """
    variables = {**os.environ, "TMPDIR": str(folder), **(environment or {})}
    with tempfile.TemporaryFile() as output, interrupted_by_sigterm():
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramError(f"{command[0]} cannot be run: {error.strerror}") from error
        try:
            code = _wait(process, folder, time_limit)
        finally:
            _stop(process)
        if code != 0:
            output.seek(0)
            how = f"ended with code {code}" if code is not None else f"took over {time_limit:g} s"
            raise ProgramError(f"{Path(command[0]).name} {how}: {_last_words(output.read())}")


def _wait(process: subprocess.Popen, folder: Path, time_limit: float) -> int | None:
    start = time.monotonic()
    while (left := start + time_limit - time.monotonic()) > 0:
        try:
            return process.wait(timeout=min(left, _REPORT_EVERY))
        except subprocess.TimeoutExpired:
            _log.info(
                "%.0f s: %.1f MB so far", time.monotonic() - start, _bytes_under(folder) / 1e6
            )
    return None


def _stop(process: subprocess.Popen) -> None:
    """End the program and what it started, if it still runs."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _bytes_under(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total


def _last_words(output: bytes) -> str:
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    return " / ".join(lines[-3:]) or "it said nothing"
