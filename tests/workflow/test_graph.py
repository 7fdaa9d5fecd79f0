"""The graph is whole, and editing code reruns just what uses the code."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "config.yaml", "workflow", "src", "envs")
OVERLAY = "training: {rosenbrock: {gicnn: {epochs: 1}}}"
WEIGHTS = "results/models/rosenbrock/gicnn/seed-0/weights.safetensors"


def snakemake(directory, *arguments, snakefile=ROOT / "Snakefile", python=sys.executable):
    command = [python, "-m", "snakemake", "--snakefile", snakefile, "--cores", "1"]
    profile = ("--workflow-profile", snakefile.parent / "workflow/profiles/default")
    return subprocess.run(
        [*command, *profile, "--directory", directory, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def planned(output):
    """Jobs by rule, as a dry run counts them; it says nothing of jobs where there is none."""
    if "Job stats:" not in output:
        return {}
    table = output.split("Job stats:")[1].split("total")[0]
    return {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", table, re.MULTILINE)}


def test_the_graph_is_planned_in_less_than_ten_seconds(tmp_path):
    """Of the processor's time, which other work on the machine does not lengthen."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert snakemake(tmp_path, "--dry-run").returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 10


def test_dry_run_plans_every_model_figure_and_the_claims(tmp_path):
    result = snakemake(tmp_path, "--dry-run", "--quiet", "rules")
    assert result.returncode == 0, result.stderr
    jobs = planned(result.stdout)

    assert jobs["train_model"] == jobs["evaluate_model"] == jobs["certify_model"] == 13
    assert jobs["trace_level_curves"] == 8
    assert jobs["detect_disconnected"] == 3
    assert {f"figure_{number}" for number in range(1, 7)} | {
        "figure_6_statistics",
        "figure_training",
        "figure_5_pairs",
        "figure_5_statistics",
    } <= set(jobs)
    for rule in ("list_molecules", "measure_molecule_paths", "sample_molecules"):
        assert jobs[rule] == 1
    assert jobs["collect_claims"] == 1


def test_jobs_run_by_a_python_in_a_folder_with_spaces(tmp_path):
    (tmp_path / "my env").symlink_to(sys.prefix)
    python = tmp_path / "my env/bin/python"
    target = "results/data/rosenbrock/card.json"
    done = snakemake(tmp_path / "a run", target, python=python)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a run" / target).is_file()


def test_each_seed_trains_each_model(tmp_path):
    (tmp_path / "seeds.yaml").write_text("seeds: [0, 1, 2]")
    overlay = ("--configfile", tmp_path / "seeds.yaml")
    result = snakemake(tmp_path, "--dry-run", "--quiet", "rules", *overlay)
    assert planned(result.stdout)["train_model"] == 39


def test_ablations_are_trained_and_put_into_a_table(tmp_path):
    recipe = ROOT / "workflow/recipes/ablations.yaml"
    overlay = ("--configfile", recipe)
    result = snakemake(tmp_path, "ablations", "--dry-run", "--quiet", "rules", *overlay)
    jobs = planned(result.stdout)
    changed = [*yaml.safe_load(recipe.read_text())["ablations"].values()]
    plain = 3 + 3 + 2  # of the two grids and of the molecules

    assert len(changed) == 3
    assert jobs["train_model"] == jobs["evaluate_model"] == plain + sum(map(len, changed))
    assert jobs["build_qm9"] == 2  # atoms in two orders
    assert jobs["tabulate_ablations"] == 1


def test_ablations_without_a_recipe_that_names_some_are_refused(tmp_path):
    result = snakemake(tmp_path, "ablations", "--dry-run")
    assert result.returncode != 0
    assert "ablations is empty" in result.stdout + result.stderr


def test_a_slip_in_an_ablation_is_named(tmp_path):
    (tmp_path / "slip.yaml").write_text(
        "ablations: {qm9: {less: {of: gicnn_approximate, training: {cycel: null}}}}"
    )
    result = snakemake(tmp_path, "--dry-run", "--configfile", tmp_path / "slip.yaml")
    assert "did you mean 'cycle'" in result.stdout + result.stderr


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
    copy_program(tmp_path)
    return tmp_path


