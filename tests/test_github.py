"""What reviewers and CI are told to do can be done."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("path", sorted((ROOT / ".github/workflows").glob("*.yml")), ids=str)
def test_workflows_call_what_exists(path):
    for job in yaml.safe_load(path.read_text())["jobs"].values():
        commands = "\n".join(step["run"] for step in job["steps"] if "run" in step)
        called = re.findall(r"make ([\w-]+)", commands)
        assert called or ".ci/run" in commands
        assert set(called) <= TARGETS


def test_reviewers_recreate_files_that_the_workflow_makes():
    rules = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    notebooks = {path.stem for path in (ROOT / "workflow/notebooks").glob("*.ipynb")}
    for item in yaml.safe_load((ROOT / "codecheck.yml").read_text())["manifest"]:
        path = Path(item["file"])
        assert item["comment"]
        assert path.stem in notebooks or path.name in rules, path
