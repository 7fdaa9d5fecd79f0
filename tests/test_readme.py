"""The README's promises hold."""

import re
import runpy
import shlex
from pathlib import Path

import yaml
from snakemake.cli import get_argument_parser

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_example_runs(capsys, tmp_path):
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    runpy.run_path(tmp_path / "example.py")
    residual, *values = re.findall(r"\d\.\d+(?:e-\d+)?", capsys.readouterr().out)
    assert float(residual) < 1e-9
    assert values[:2] == ["5.0000", "5.0000"]


def test_every_link_leads_to_a_file():
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    for link in links:
        assert (ROOT / link).exists(), link


def test_every_claim_in_the_figure_table_is_in_the_ledger():
    ledger = (ROOT / "workflow/resources/claims.yaml").read_text(encoding="utf-8")
    known = {claim["id"] for claim in yaml.safe_load(ledger)["claims"]}
    rows = re.findall(r"^\|.*\| `figure_[^|]*\| ([^|]+) \|$", README, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert (
        len(rows) == len(list((ROOT / "workflow/notebooks").glob("*.ipynb"))) - 1
    )  # two share one
    assert named
    assert named <= known


def test_every_make_target_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE)) <= targets


def test_every_recipe_in_the_table_exists():
    recipes = set(re.findall(r"^\| (\w+) \|.*`make", README, re.MULTILINE))
    assert recipes - {"default"} == {p.stem for p in (ROOT / "workflow/recipes").glob("*.yaml")}


def test_every_snakemake_command_can_be_read():
    """By Snakemake's own parser; options with many values must not swallow the target."""
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = [line.partition("#")[0] for block in blocks for line in block.splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("snakemake ")]
    commands += [shlex.split(text)[1:] for text in re.findall(r"`(snakemake [^`]+)`", README)]
    assert len(commands) >= 6
    parser = get_argument_parser()
    for command in commands:
        given = parser.parse_args(["--cores", "1", *command])
        assert given.targets or given.dryrun, command


def test_every_link_of_the_record_leads_to_a_file():
    folder = ROOT / "results/reference"
    for page in [*folder.glob("*.md"), folder / "default/claims.md"]:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), link


def test_nothing_is_left_to_fill_in():
    assert not re.findall(r"^[A-Z]{5,}$|: (?:SMOKE|REPRODUCE)$", README, re.MULTILINE)