def copy_program(folder):
    ignore = shutil.ignore_patterns("__pycache__", ".snakemake")
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=ignore)
        else:
            shutil.copy(source, folder / part)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy of the program in which one model is trained, briefly."""
    folder = tmp_path_factory.mktemp("finished")
    copy_program(folder)
    (folder / "overlay.yaml").write_text(OVERLAY)
    result = ask_for_weights(folder)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def run(finished, tmp_path):
    """A finished run whose program can be edited."""
    return shutil.copytree(finished, tmp_path / "run")


def ask_for_weights(run, *arguments):
    overlay = ("--configfile", run / "overlay.yaml")
    return snakemake(run, *overlay, *arguments, "--", WEIGHTS, snakefile=run / "Snakefile")


def plan(run):
    """What asking for the weights again would run."""
    result = ask_for_weights(run, "--dry-run", "--quiet", "rules")
    assert result.returncode == 0, result.stderr
    return planned(result.stdout)


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


def test_a_comment_in_a_module_or_script_reruns_nothing(run):
    edit(run / "src/gicnn/data/grids.py", "def build_grid(", "# a remark\ndef build_grid(")
    edit(run / "src/gicnn/training/fit.py", "def fit(", "# a remark\ndef fit(")
    for script in ("build_grid", "train_model"):
        edit(run / f"workflow/scripts/{script}.py", "begin(snake", "# a remark\nbegin(snake")
    assert plan(run) == {}


@pytest.mark.parametrize(
    ("module", "before", "after", "rerun"),
    [
        ("data/grids.py", "1 - 10 * first", "1 - 11 * first", ["build_grid", "train_model"]),
        ("nn/flow.py", "self.transform()(x)", "self.transform()(x + 0)", ["train_model"]),
        ("nn/convolution.py", "x - 0.5", "x - 0.4", []),
    ],
)
def test_an_expression_reruns_its_users_and_what_follows(run, module, before, after, rerun):
    edit(run / "src/gicnn" / module, before, after)
    assert plan(run) == dict.fromkeys(rerun, 1)


def test_time_stamps_alone_rerun_nothing(run):
    """As after a copy that has not kept them: data may be newer than what was made of them."""
    for age, path in enumerate(sorted((run / "results").rglob("*"))):
        os.utime(path, (1.7e9 - age, 1.7e9 - age))
    assert plan(run) == {}
    data = run / "results/data/rosenbrock/tensors.safetensors"
    data.write_bytes(data.read_bytes() + b" ")
    assert plan(run) == {"train_model": 1}


@pytest.mark.parametrize(
    ("before", "after", "rerun"),
    [
        ("property_weight: 10.0", "property_weight: 9.0", {"train_model"}),
        ("points_per_side: 40", "points_per_side: 41", {"build_grid", "train_model"}),
    ],
)
def test_a_changed_setting_is_found_without_a_run(run, before, after, rerun):
    """This is what ``make audit`` asks, once every file is as its job left it."""
    edit(run / "config.yaml", before, after)
    assert plan(run).keys() - {"total"} == rerun


def test_an_expression_of_one_network_retrains_only_models_that_have_it(checkout):
    before = digests(checkout)
    edit(checkout / "src/gicnn/nn/convolution.py", "x - 0.5", "x - 0.4")
    after = digests(checkout)

    changed = {name for name in before if before[name] != after[name]}
    assert changed == {
        f"train fashion_mnist {model}"
        for model in ("baseline", "gicnn_approximate", "angle_estimator")
    }


def test_an_expression_in_the_loop_reruns_every_training(checkout):
    before = digests(checkout)
    edit(checkout / "src/gicnn/training/schedules.py", "done) ** power", "done) ** (power + 1)")
    after = digests(checkout)

    changed = {name for name in before if before[name] != after[name]}
    assert changed == {name for name in before if name.startswith("train")}
