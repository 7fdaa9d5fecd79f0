"""What the conda test builds where there is no conda is whole, and lends nothing."""

import subprocess
import sys
from importlib.metadata import Distribution
from pathlib import Path

import provide
import pytest
from imports import failures
from installed import closure, files, find_packages
from interpreter import interpreter_files, interpreter_links, python_version
from launcher import build_launcher
from names import conda_name, locked_name


class Package(Distribution):
    """A package that is only said to be installed."""

    def __init__(self, *requirements):
        self.requirements = requirements

    def read_text(self, filename):
        lines = (f"Requires-Dist: {line}\n" for line in self.requirements)
        return "Name: any\n" + "".join(lines) if filename == "METADATA" else None

    def locate_file(self, path):
        return Path(path)


def test_closure_follows_requirements_that_apply_and_extras_that_are_asked_for():
    packages = {
        "a": Package("B[fast]>=1", "never; python_version < '3'", "asked; extra == 'other'"),
        "b": Package("c; extra == 'fast'", "d; extra == 'slow'"),
        "c": Package("a"),
    }
    assert closure(["a"], packages) == {"a": ["b"], "b": ["c"], "c": ["a"]}


def test_closure_names_what_is_not_installed():
    with pytest.raises(KeyError, match="missing"):
        closure(["a"], {"a": Package("missing")})


def test_files_of_a_package_are_found_with_those_that_name_the_environment():
    prefix = Path(sys.prefix)
    found = {target: names for target, _, names in files(find_packages(prefix)["pytest"], prefix)}
    assert found["bin/pytest"]
    assert found[f"lib/python{python_version()}/site-packages/pytest/__init__.py"] is False
    assert not any(target.endswith("RECORD") for target in found)


def test_interpreter_has_what_starts_it_and_nothing_that_is_installed():
    found = dict(interpreter_files())
    assert f"bin/python{python_version()}" in found
    assert f"lib/python{python_version()}/os.py" in found
    assert not any("-packages" in target for target in found)
    assert ("bin/python", f"python{python_version()}") in interpreter_links()


def test_launcher_has_snakemake_and_nothing_that_snakemake_does_not_need(tmp_path):
    python = build_launcher(tmp_path / "launcher", Path(sys.prefix))
    code = "import importlib.util as i, snakemake.cli; print(i.find_spec('torch'))"
    done = subprocess.run([python, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"


def test_failed_imports_are_told_with_their_reason():
    assert failures(["json", "unheard_of"]) == {
        "unheard_of": "ModuleNotFoundError: No module named 'unheard_of'"
    }


def test_names_of_conda_and_of_the_lock():
    assert conda_name("Torch") == "pytorch"
    assert conda_name("typing_extensions") == "typing-extensions"
    assert locked_name("jupyter_client") == "jupyter-client"
    assert locked_name("pip") == "pip"


def test_a_conda_of_the_machine_comes_first(tmp_path, monkeypatch):
    command = tmp_path / "conda"
    command.touch()
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = provide.provide(tmp_path / "kept", Path(sys.prefix))
    assert str(command) in found.name
    assert found.variables == {}


def test_another_python_than_the_named_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(provide, "_version_of", lambda name: "2.7")
    with pytest.raises(SystemExit, match=r"make conda-test PYTHON=python2\.7"):
        provide.provide(tmp_path, Path(sys.prefix))
