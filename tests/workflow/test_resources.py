"""What rules ask for, beside what a full run took; and the profiles beside each other."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "results/reference/default/manifest.json"
RULES = {
    name: body
    for path in sorted(ROOT.glob("workflow/rules/*.smk"))
    for name, body in re.findall(
        r"^ *rule(?: (\w+))?:\n(.*?)(?=^rule|\Z)", path.read_text(), re.MULTILINE | re.DOTALL
    )
}


def taken():
    """Seconds and MB that the longest and the largest job of each rule took."""
    found = defaultdict(lambda: {"seconds": 0.0, "peak_memory_mb": 0})
    for job in json.loads(RECORD.read_text())["jobs"].values():
        rule = re.sub(r"^figure_.*", "", job["rule"])  # those have no name in the text
        for fact, most in found[rule].items():
            found[rule][fact] = max(most, job[fact])
    return found


def asked(rule, resource):
    number = re.search(rf"{resource}=rising\((\d+)\)", RULES[rule])
    assert number, f"rule {rule or 'figure_*'} does not say {resource}"
    return int(number[1])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule or "figure_N")
def test_a_rule_asks_for_what_it_needs(rule):
    """Half as much memory again as was seen and twice the time, but not ten times as much."""
    assert "threads:" in RULES[rule]
    memory, minutes = asked(rule, "mem_mb"), asked(rule, "runtime")
    seen = taken()
    assert len(seen) > 15
    if rule in seen:
        peak, seconds = seen[rule]["peak_memory_mb"], seen[rule]["seconds"]
        assert 1.4 * peak <= memory <= max(1500, 10 * peak)
        assert 2 * seconds <= 60 * minutes


def test_only_trainings_ask_for_a_gpu():
    assert "gpu=gpus_of_a_training()" in RULES["train_model"]
    assert not any("gpu=" in body for rule, body in RULES.items() if rule != "train_model")


def test_jobs_that_ask_for_a_gpu_take_turns(tmp_path):
    """By the default profile, on two cores."""
    (tmp_path / "Snakefile").write_text(
        "rule all:\n    input: 'a', 'b'\n"
        "rule train:\n    output: '{name}'\n    wildcard_constraints: name='[ab]'\n"
        "    resources: gpu=1\n"
        "    shell: 'date +%s.%N > {output}; sleep 1; date +%s.%N >> {output}'\n"
    )
    command = [sys.executable, "-m", "snakemake", "--directory", tmp_path, "--cores", "2"]
    command += ["--snakefile", tmp_path / "Snakefile"]
    command += ["--workflow-profile", ROOT / "workflow/profiles/default"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    first, second = sorted(
        [float(time) for time in (tmp_path / name).read_text().split()] for name in "ab"
    )
    assert first[1] <= second[0]


def test_the_profiles_differ_in_where_jobs_run_and_in_nothing_else():
    default, slurm = (
        yaml.safe_load((ROOT / f"workflow/profiles/{name}/config.yaml").read_text())
        for name in ("default", "slurm")
    )
    assert default.pop("resources") == ["gpu=1"]
    assert default.items() <= slurm.items()
    assert slurm["executor"] == "slurm"
    assert slurm["retries"] > 0


def test_what_is_commented_out_in_the_slurm_profile_can_be_taken():
    text = (ROOT / "workflow/profiles/slurm/config.yaml").read_text()
    taken = yaml.safe_load(re.sub(r"^( *)# ?( *[a-z_-]+:.*)$", r"\1\2", text, flags=re.MULTILINE))
    assert taken["default-resources"] == {
        "slurm_account": "my_account",
        "slurm_partition": "short",
    }
    assert taken["set-resources"]["train_model"] == {"gpu": 0, "slurm_partition": "gpu"}
