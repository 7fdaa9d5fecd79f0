"""The molecules' numbers once more, from the saved weights alone, without torch or the package."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load_file

ROOT = Path(__file__).resolve().parents[2]
PATTERN = "results/evaluation/qm9/gicnn_approximate/seed-*/metrics.json"
RUNS = [path for run in (ROOT, *sorted(ROOT.glob("runs/*"))) for path in run.glob(PATTERN)]

pytestmark = pytest.mark.skipif(not RUNS, reason="needs a run that has measured the molecules")


@pytest.fixture(params=RUNS, ids=lambda path: "-".join(path.relative_to(ROOT).parts[:2]))
def run(request):
    """Settings, weights in float64, the test split and what the run says of it."""
    seed, results = request.param.parent.name, request.param.parents[4]
    folder = results / "models/qm9/gicnn_approximate" / seed
    settings = json.loads((folder / "run.json").read_text())["settings"]["model"]
    saved = load_file(folder / "weights.safetensors")
    weights = {name: value.astype(np.float64) for name, value in saved.items()}
    tensors = load_file(results / "data/qm9/tensors.safetensors")
    test = {name: values[tensors["split"] == 2] for name, values in tensors.items()}
    table = pd.read_parquet(request.param.with_name("predictions.parquet"))
    table = table[table["split"] == "test"].reset_index(drop=True)
    metrics = json.loads(request.param.read_text())
    return settings, weights, test, table, metrics["splits"]["test"]


def softplus(t):
    return np.logaddexp(0, t)


def dense(weights, name, values):
    """Affine maps with the exponential linear unit between them."""
    numbers = sorted(int(k.split(".")[2]) for k in weights if k.startswith(f"{name}.layers."))
    layers = sorted(set(numbers))
    for number in layers:
        affine = f"{name}.layers.{number}"
        values = values @ weights[f"{affine}.weight"].T + weights[f"{affine}.bias"]
        if number != layers[-1]:
            values = np.where(values > 0, values, np.expm1(np.minimum(values, 0)))
    return values


def encode(settings, weights, x):
    """The dense network; a graph encoder is given walks on the graphs, too."""
    if settings["encoder"]["kind"] == "graph":
        x = np.hstack([x, settings["encoder"]["walks"] * np.array([walks(graph) for graph in x])])
    return dense(weights, "encoder", x)


def walks(graph):
    """Neighbours' elements, then walks of two and of three bonds; m are multiple bonds."""
    elements, pairs = graph[:45].reshape(9, 5), graph[45:].reshape(36, 4)
    a, m = np.zeros((9, 9)), np.zeros((9, 9))
    for (i, j), pair in zip(combinations(range(9), 2), pairs, strict=True):
        a[i, j] = a[j, i] = pair[1:].sum()
        m[i, j] = m[j, i] = pair[2:].sum()
    halves = [half[np.triu_indices(9)] for half in (a @ a / 2, a @ a @ a / 4, m @ a @ m)]
    return np.concatenate(
        [(a @ elements).ravel(), (m @ elements).ravel(), (a @ m).ravel(), *halves]
    )


def convex(settings, weights, z):
    """The recursion of Theorem 3.4, with the quadratic."""

    def skip(number):
        return (
            z @ weights[f"convex.skip.{number}.weight"].T + weights[f"convex.skip.{number}.bias"]
        )

    value = skip(0)
    for number in range(len(settings["property_decoder"]["hidden_features"])):
        free = weights[f"convex.convex.{number}.free"]
        positive = softplus(free) + 1e-6 / free.shape[1]
        value = softplus(value) @ positive.T + skip(number + 1)
    return value[:, 0] + settings["property_decoder"]["curvature"] / 2 * (z**2).sum(1)


def predict(settings, weights, z):
    """The sum of hyperbolic tangents of section 3.4, in the property's unit."""
    g = {
        k: weights[f"monotone.{k}"] for k in ("constant", "slope", "weights", "scales", "middles")
    }
    slope, scales, heights = (np.exp(g[k]) + 1e-6 for k in ("slope", "scales", "weights"))
    t = convex(settings, weights, z)
    bends = np.tanh(scales * (t[:, None] - g["middles"])) @ heights
    return weights["offset"] + weights["scale"] * (g["constant"] + slope * t + bends)


def graphs(settings, outputs):
    """Probabilities, and the likeliest graphs."""
    probabilities, likeliest, start = [], [], 0
    for variables, kinds in settings["likelihood"]["groups"]:
        part = outputs[:, start : start + variables * kinds].reshape(-1, variables, kinds)
        raised = np.exp(part - part.max(-1, keepdims=True))
        probabilities.append((raised / raised.sum(-1, keepdims=True)).reshape(len(part), -1))
        likeliest.append(np.eye(kinds)[part.argmax(-1)].reshape(len(part), -1))
        start += variables * kinds
    return np.hstack(probabilities), np.hstack(likeliest)


def is_molecule(graph):
    """One fragment of carbon, nitrogen, oxygen and fluorine that have no more bonds than they may."""
    elements = graph[:45].reshape(9, 5).argmax(-1)
    bonds = np.zeros((9, 9), dtype=int)
    bonds[np.triu_indices(9, k=1)] = graph[45:].reshape(36, 4).argmax(-1)
    bonds += bonds.T
    if (bonds.sum(0) > np.array([4, 3, 2, 1, 0])[elements]).any():
        return False
    reached = np.linalg.matrix_power(np.eye(9, dtype=int) + (bonds > 0), 8) > 0
    there = np.flatnonzero(elements < 4)
    return len(there) > 0 and reached[np.ix_(there, there)].all()


def test_another_implementation_gives_the_same_numbers(run):
    settings, weights, test, table, reported = run
    z = encode(settings, weights, test["x"])
    soft, hard = graphs(settings, dense(weights, "decoder", z))
    first = predict(settings, weights, z)
    again = [
        predict(settings, weights, encode(settings, weights, graph)) for graph in (soft, hard)
    ]

    assert table["index"].tolist() == test["index"].tolist()
    assert table["predicted"].to_numpy() == pytest.approx(first, abs=1e-2)
    assert reported["count"] == len(first)
    assert reported["property_mae"] == pytest.approx(abs(first - test["y"]).mean(), rel=1e-3)
    assert reported["invariance_mae"] == pytest.approx(abs(first - again[0]).mean(), rel=1e-2)
    assert reported["invariance_hard_mae"] == pytest.approx(abs(first - again[1]).mean(), rel=1e-2)
    valid = np.mean([is_molecule(graph) for graph in hard])
    assert reported["reconstruction_valid"] == pytest.approx(valid, abs=1.5 / len(first))
    exact = (hard == test["x"]).all(1).mean()
    # A molecule whose two likeliest graphs are equally likely may fall either way.
    assert reported["reconstruction_exact"] == pytest.approx(exact, abs=1.5 / len(first))
