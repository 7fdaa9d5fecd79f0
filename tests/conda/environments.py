"""Whether conda environments fit the rules that name them."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import yaml
from names import conda_name, locked_name
from needs import needs
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rules import ROOT, Rule

ENVIRONMENTS = ROOT / "envs"
LOCK = ROOT / "envs/requirements.lock"
CHANNELS = ["conda-forge", "nodefaults"]

UNLOCKED = {"python", "pip"}
"""Packages that come from elsewhere than the lock."""

HEAVY = {"matplotlib", "rdkit", "rocrate", "scikit-learn", "scipy", "torch", "torchvision"}
"""Packages that an environment names only if every rule in it needs them."""


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
    locked = _locked(packages.get("python"))
    for rule in users:
        wanted = needs(rule)
        for name in sorted(wanted.keys() - packages.keys()):
            line = "=".join(filter(None, (conda_name(name), locked.get(name))))
            yield (
                f"rule {rule.name} needs {name} ({wanted[name]}), and envs/{file} does not "
                f"name it; add {line}"
            )
        for name in sorted((HEAVY & packages.keys()) - wanted.keys() - _brought_by(wanted)):
            yield f"rule {rule.name} does not need {name}, which envs/{file} names; part them"
    for name in sorted(packages.keys() - {"python"} - {n for rule in users for n in needs(rule)}):
        yield f"envs/{file} names {name}, which no rule in it needs; remove it"
    for name in sorted(packages.keys() - UNLOCKED):
        if packages[name] != locked.get(name):
            yield f"envs/{file}: {name} is {packages[name]}, and {locked.get(name)} in the lock"
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
def _requirements(name: str) -> frozenset[str]:
    try:
        entries = map(Requirement, requires(name) or [])
    except PackageNotFoundError:  # misspelt, or not in the lock, which is complained of elsewhere
        return frozenset()
    applying = [e for e in entries if e.marker is None or e.marker.evaluate({"extra": ""})]
    return frozenset(canonicalize_name(entry.name) for entry in applying)


def _brought_by(names: Iterable[str]) -> set[str]:
    """What comes along with packages anyway."""
    return {brought for name in names if name not in UNLOCKED for brought in _requirements(name)}
