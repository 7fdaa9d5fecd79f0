"""What each rule needs, by its code, and what its conda environment names."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import yaml
from names import conda_name, locked_name
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rules import ROOT, Rule

from gicnn import provenance
from gicnn.models.registry import COMPONENTS

ENVIRONMENTS = ROOT / "envs"
LOCK = ROOT / "envs/requirements.lock"
PACKAGE = ROOT / "src/gicnn"
CHANNELS = ["conda-forge", "nodefaults"]

UNLOCKED = {"python", "pip"}
"""Packages that come from elsewhere than the lock."""

HEAVY = {"matplotlib", "rdkit", "rocrate", "scikit-learn", "scipy", "torch", "torchvision"}
"""Packages that an environment names only if every rule in it needs them."""

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


def complaints(rules: list[Rule], folder: Path = ENVIRONMENTS) -> list[str]:
    """What is wrong with the environments in a folder, one line each.

    Args:
        rules: All rules of the workflow.
        folder: Where files of the rules' environments are looked for, by name.
    """
    files = {path.name: path for path in sorted(folder.glob("*.yaml"))}
    users = {name: [] for name in files}
    found = [line for rule in rules for line in _misfits(rule, users)]
    named = {name: _named(path) for name, path in files.items()}
    for name, path in files.items():
        found += _malformed(path)
        found += _misnamed(name, named[name], users[name])
    if len({packages.get("python") for packages in named.values()}) > 1:
        found.append("environments differ in their Python; all must name the same")
    return found


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


def _misfits(rule: Rule, users: dict[str, list[Rule]]) -> Iterator[str]:
    if rule.action is None:
        return
    if rule.action != "script":
        yield f"rule {rule.name}: what a {rule.action} needs cannot be told; give it a script"
    elif rule.environment is None:
        yield f"rule {rule.name} names no conda environment; give it one of envs/"
    elif rule.environment.name not in users:
        yield f"rule {rule.name}: there is no envs/{rule.environment.name}"
    else:
        users[rule.environment.name].append(rule)


def _misnamed(file: str, named: dict[str, str | None], users: list[Rule]) -> Iterator[str]:
    """What is missing in an environment, superfluous, or of another version than locked."""
    if not users:
        yield f"envs/{file} is used by no rule; remove it"
    packages = {locked_name(name): version for name, version in named.items()}
    if "python" not in packages:
        yield f"envs/{file} does not name python"
    for rule in users:
        wanted = needs(rule)
        for name in sorted(wanted.keys() - packages.keys()):
            yield (
                f"rule {rule.name} needs {name} ({wanted[name]}), and envs/{file} does not "
                f"name it; add {conda_name(name)}"
            )
        for name in sorted((HEAVY & packages.keys()) - wanted.keys() - _brought_by(wanted)):
            yield f"rule {rule.name} does not need {name}, which envs/{file} names; part them"
    for name in sorted(packages.keys() - {"python"} - {n for rule in users for n in needs(rule)}):
        yield f"envs/{file} names {name}, which no rule in it needs; remove it"
    for name in sorted(packages.keys() - UNLOCKED):
        if packages[name] != _locked(packages.get("python")).get(name):
            locked = _locked(packages.get("python")).get(name)
            yield f"envs/{file}: {name} is {packages[name]}, and {locked} in the lock"
    for name in sorted(name for name in UNLOCKED & packages.keys() if not packages[name]):
        yield f"envs/{file} names no version of {name}"


def _malformed(path: Path) -> Iterator[str]:
    """An environment file says what it is for, then where from, then what, sorted."""
    text = path.read_text(encoding="utf-8")
    if _content(text).get("channels") != CHANNELS:
        yield f"envs/{path.name}: channels must be {', '.join(CHANNELS)}"
    if not text.startswith("# "):
        yield f"envs/{path.name} must begin with a comment that says what it is for"
    entries = list(_named(path))
    if entries[:1] != ["python"] or entries[1:] != sorted(entries[1:]):
        yield f"envs/{path.name}: dependencies must be python first, then the others, sorted"


def _named(path: Path) -> dict[str, str | None]:
    """Version of each package that an environment file names."""
    entries = _content(path.read_text(encoding="utf-8")).get("dependencies") or []
    return {e.partition("=")[0]: e.partition("=")[2] or None for e in entries}


@cache
def _content(text: str) -> dict:
    content = yaml.safe_load(text)
    return content if isinstance(content, dict) else {}


@cache
def _locked(python: str | None) -> dict[str, str]:
    """Version of each package in the lock, as it holds for a Python."""
    surroundings = {"python_version": python or "", "python_full_version": f"{python}.0"}
    found = {}
    for line in re.findall(r"^[a-z0-9][^\\\n]+", LOCK.read_text(encoding="utf-8"), re.MULTILINE):
        entry = Requirement(line)
        if entry.marker is None or (python and entry.marker.evaluate(surroundings)):
            found[entry.name] = str(entry.specifier).removeprefix("==")
    return found


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
    return ast.parse(provenance._code(path))


@cache
def _distribution(name: str) -> str:
    """The package that a name is imported from, as the lock calls it."""
    found = _distributions().get(name)
    return canonicalize_name(found[0]) if found else name


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(packages_distributions())


@cache
def _requirements(name: str) -> frozenset[str]:
    try:
        entries = map(Requirement, requires(name) or [])
    except PackageNotFoundError:  # misspelt, or not in the lock, which is complained of elsewhere
        return frozenset()
    applying = [e for e in entries if e.marker is None or e.marker.evaluate({"extra": ""})]
    return frozenset(canonicalize_name(entry.name) for entry in applying)


def _brought_by(names: dict[str, str]) -> set[str]:
    """What comes along with packages anyway."""
    return {brought for name in names if name not in UNLOCKED for brought in _requirements(name)}
