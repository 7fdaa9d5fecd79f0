"""Surroundings of a notebook's kernel: its own folder, this interpreter, and an orderly end."""

import json
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

__all__ = ["KERNEL", "interrupted_by_sigterm", "private_folder"]

KERNEL = "python3"
_LONGEST_SOCKET_FOLDER = 60  # sockets have at most 104 bytes of path on macOS, 108 on Linux


@contextmanager
def private_folder() -> Iterator[Path]:
    """A short folder for sockets and the kernel's own files, the home folder left alone."""
    parent = tempfile.gettempdir()
    parent = parent if len(parent) <= _LONGEST_SOCKET_FOLDER else "/tmp"
    with tempfile.TemporaryDirectory(prefix="nb-", dir=parent) as name:
        folder = Path(name)
        _describe_this_interpreter(folder / "kernels" / KERNEL)
        search = os.pathsep.join(filter(None, [name, os.environ.get("JUPYTER_PATH")]))
        private = {"JUPYTER_RUNTIME_DIR": name, "IPYTHONDIR": name, "JUPYTER_PATH": search}
        with _environment(private):
            yield folder


def _describe_this_interpreter(folder: Path) -> None:
    """Put this interpreter before any other kernel of the same name."""
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": command, "display_name": "Python 3", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Leave by an exception when told to stop, so that the kernel is shut down on the way."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
