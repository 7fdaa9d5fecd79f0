"""Each conda environment names what its rules need, in the locked versions, and nothing else."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from environments import ENVIRONMENTS, complaints
from needs import modules, needs
from rules import ROOT, Rule, read_rules

ENVIRONMENT_FILES = sorted(ENVIRONMENTS.glob("*.yaml"))


@pytest.fixture(scope="module")
def rules():
    return read_rules()


@pytest.fixture
def folder(tmp_path):
    """A copy of the environments."""
    for path in ENVIRONMENT_FILES:
        shutil.copy(path, tmp_path)
    return tmp_path


def a_rule(folder, code, environment="catalogue", name="novel"):
    script = folder / f"{name}.py"
    script.write_text(code)
    return Rule(name, script=script, environment=ENVIRONMENTS / f"{environment}.yaml")


def test_every_rule_finds_what_it_needs_and_nothing_else(rules):
    assert complaints(rules) == []


def test_every_script_and_notebook_belongs_to_a_rule(rules):
    programs = {*(ROOT / "workflow/scripts").glob("*.py")}
    programs |= {*(ROOT / "workflow/notebooks").glob("*.ipynb")}
    assert programs == {p for rule in rules for p in (rule.script, rule.notebook) if p}


@pytest.mark.parametrize("path", ENVIRONMENT_FILES, ids=lambda path: path.stem)
def test_no_line_of_an_environment_can_go(path, rules, folder):
    lines = path.read_text().splitlines(keepends=True)
    for number, line in enumerate(lines):
        (folder / path.name).write_text("".join(lines[:number] + lines[number + 1 :]))
        try:
            found = complaints(rules, folder)
        except yaml.YAMLError:
            continue
        assert found, f"{path.name} without {line.strip()!r}"


@pytest.mark.parametrize("path", ENVIRONMENT_FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("line", ["papermill=2.7.0", "pillow=13.0.0", "zuko=1.6.0", "ruff=0.17.6"])
def test_nothing_else_can_be_named(path, line, rules, folder):
    if line in path.read_text():
        return
    entries = yaml.safe_load(path.read_text())["dependencies"]
    named = ["python=3.11", *sorted([*entries[1:], line])]
    content = {"channels": ["conda-forge", "nodefaults"], "dependencies": named}
    (folder / path.name).write_text("# For a test.\n" + yaml.safe_dump(content))
    name = line.partition("=")[0]
    found = complaints(rules, folder)
    assert any(f"{path.name} names {name}, which no rule" in text for text in found)


def test_what_is_heavy_must_be_needed_by_every_rule(rules):
    (training,) = [rule for rule in rules if rule.name == "train_model"]
    (certifying,) = [rule for rule in rules if rule.name == "certify_model"]
    there = replace(certifying, environment=ENVIRONMENTS / "statistics.yaml")
    others = [rule for rule in rules if rule not in (training, certifying)]
    found = complaints([*others, training, there])
    assert found == [
        "rule certify_model does not need scipy, which envs/statistics.yaml names; part them"
    ]


@pytest.mark.parametrize(
    ("code", "package"),
    [
        ("import torch\n", "torch"),
        ("from sklearn.cluster import KMeans\n", "scikit-learn"),
        ("def later():\n    import matplotlib.pyplot\n", "matplotlib"),
        ("from gicnn.models.build import build_model\n", "zuko"),
        ("from gicnn.data.sources import SOURCES\nfrom gicnn.tensors import x\n", "safetensors"),
        ("import unheard_of\n", "unheard_of"),
    ],
)
def test_an_import_that_the_environment_lacks_is_named(rules, tmp_path, code, package):
    rule = a_rule(tmp_path, f"{code}import pandas, pyarrow, rdkit\n")
    found = complaints([*rules, rule])
    assert any(f"rule novel needs {package} (" in text for text in found), found
    assert all("novel" in text for text in found)


def test_a_rule_without_environment_is_named(rules, tmp_path):
    rule = replace(a_rule(tmp_path, "x = 1\n"), environment=None)
    assert complaints([*rules, rule]) == [
        "rule novel names no conda environment; give it one of envs/"
    ]


@pytest.mark.parametrize("action", ["shell", "run", "wrapper"])
def test_what_cannot_be_read_is_refused(rules, action):
    (found,) = complaints([*rules, Rule("novel", action=action)])
    assert found == f"rule novel: what a {action} needs cannot be told; give it a script"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("rdkit=2026.9.1", "rdkit=2026.9.2", "rdkit is 2026.9.2, and 2026.9.1 in the lock"),
        ("python=3.11", "python=3.12", "environments differ in their Python"),
        ("  - nodefaults\n", "  - defaults\n", "channels must be conda-forge, nodefaults"),
    ],
)
def test_other_versions_and_channels_are_named(rules, folder, old, new, complaint):
    path = folder / "catalogue.yaml"
    path.write_text(path.read_text().replace(old, new))
    assert any(complaint in text for text in complaints(rules, folder))


def test_needs_are_told_with_the_file_that_has_them(rules):
    by_name = {rule.name: rule for rule in rules}
    assert needs(by_name["write_manifest"]).keys() == {"jsonschema"}
    assert needs(by_name["fetch_fashion_mnist"]) == {"torchvision": "its source torchvision"}
    assert needs(by_name["fetch_qm9"]) == {"pip": "its source pip"}
    assert "src/gicnn" in needs(by_name["train_model"])["tqdm"]
    assert "figure_6.ipynb" in needs(by_name["figure_6"])["ipython"]
    assert "gicnn.nn.flow" in modules(by_name["train_model"])
    assert isinstance(by_name["train_model"].script, Path)


@pytest.mark.parametrize("profile", sorted((ROOT / "workflow/profiles").glob("*/config.yaml")))
def test_profiles_let_the_package_reach_conda_jobs(profile):
    assert yaml.safe_load(profile.read_text())["conda-not-block-search-path-envvars"] is True
