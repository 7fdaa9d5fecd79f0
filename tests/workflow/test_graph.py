"""The graph is whole, and code digests rerun just what uses the code."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "config.yaml", "workflow", "src", "envs")


def snakemake(directory, *arguments, snakefile=ROOT / "Snakefile"):
    command = [sys.executable, "-m", "snakemake", "--snakefile", snakefile, "--cores", "1"]
    return subprocess.run(
        [*command, "--directory", directory, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def planned(output):
    """Jobs by rule, as a dry run counts them."""
    table = output.split("Job stats:")[1].split("total")[0]
    return {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", table, re.MULTILINE)}


def test_dry_run_plans_every_model_figure_and_the_claims(tmp_path):
    result = snakemake(tmp_path, "--dry-run", "--quiet", "rules")
    assert result.returncode == 0, result.stderr
    jobs = planned(result.stdout)

    assert jobs["train_model"] == jobs["evaluate_model"] == jobs["certify_model"] == 11
    assert jobs["trace_level_curves"] == 7
    assert {f"figure_{number}" for number in range(1, 7)} <= set(jobs)
    assert jobs["collect_claims"] == 1


def test_each_seed_trains_each_model(tmp_path):
    (tmp_path / "seeds.yaml").write_text("seeds: [0, 1, 2]")
    overlay = ("--configfile", tmp_path / "seeds.yaml")
    result = snakemake(tmp_path, "--dry-run", "--quiet", "rules", *overlay)
    assert planned(result.stdout)["train_model"] == 33


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("recipes=smoke", "unknown key 'recipes'; did you mean 'recipe'"),
        ("device=tpu", "device: 'tpu' does not match"),
        ("seeds=['0']", "seeds.0: '0' is not of type 'integer'"),
    ],
)
def test_bad_config_stops_before_anything_runs(tmp_path, override, message):
    result = snakemake(tmp_path, "--dry-run", "--config", override)
    assert result.returncode != 0
    assert message in result.stdout + result.stderr
    assert not (tmp_path / "results").exists()


@pytest.fixture
def checkout(tmp_path):
    """A copy of the program whose modules can be edited."""
    ignore = shutil.ignore_patterns("__pycache__", ".snakemake")
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tmp_path / part, ignore=ignore)
        else:
            shutil.copy(source, tmp_path / part)
    return tmp_path


def digests(checkout):
    """The code digest of each job of the graph, by rule and outputs."""
    program = (
        "import json, sys; sys.path.insert(0, 'src')\n"
        "from pathlib import Path\n"
        "import yaml\n"
        "from gicnn import provenance\n"
        "from gicnn.models.registry import component_modules\n"
        "config = yaml.safe_load(Path('config.yaml').read_text())\n"
        "scripts = Path('workflow/scripts')\n"
        "found = {p.stem: provenance.code_digest(p) for p in sorted(scripts.glob('*.py'))}\n"
        "for d, models in config['models'].items():\n"
        "    for m, settings in models.items():\n"
        "        names = component_modules(settings)\n"
        "        found[f'train {d} {m}'] = provenance.code_digest(\n"
        "            scripts / 'train_model.py', *names)\n"
        "print(json.dumps(found))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=checkout,
        env={"PYTHONPATH": str(checkout / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(result.stdout)


def edit(path, before, after):
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def test_a_comment_reruns_nothing(checkout):
    before = digests(checkout)
    edit(checkout / "src/gicnn/nn/convolution.py", "_SIDE = 36", "# a remark\n_SIDE = 36")
    assert digests(checkout) == before


def test_an_expression_reruns_its_users_and_nothing_else(checkout):
    before = digests(checkout)
    edit(checkout / "src/gicnn/nn/convolution.py", "x - 0.5", "x - 0.4")
    after = digests(checkout)

    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"train fashion_mnist baseline", "train fashion_mnist gicnn_approximate"}


def test_an_expression_in_the_loop_reruns_every_training(checkout):
    before = digests(checkout)
    edit(checkout / "src/gicnn/training/schedules.py", "done) ** power", "done) ** (power + 1)")
    after = digests(checkout)

    changed = {name for name in before if before[name] != after[name]}
    assert changed == {name for name in before if name.startswith("train")}
