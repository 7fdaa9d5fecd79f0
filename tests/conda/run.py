"""Run the smoke recipe with each rule in its own conda environment, and nothing else in reach.

Usage: run.py CORES, from ``make conda-test``. It ends with 1 where an environment lacks what a
rule imports or names what none needs, where the run does not finish, or where its results are
not those of the record.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from environments import complaints
from launcher import build_launcher
from names import locked_name
from needs import modules, needs, third_party
from provide import Conda, provide
from rules import ROOT, Rule, read_rules

KEPT = ROOT / ".conda-test"
RUN = ROOT / "runs/conda-test"
_MISFIT = "Environments do not fit their rules:"


def main(cores: str) -> int:
    """All steps, the cheap ones first."""
    rules, venv = read_rules(), Path(sys.prefix)
    found = complaints(rules)
    if found:
        return _fail(_MISFIT, *found)
    conda = provide(KEPT, venv)
    print(f"Testing envs/ with {conda.name}", flush=True)
    snakemake = [build_launcher(KEPT / "snakemake", venv), *_snakemake(conda, cores)]
    variables = _variables(conda)
    if _code([*snakemake, "--conda-create-envs-only", "--forceall"], variables) != 0:
        return _fail("An environment cannot be made. What went wrong is above.")
    failed = list(_failed_imports(rules, conda, variables))
    if failed:
        return _fail(_MISFIT, *failed)
    if _code([sys.executable, "workflow/exclusive.py", RUN, *snakemake], variables) != 0:
        return _fail(
            f"The run did not finish. What went wrong is above and in {RUN}/results/logs; "
            "the same command goes on from here."
        )
    lent = list(_lent(rules, conda))
    if lent:
        return _fail("Jobs saw more than their environments:", *lent)
    compare = [sys.executable, "-m", "gicnn.record", "compare"]
    return _code([*compare, RUN / "results", "results/reference/smoke"], os.environ)


def _fail(*lines: str) -> int:
    print("\n".join(lines), file=sys.stderr)
    return 1


def _code(command: list[str | Path], variables: Mapping[str, str]) -> int:
    """What a command ends with, run in the checkout."""
    return subprocess.run(command, env=variables, cwd=ROOT, check=False).returncode


def _snakemake(conda: Conda, cores: str) -> list[str | Path]:
    """The arguments of ``make smoke``, with environments by conda."""
    return [
        *("-m", "snakemake", "--nolock", "--snakefile", "Snakefile", "--directory", RUN),
        *("--configfile", "workflow/recipes/smoke.yaml", "--config", "recipe=smoke"),
        *("--workflow-profile", "workflow/profiles/default", "--cores", cores),
        *("--sdm", "conda", "--conda-prefix", conda.environments),
    ]


def _variables(conda: Conda) -> dict[str, str]:
    """The machine's variables but for those that lead Python elsewhere."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ours.pop("VIRTUAL_ENV", None)
    return ours | {"PYTHONNOUSERSITE": "1"} | conda.variables


def _failed_imports(rules: list[Rule], conda: Conda, variables: dict[str, str]) -> Iterator[str]:
    """What a rule's code imports and its environment's own Python cannot.

    Snakemake lends its jobs what it needs itself, such as YAML; here nobody lends anything.
    """
    users = defaultdict(list)
    for rule in rules:
        if rule.environment:
            users[rule.environment].append(rule)
    for environment, those in sorted(users.items()):
        wanted = {rule.name: _imported(rule) for rule in those}
        python = _prefix(environment, conda) / "bin/python"
        command = [python, "-P", Path(__file__).with_name("imports.py")]
        names = sorted({name for names in wanted.values() for name in names})
        print(f"Importing {len(names)} modules in {environment.stem}", flush=True)
        told = subprocess.run(
            [*command, *names],
            env=variables | {"PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        for module, why in json.loads(told.stdout).items():
            who = ", ".join(name for name, names in wanted.items() if module in names)
            yield f"envs/{environment.name}: {module} cannot be imported ({why}); used by {who}"


def _lent(rules: list[Rule], conda: Conda) -> Iterator[str]:
    """Libraries that a job saw, by its own record, and its environment does not have."""
    if not any((RUN / "results/logs").rglob("*.json")):
        yield f"no job has left a record in {RUN}/results/logs"
    for rule in rules:
        folder = RUN / "results/logs" / rule.name
        for path in [*folder.glob("*.json"), *folder.parent.glob(f"{rule.name}.json")]:
            seen = json.loads(path.read_text(encoding="utf-8"))["versions"].keys()
            records = (_prefix(rule.environment, conda) / "conda-meta").glob("*.json")
            there = {json.loads(record.read_text())["name"] for record in records}
            for name in sorted(seen - {locked_name(name) for name in there} - {"snakemake"}):
                yield f"{path}: the job saw {name}, which envs/{rule.environment.name} lacks"


def _imported(rule: Rule) -> set[str]:
    """Modules and packages that a rule's code imports or runs."""
    started = {"pip", "torchvision", "pyarrow", "ipykernel"} & needs(rule).keys()
    return {*modules(rule), *third_party(rule), *started}


def _prefix(environment: Path, conda: Conda) -> Path:
    """Where Snakemake has made an environment: beside the copy of its file that it keeps."""
    content = environment.read_bytes()
    for copy in sorted(conda.environments.glob("*.yaml")):
        if copy.read_bytes() == content and copy.with_suffix("").is_dir():
            return copy.with_suffix("")
    sys.exit(f"no environment of {environment} in {conda.environments}; run again")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except subprocess.CalledProcessError as error:
        command = " ".join(map(str, error.cmd))
        sys.exit(f"this ended with {error.returncode}, and what it said is above: {command}")
