"""Made-up tables of the form that the level-set step writes, small but with every column."""

import numpy as np
import pandas as pd
import pytest
from rdkit import Chem
from rdkit.Chem import rdDistGeom

_SMILES = [
    "OC1CCCCCC1=O",
    "O=C1CC2CC1CC2O",
    "CC1(O)CC2CC1O2",
    "COC1CC=CC(C)=C1O",
    "CC(=O)CC(C)C=CO",
]


def to_banana(z):
    """The input point of a latent one, for a latent space where the Rosenbrock y is a radius."""
    u = 1 - 2 * z[..., 0]
    return np.stack([u, u**2 + 0.4 * z[..., 1]], axis=-1) / 10


def rosenbrock(x):
    u, v = 10 * x[..., 0], 10 * x[..., 1]
    return ((1 - u) ** 2 + 100 * (v - u**2) ** 2) ** 0.25


def _columns(z, x, y, true_y):
    return {"z_1": z[..., 0], "z_2": z[..., 1], "x_1": x[..., 0], "x_2": x[..., 1],
            "y": y, "true_y": true_y}  # fmt: skip


def make_curves(levels=(1.0, 2.0, 3.0), points=40):
    """Ellipses in latent space, bananas in input space."""
    angle = np.arange(points) * 2 * np.pi / points - np.pi
    ray = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    tables = []
    for curve, level in enumerate(levels):
        radius = level**2 / np.sqrt(4 * ray[:, 0] ** 2 + 16 * ray[:, 1] ** 2)
        z = radius[:, None] * ray
        x = to_banana(z)
        place = {"level": level, "curve": curve, "point": range(points)}
        polar = {"angle": angle, "radius": radius}
        table = {**place, **polar, **_columns(z, x, np.full(points, level), rosenbrock(x))}
        tables.append(pd.DataFrame(table).assign(residual=0.0, goes_on=True))
    return pd.concat(tables, ignore_index=True)


def make_landscape(side=12, levels=(1.0, 2.0, 3.0)):
    """Grids over the training square, over a latent box, and close to each level curve."""
    row, column = np.mgrid[:side, :side]
    grid = np.stack([column, row], axis=-1) / (side - 1) * 2 - 1
    x = 0.4 * grid
    u, v = 10 * x[..., 0], 10 * x[..., 1]
    z = np.stack([(1 - u) / 2, (v - u**2) / 0.4], axis=-1)
    box = grid * [2.5, 2.5]
    parts = {"input": _columns(z, x, rosenbrock(x), rosenbrock(x))}
    image = to_banana(box)
    parts["latent"] = _columns(box, image, rosenbrock(image), rosenbrock(image))
    for level in levels:
        close = grid * level**2
        image = to_banana(close)
        parts[level] = _columns(close, image, rosenbrock(image), rosenbrock(image))
    tables = []
    for space, part in parts.items():
        flat = {name: values.ravel() for name, values in part.items()}
        where = {"space": space, "level": np.nan}
        if isinstance(space, float):
            where = {"space": "curve", "level": space}
        tables.append(
            pd.DataFrame({**where, "row": row.ravel(), "column": column.ravel(), **flat})
        )
    return pd.concat(tables, ignore_index=True)


def make_minima(count=1):
    z = np.array([[0.0, 0.0], [1.0, 0.5]])[:count]
    x = to_banana(z)
    table = _columns(z, x, rosenbrock(x), rosenbrock(x))
    return pd.DataFrame({"minimum": range(count), **table, "starts": 8})


def make_true_curve(level, count):
    """Where the Rosenbrock y of ``rosenbrock`` is at the level."""
    turn = np.arange(count) * 2 * np.pi / count
    u = 1 - level**2 * np.cos(turn)
    return np.stack([u, u**2 + level**2 * np.sin(turn) / 10], axis=-1) / 10


def make_extrapolation():
    """Errors that grow with the distance, in three ranges and a fourth without points."""
    medians = {"error": [0.02, 0.06, 0.6], "relative_error": [0.01, 0.03, 0.3],
               "displacement": [0.001, 0.002, 0.004]}  # fmt: skip
    distances = {"distance_from": [0.0, 1.0, 2.0, 9.0], "distance_to": [1.0, 2.0, 9.0, np.inf]}
    tables = []
    for quantity, values in medians.items():
        middle = np.array([*values, np.nan])
        spread = {"mean": 1.1 * middle, "low": 0.5 * middle, "median": middle, "high": 2 * middle}
        table = pd.DataFrame({**distances, "points": [90, 80, 40, 0], **spread})
        tables.append(table.assign(quantity=quantity, farthest=[1.0, 2.0, 7.0, np.nan]))
    return pd.concat(tables, ignore_index=True)


