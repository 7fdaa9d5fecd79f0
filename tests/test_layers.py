"""Who may import whom."""

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "gicnn"
LAYERS = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
ALLOWED = {
    "data": set(),
    "nn": set(),
    "levelset": set(),
    "plotting": set(),
    "record": set(),
    "models": {"nn"},
    "training": {"models", "nn"},
    "evaluation": {"levelset", "models", "nn"},
}
FORBIDDEN = {"snakemake", "yaml"}
STANDARD_LIBRARY_ONLY = (
    "log.py",
    "files.py",
    "provenance.py",
    "seeds.py",
    "interruption.py",
    "models/registry.py",
    "models/ablations.py",
)


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def layers_used(path):
    parts = (name.split(".") for name in imports(path) if name.startswith("gicnn."))
    return {part[1] for part in parts if part[1] in LAYERS}


def test_every_layer_has_its_rule():
    assert set(ALLOWED) == LAYERS


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_layer_imports_only_what_it_may(layer):
    for path in (PACKAGE / layer).rglob("*.py"):
        assert layers_used(path) <= ALLOWED[layer] | {layer}, path


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*.py")), ids=lambda path: path.name)
def test_shared_modules_import_no_layer(path):
    assert not layers_used(path)


def test_package_knows_neither_snakemake_nor_yaml_nor_pickle():
    for path in PACKAGE.rglob("*.py"):
        roots = {name.split(".")[0] for name in imports(path)}
        assert not roots & (FORBIDDEN | {"pickle", "dill", "joblib"}), path


@pytest.mark.parametrize("name", STANDARD_LIBRARY_ONLY)
def test_early_modules_need_nothing_installed(name):
    roots = {module.split(".")[0] for module in imports(PACKAGE / name)}
    assert roots <= sys.stdlib_module_names | {"gicnn"}


def test_modules_and_scripts_stay_small():
    long = {
        str(path.relative_to(PACKAGE.parents[1])): count
        for path in [*PACKAGE.rglob("*.py"), *PACKAGE.parents[1].glob("workflow/scripts/*.py")]
        if (count := len(path.read_text().splitlines())) > 200
    }
    assert not long
