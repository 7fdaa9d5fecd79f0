"""Surroundings of a notebook's kernel: its own folder, and this interpreter."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

__all__ = ["KERNEL", "private_folder"]

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