def make_image_path(steps=12, side=36):
    """A bar that grows narrower and keeps its angle."""
    across, down = np.meshgrid(*[np.linspace(-1, 1, side)] * 2)
    tilt = np.deg2rad(36)
    along = across * np.sin(tilt) + down * np.cos(tilt)
    aside = across * np.cos(tilt) - down * np.sin(tilt)
    wide = [0.55, *np.linspace(0.55, 0.2, steps), 0.2]
    images = [((abs(along) < 0.7) & (abs(aside) < w)) * (0.6 + 0.3 * along) for w in wide]
    kinds = ["reference", *["path"] * steps, "reference"]
    table = pd.DataFrame({"kind": kinds, "step": [0, *range(steps), -1]})
    table["t"] = [0.0, *np.linspace(0, 1, steps), 1.0]
    table["level"] = 36.0
    table["y"] = 36 + 0.3 * np.sin(7 * table["t"])
    table["y_judge"] = 36 + 1.8 * np.sin(9 * table["t"])
    table["label"] = [2, *[-1] * steps, 1]
    table["image"] = [image.ravel().tolist() for image in images]
    return table


def make_molecules():
    """A few molecules with geometries from RDKit."""
    rows = []
    for index, smiles in enumerate(_SMILES):
        molecule = Chem.AddHs(Chem.MolFromSmiles(smiles))
        rdDistGeom.EmbedMolecule(molecule, randomSeed=7)
        positions = molecule.GetConformer().GetPositions()
        elements = [atom.GetSymbol() for atom in molecule.GetAtoms()]
        rows.append((100 + index, smiles, 130.0 + index, elements, positions.ravel().tolist()))
    return pd.DataFrame(rows, columns=["qm9_index", "smiles", "y", "elements", "coordinates"])


def make_molecule_path(molecules):
    """Two references; between them repeats, an invalid graph and one that QM9 does not have."""
    middle = [0, 0, 1, None, 1, 2, "CC(C)C(=O)C(C)=O", 3, 4, 4]
    rows = [
        ("reference", 0.0, 0),
        *[("path", s / (len(middle) - 1), m) for s, m in enumerate(middle)],
        ("reference", 1.0, 4),
    ]
    table = pd.DataFrame([_molecule_step(*row, molecules) for row in rows])
    table = table.assign(level=138.0, predicted=137.0 + table["t"])
    return table.astype({"qm9_index": "Int64", "true_y": float})


def _molecule_step(kind, t, which, molecules):
    place = {"kind": kind, "t": t, "smiles": "", "valid": which is not None, "qm9_index": None,
             "true_y": None, "split": ""}  # fmt: skip
    if isinstance(which, str):
        return {**place, "smiles": which}
    if which is None:
        return place
    row = molecules.iloc[which]
    split = "test" if kind == "reference" else "train"
    return {**place, "smiles": row["smiles"], "qm9_index": row["qm9_index"], "true_y": row["y"],
            "split": split}  # fmt: skip


@pytest.fixture(scope="session")
def curves():
    return make_curves()


@pytest.fixture(scope="session")
def landscape():
    return make_landscape()


@pytest.fixture(scope="session")
def landscape_of():
    return make_landscape


@pytest.fixture(scope="session")
def minima():
    return make_minima()


@pytest.fixture(scope="session")
def two_minima():
    return make_minima(2)


@pytest.fixture(scope="session")
def input_point():
    return to_banana


@pytest.fixture(scope="session")
def true_curve():
    return make_true_curve


@pytest.fixture(scope="session")
def extrapolation():
    return make_extrapolation()


@pytest.fixture(scope="session")
def image_path():
    return make_image_path()


@pytest.fixture(scope="session")
def molecules():
    return make_molecules()


@pytest.fixture(scope="session")
def molecule_path(molecules):
    return make_molecule_path(molecules)
