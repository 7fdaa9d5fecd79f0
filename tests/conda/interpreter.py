"""The files of the Python that runs this, for a package of its own (standard library only)."""

import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_LEFT_OUT = {
    "__pycache__",
    "dist-packages",
    "ensurepip",
    "EXTERNALLY-MANAGED",
    "idlelib",
    "lib2to3",
    "site-packages",
    "sitecustomize.py",
    "test",
    "tests",
    "turtledemo",
}


def interpreter_files() -> Iterator[tuple[str, Path]]:
    """Where each file goes below an environment's folder, and where it is."""
    version = python_version()
    yield f"bin/python{version}", Path(sys._base_executable).resolve()
    library = Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME"))
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and library.is_file():
        yield f"lib/{library.name}", library
    stdlib = Path(sysconfig.get_path("stdlib"))
    for path in _files(stdlib):
        yield f"lib/python{version}/{path.relative_to(stdlib).as_posix()}", path


def interpreter_links() -> Iterator[tuple[str, str]]:
    """Where symbolic links go, and what they point to."""
    version = python_version()
    yield from ((f"bin/{name}", f"python{version}") for name in ("python", "python3"))
    if "deb_system" in sysconfig.get_scheme_names():  # Debian's looks for packages elsewhere
        yield f"lib/python{version}/dist-packages", "site-packages"


def python_version() -> str:
    """Of this Python, as in 3.11."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in _LEFT_OUT or path.name.startswith("config-") or path.suffix == ".pyc":
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path
