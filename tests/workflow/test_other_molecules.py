"""The README's other molecules and property, by config alone, where a run has fetched QM9."""

import csv
import json
import re
import subprocess
import sys
from io import TextIOWrapper
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest
import yaml
from PIL import Image

from gicnn.data.graphs import GraphCode
from gicnn.tensors import load_tensors

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.search(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]

pytestmark = pytest.mark.slow


def build(wheel, folder, overlay):
    """The folder of a run that has built the dataset."""
    sources = [{"kind": "folder", "folder": str(wheel.parent)}]
    overlay["datasets"]["qm9"]["fetch"] = {"sources": sources}
    (folder / "overlay.yaml").write_text(yaml.safe_dump(overlay))
    run(folder, "results/data/qm9/card.json")
    return folder / "results/data/qm9"


def run(folder, *targets, recipe=()):
    subprocess.run(
        [
            *(sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile"),
            *("--workflow-profile", ROOT / "workflow/profiles/default", "--cores", "2"),
            *("--directory", folder, "--configfile", *recipe, folder / "overlay.yaml"),
            *("--", *targets),
        ],
        check=True,
        capture_output=True,
        timeout=1800,
    )


@pytest.fixture(scope="module")
def built(qm9_wheel, tmp_path_factory):
    return build(qm9_wheel, tmp_path_factory.mktemp("other"), yaml.safe_load(EXAMPLE))


def test_the_card_tells_what_was_chosen_and_left_out(built):
    card = json.loads((built / "card.json").read_text())

    assert card["units"] == {"x": "1", "y": "debye"}
    assert card["settings"]["property"] == "dipole_moment"
    assert card["selected"] == 13920
    assert card["tensors"]["x"]["shape"] == [13800, 189]
    assert card["left_out"] == {
        "count": 120,
        "reasons": {"has a charged atom": 108, "not drawn for any split": 12},
    }


def test_every_graph_is_its_molecule(built):
    tensors, _ = load_tensors(built / "tensors.safetensors")
    table = pd.read_parquet(built / "molecules.parquet").set_index("qm9_index")
    rows = table.loc[tensors["index"].tolist()]
    code = GraphCode(["C", "N", "O", "F"], max_atoms=9, ordering="inchi")

    assert code.decode_smiles(tensors["x"].numpy()) == rows["smiles"].tolist()
    assert rows["smiles"].is_unique
    assert rows["inchi"].str.contains(r"^InChI=1S/C6H\d+NO2/").all()


def test_the_property_is_that_of_the_table(built, qm9_wheel):
    tensors, _ = load_tensors(built / "tensors.safetensors")
    found = dict(zip(tensors["index"].tolist(), tensors["y"].tolist(), strict=True))
    with ZipFile(qm9_wheel).open("qm9pack/data/qm9_part3.csv") as stream:
        rows = csv.DictReader(TextIOWrapper(stream))
        known = {int(row["Index"]): float(row["Dipole_debye"]) for row in rows}
    both = found.keys() & known.keys()

    assert len(both) > 1000
    assert all(found[index] == pytest.approx(known[index]) for index in both)


def test_a_model_learns_their_property_and_has_level_sets_of_it(built):
    """As the recipe smoke trains: six epochs, which show that it works, not how well."""
    folder = built.parents[2]
    model = "qm9/gicnn_approximate/seed-0"
    metrics, samples = f"evaluation/{model}/metrics.json", f"levelsets/{model}/samples.csv"
    figures = ("figures/figure_6.png", "figures/figure_6_statistics.png")
    targets = [f"results/{name}" for name in (metrics, samples, *figures)]
    run(folder, *targets, recipe=[ROOT / "workflow/recipes/smoke.yaml"])
    numbers = json.loads((folder / "results" / metrics).read_text())["splits"]["test"]
    table = pd.read_csv(folder / "results" / samples)

    assert numbers["count"] == 2000
    assert numbers["property_rmse"] < 0.95 * numbers["property_sd"]  # a constant guess has 1
    assert {"dipole_moment_level", "dipole_moment_in_qm9"} <= set(table.columns)
    assert set(table["unit"]) == {"debye"}
    for name in figures:
        with Image.open(folder / "results" / name) as picture:
            assert min(picture.size) > 300


def test_an_element_of_the_default_can_be_let_free(tmp_path, qm9_wheel):
    """An overlay adds to the default's counts of atoms, and can take none of them away."""
    counts = {"C": 4, "N": None, "O": None, "F": 0}
    settings = {"stoichiometry": counts, "train": 200, "validation": 10, "test": 100}
    results = build(qm9_wheel, tmp_path, {"datasets": {"qm9": {"build": settings}}})
    known = set()
    for part in (1, 2, 3):
        with ZipFile(qm9_wheel).open(f"qm9pack/data/qm9_part{part}.csv") as stream:
            lines = (
                re.match(r'"[^"]*",(\d+),.*?"\[\d+,4,\d+,\d+,0\]"', line.decode())
                for line in stream
            )
            known |= {int(line[1]) for line in lines if line}

    assert len(known) > 100
    assert set(pd.read_parquet(results / "molecules.parquet")["qm9_index"]) == known
