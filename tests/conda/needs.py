"""What a rule needs, by its code."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.utils import canonicalize_name
from rules import ROOT, Rule

from gicnn import provenance
from gicnn.models.registry import COMPONENTS

PACKAGE = ROOT / "src/gicnn"

AT_RUN_TIME = {
    "read_parquet": "pyarrow",
    "to_parquet": "pyarrow",
    "ipykernel_launcher": "ipykernel",
}
"""Words of code that need a package without importing it."""

SOURCES = {"pip": "pip", "torchvision": "torchvision"}
"""Kinds of source that run a package in a process of its own."""

BYSTANDERS = ("circumstances", "job", "log")
"""Modules that every script runs, and that count for no digest."""


@cache
def needs(rule: Rule) -> dict[str, str]:
    """Each package that a rule's code needs directly, by its name in the lock, with the reason."""
    found = {SOURCES[kind]: f"its source {kind}" for kind in rule.sources if kind in SOURCES}
    for path in _programs(rule):
        found |= _file_needs(path)
    return found


def modules(rule: Rule) -> list[str]:
    """The package's modules that a rule's code imports, by name, also those behind conditions."""
    found = [_module(path) for path in _programs(rule) if path.is_relative_to(PACKAGE.parent)]
    return sorted({name for name in found if name})


def third_party(rule: Rule) -> list[str]:
    """Names that a rule's code imports from elsewhere than the package and standard library."""
    return sorted({name for path in _programs(rule) for name in _foreign(path)})


@cache
def _programs(rule: Rule) -> tuple[Path, ...]:
    """The files that decide what a rule runs: its own, and those of the package."""
    found = set()
    for program in filter(None, (rule.script, rule.notebook)):
        # A recipe may name any kind of component for any model.
        built = PACKAGE / "models/build.py" in provenance.closure(program)
        found |= {program, *provenance.closure(program, *(_components() if built else []))}
    for name in BYSTANDERS:
        found |= {PACKAGE / f"{name}.py", *provenance.closure(PACKAGE / f"{name}.py")}
    return tuple(sorted(found))


def _components() -> list[str]:
    return sorted(
        {place.split(":")[0] for kinds in COMPONENTS.values() for place in kinds.values()}
    )


def _module(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


@cache
def _file_needs(path: Path) -> dict[str, str]:
    place = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    found = {AT_RUN_TIME[w]: f"{place}: {w}" for w in sorted(_words(path)) if w in AT_RUN_TIME}
    return found | {_distribution(name): f"{place} imports it" for name in _foreign(path)}


@cache
def _foreign(path: Path) -> tuple[str, ...]:
    ours = {*sys.stdlib_module_names, "gicnn"}
    return tuple(sorted({name for name in _imports(path) if name not in ours}))


def _imports(path: Path) -> Iterator[str]:
    """Top names of all that a file imports, wherever it does."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]


def _words(path: Path) -> set[str]:
    """Names of attributes and strings, which may ask for a package without an import."""
    nodes = list(ast.walk(_tree(path)))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names | {
        node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str
    }


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(provenance.source_code(path))


@cache
def _distribution(name: str) -> str:
    """The package that a name is imported from, as the lock calls it."""
    found = _distributions().get(name)
    return canonicalize_name(found[0]) if found else name


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(packages_distributions())
