"""The real molecules, where a run has fetched them: all of the subset, not a sample."""

import hashlib
import random
from pathlib import Path

import numpy as np
import pytest
import yaml
from rdkit import Chem

from gicnn.data.card import describe
from gicnn.data.encoding import encode_all
from gicnn.data.graphs import GraphCode
from gicnn.data.molecules import build_qm9, selection

ROOT = Path(__file__).parents[2]
SETTINGS = yaml.safe_load((ROOT / "config.yaml").read_text())["datasets"]["qm9"]["build"]


@pytest.fixture(scope="module")
def built(qm9_wheel):
    return build_qm9(qm9_wheel, **SETTINGS, workers=2)


@pytest.fixture(scope="module")
def code():
    return GraphCode(**{key: SETTINGS[key] for key in ("elements", "max_atoms", "ordering")})


@pytest.mark.slow
def test_the_subset_is_the_one_that_is_known(built):
    table = built[1]

    assert len(table) == 16306
    assert table["y"].mean() == pytest.approx(167.69, abs=0.01)
    assert table["y"].std() == pytest.approx(29.72, abs=0.01)
    assert table["y"].min() == pytest.approx(78.94, abs=0.01)
    assert table["y"].max() == pytest.approx(223.71, abs=0.01)
    assert table["inchi"].str.startswith("InChI=1S/C7H").all()
    assert selection(table) == {"selected": 16306, "left_out": {"count": 0, "reasons": {}}}


@pytest.mark.slow
def test_every_molecule_comes_back_from_its_numbers(built, code):
    data, table = built

    assert data.x.shape == (16306, 189)
    assert code.decode_smiles(data.x.numpy()) == smiles_by_row(data, table)
    assert table["smiles"].tolist() == [plain(inchi) for inchi in table["inchi"]]


def smiles_by_row(data, table):
    return table.set_index("qm9_index")["smiles"].loc[data.index.tolist()].tolist()


def plain(inchi):
    """A name that went another way: from QM9's InChI, without stereochemistry."""
    molecule = Chem.MolFromInchi(inchi)
    return Chem.MolToSmiles(molecule, isomericSmiles=False)


@pytest.mark.slow
def test_every_molecule_agrees_with_an_independent_encoding_and_no_two_agree(
    built, independent_code
):
    graphs, smiles = built[0].x.numpy(), smiles_by_row(*built)

    assert len({graph.tobytes() for graph in graphs}) == len(graphs)
    others = {
        name
        for graph, name in zip(graphs, smiles, strict=True)
        if (graph != independent_code(name)).any()
    }
    # InChI leaves a tie in tropolone, whose hydrogen is mobile.
    assert others == {"O=c1cccccc1O"}


@pytest.mark.slow
def test_numbering_the_atoms_anew_changes_no_number_of_any_molecule(built, code):
    draw = random.Random(0)
    smiles = smiles_by_row(*built)
    written = [renumbered(name, draw) for name in smiles]

    # Some orders say the same: those of symmetric molecules.
    assert sum(a != b for a, b in zip(written, smiles, strict=True)) > 15000
    assert (encode_all(code, written, workers=2)[0] == built[0].x.numpy()).all()


def renumbered(smiles, draw):
    molecule = Chem.MolFromSmiles(smiles)
    order = draw.sample(range(molecule.GetNumAtoms()), molecule.GetNumAtoms())
    return Chem.MolToSmiles(Chem.RenumberAtoms(molecule, order), canonical=False)


@pytest.mark.slow
def test_no_molecule_is_in_two_splits(built):
    data, table = built
    parts = [table[table["split"] == name] for name in ("train", "validation", "test")]
    card = describe(data, SETTINGS, {})

    assert [len(part) for part in parts] == [12800, 1006, 2500]
    for key in ("qm9_index", "smiles", "inchi"):
        assert sum(len(set(part[key])) for part in parts) == table[key].nunique() == 16306
    for name, part in zip(("train", "validation", "test"), parts, strict=True):
        index = np.sort(part["qm9_index"].to_numpy()).astype("<i8")
        assert card["splits"][name]["sha256"] == hashlib.sha256(index.tobytes()).hexdigest()


@pytest.mark.slow
def test_all_of_qm9_comes_back_but_for_the_charged_and_the_repeated(code, qm9_wheel):
    sizes = {"train": 100_000, "validation": 10_000, "test": 10_000}
    data, table = build_qm9(qm9_wheel, **SETTINGS | sizes | {"stoichiometry": None}, workers=2)
    charged = table["reason"] == "has a charged atom"
    repeated = table["reason"] == "has the same graph as an earlier one"

    assert selection(table)["selected"] == 130_831
    assert selection(table)["left_out"]["reasons"] == {
        "has a charged atom": 580,
        "has the same graph as an earlier one": 86,
        "not drawn for any split": 130_831 - 580 - 86 - 120_000,
    }
    # Of nitro groups QM9 writes a form without charges, with five bonds at the nitrogen.
    assert (table["smiles"].str.contains(r"\+|N\(=O\)=O|O=N\(=O\)") == charged).all()
    assert table["smiles"][~charged & ~repeated].is_unique
    assert table["smiles"][repeated].isin(table["smiles"][~charged & ~repeated]).all()
    assert data.x.shape == (120_000, 189)
    assert code.decode_smiles(data.x[::10].numpy()) == smiles_by_row(data, table)[::10]
