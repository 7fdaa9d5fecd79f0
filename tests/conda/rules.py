"""The rules of the workflow, as Snakemake reads them: what each runs, and in which environment."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Rule:
    """What a rule runs.

    Attributes:
        name: Its name.
        action: "script", "run", "shell" or another kind; None for a list of targets.
        script: Its script, if it has one.
        notebook: The notebook that its script runs, if it does.
        environment: Its conda environment's file, if it names one.
        sources: Kinds of source that the config names for what it fetches.
    """

    name: str
    action: str | None = "script"
    script: Path | None = None
    notebook: Path | None = None
    environment: Path | None = None
    sources: tuple[str, ...] = ()


def read_rules(snakefile: Path = ROOT / "Snakefile") -> list[Rule]:
    """All rules of a workflow, read in a process of its own: reading changes folder and paths."""
    command = [sys.executable, __file__, str(snakefile)]
    with tempfile.TemporaryDirectory() as folder:
        variables = os.environ | {"XDG_CACHE_HOME": folder}
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        raise RuntimeError(f"{snakefile} cannot be read: {done.stderr[-2000:]}")
    return [_rule(record) for record in json.loads(done.stdout.splitlines()[-1])]


def _rule(record: dict) -> Rule:
    paths = ("script", "notebook", "environment")
    found = {key: record[key] and Path(record[key]) for key in paths}
    return Rule(**record | found | {"sources": tuple(record["sources"])})


def _records(snakefile: Path) -> list[dict]:
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import OutputSettings, Quietness, ResourceSettings

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        told = {"snakefile": snakefile, "resource_settings": ResourceSettings(cores=1)}
        workflow = api.workflow(**told)._workflow  # no public name gives more than rules' names
        return [_record(rule, workflow.config) for rule in workflow.rules]


def _record(rule: object, config: dict) -> dict:
    folder = Path(str(rule.basedir))
    kinds = ("script", "notebook", "wrapper", "template_engine", "cwl", "shell", "run")
    dataset = config["datasets"].get(rule.name.removeprefix("fetch_"), {})
    notebook = dict(rule.input.items()).get("notebook")
    return {
        "name": rule.name,
        "action": next((kind for kind in kinds if getattr(rule, f"is_{kind}")), None),
        "script": _absolute(folder, rule.script),
        "notebook": notebook and str(Path(notebook).resolve()),  # behind a link that will go
        "environment": _absolute(folder, rule.conda_env),
        "sources": sorted({source["kind"] for source in dataset["fetch"]["sources"]})
        if rule.name.startswith("fetch_")
        else [],
    }


def _absolute(folder: Path, path: str | None) -> str | None:
    return path and os.path.normpath(folder / path)


if __name__ == "__main__":
    print(json.dumps(_records(Path(sys.argv[1]))))
