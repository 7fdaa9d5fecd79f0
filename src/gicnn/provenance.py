"""Digests of the code a job runs, blind to comments, docstrings and layout (standard library only)."""

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

__all__ = ["closure", "code_digest", "file_digest", "source_code"]

_SOURCE = Path(__file__).resolve().parents[1]
# How a job is logged and recorded decides no result, so a change there reruns none.
_BYSTANDERS = ("gicnn/circumstances.py", "gicnn/job.py", "gicnn/log.py")


def file_digest(path: str | Path) -> str:
    """SHA-256 of a file's bytes, as hexadecimal digits."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def code_digest(program: str | Path, *modules: str) -> str:
    """Digest a script or notebook with every module of this package that it imports.

    Editing a comment or a docstring changes nothing; editing an expression changes the digest
    of exactly the programs that import it, directly or not.

    Args:
        program: A ``.py`` or ``.ipynb`` file.
        modules: Further modules that are imported by name at run time, such as
            ``gicnn.nn.flow``.

    Raises:
        ValueError: A module does not exist.
    """
    digest = hashlib.sha256(_normalised(Path(program)).encode())
    for path in closure(program, *modules):
        digest.update(path.relative_to(_SOURCE).as_posix().encode())
        digest.update(_normalised(path).encode())
    return digest.hexdigest()[:16]


def closure(program: str | Path, *modules: str) -> list[Path]:
    """The files of this package that decide what a program computes, sorted."""
    waiting = [*_imports(Path(program)), *modules]
    found: set[Path] = set()
    for name in modules:
        if not _SOURCE.joinpath(*name.split(".")).with_suffix(".py").is_file():
            raise ValueError(f"no module {name} under {_SOURCE}")
    while waiting:
        for path in _files(waiting.pop()):
            if path not in found and path.relative_to(_SOURCE).as_posix() not in _BYSTANDERS:
                found.add(path)
                waiting.extend(_imports(path))
    return sorted(found)


def _files(name: str) -> Iterator[Path]:
    """The module's file and the package files above it; nothing for a class or function."""
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        stem = _SOURCE.joinpath(*parts[:depth])
        for path in (stem / "__init__.py", stem.with_suffix(".py")):
            if path.is_file():
                yield path


@cache
def _imports(path: Path) -> tuple[str, ...]:
    return tuple(_imported_names(ast.walk(ast.parse(source_code(path)))))


def _imported_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    package = __name__.split(".")[0]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(package))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _normalised(path: Path) -> str:
    tree = _Undocumented().visit(ast.parse(source_code(path)))
    return ast.unparse(tree)


class _Undocumented(ast.NodeTransformer):
    """Drops strings that stand alone: docstrings of whatever they document."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | ast.Pass:
        alone = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.Pass() if alone else node


def source_code(path: Path) -> str:
    """The Python in a file, of a notebook that of its code cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
