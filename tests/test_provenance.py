"""Digests of code see expressions, not comments, and only in what is imported."""

import json
import shutil

import pytest

from gicnn import provenance


@pytest.fixture
def package(tmp_path, monkeypatch):
    source = tmp_path / "src"
    shutil.copytree(
        provenance._SOURCE / "gicnn",
        source / "gicnn",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    monkeypatch.setattr(provenance, "_SOURCE", source)
    provenance._imports.cache_clear()
    provenance._normalised.cache_clear()
    return source / "gicnn"


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("from gicnn.training.schedules import beta_schedule\n")
    return path


def digest_after(program, path, before, after, *modules):
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    provenance._normalised.cache_clear()
    provenance._imports.cache_clear()
    return provenance.code_digest(program, *modules)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__all__", "# a comment\n__all__"),
        ("Weight of the divergence at a step", "Another docstring"),
        ("    return lambda step: start", "\n\n    return lambda  step:  start"),
    ],
)
def test_comments_docstrings_and_layout_change_nothing(package, program, before, after):
    digest = provenance.code_digest(program)
    assert digest_after(program, package / "training/schedules.py", before, after) == digest


def test_a_docstring_below_a_field_changes_nothing(package, tmp_path):
    program = tmp_path / "other.py"
    program.write_text("from gicnn.levelset.minimum import Minimum\n")
    digest = provenance.code_digest(program)
    path = package / "levelset/minimum.py"
    assert digest_after(program, path, '"""Lowest point."""', '"""Best point."""') == digest


def test_an_expression_changes_the_digest(package, program):
    digest = provenance.code_digest(program)
    path = package / "training/schedules.py"
    assert digest_after(program, path, "step // interval", "step // interval + 1") != digest


def test_a_module_that_is_not_imported_changes_nothing(package, program):
    digest = provenance.code_digest(program)
    assert (
        digest_after(program, package / "nn/flow.py", "zuko.flows.MAF", "zuko.flows.NSF") == digest
    )


def test_a_module_named_at_run_time_counts(package, program):
    digest = provenance.code_digest(program, "gicnn.nn.flow")
    path = package / "nn/flow.py"
    assert (
        digest_after(program, path, "zuko.flows.MAF", "zuko.flows.NSF", "gicnn.nn.flow") != digest
    )


def test_an_import_of_an_import_counts(package, tmp_path):
    program = tmp_path / "other.py"
    program.write_text("from gicnn.training.fit import fit\n")
    digest = provenance.code_digest(program)
    path = package / "models/vae.py"
    assert digest_after(program, path, "0.5 * (mean", "0.6 * (mean") != digest


def test_notebooks_count_by_their_code(package, tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["from gicnn.nn import flow\n", "x = 1"]},
    ]
    notebook = tmp_path / "a.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    digest = provenance.code_digest(notebook)
    assert package / "nn/flow.py" in provenance.closure(notebook)

    cells[0]["source"] = ["# Another title"]
    notebook.write_text(json.dumps({"cells": cells}))
    provenance._normalised.cache_clear()
    assert provenance.code_digest(notebook) == digest


def test_unknown_module_is_an_error(program):
    with pytest.raises(ValueError, match=r"gicnn\.nn\.flaw"):
        provenance.code_digest(program, "gicnn.nn.flaw")


def test_every_script_has_a_closure():
    scripts = sorted((provenance._SOURCE.parent / "workflow/scripts").glob("*.py"))
    assert scripts
    for script in scripts:
        assert provenance.closure(script), script
