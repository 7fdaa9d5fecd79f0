"""Trained models of the plane, where a run has left some: minimum and curves found in other ways."""

import json
from pathlib import Path

import contourpy
import pytest
import torch
from scipy.optimize import minimize

from gicnn.levelset import LevelSet, find_minimum
from gicnn.models.build import load_model
from gicnn.tensors import load_splits

ROOT = Path(__file__).parents[3]
RUNS = [path for path in (ROOT / "results", *sorted(ROOT.glob("runs/*/results"))) if path.is_dir()]
WEIGHTS = [
    weights
    for run in RUNS
    for weights in sorted(run.glob("models/*/gicnn/seed-*/weights.safetensors"))
]
GRID = 400  # points per side

pytestmark = pytest.mark.skipif(not WEIGHTS, reason="needs models trained by any run")


@pytest.fixture(params=WEIGHTS, ids=lambda path: "/".join(path.parts[-6:-1]))
def trained(request):
    """The model in float64, with latent codes of its validation split."""
    folder = request.param.parent
    tensors = request.param.parents[4] / "data" / request.param.parents[2].name
    settings = json.loads((folder / "run.json").read_text())["settings"]["model"]
    model = load_model(settings, request.param, (2,)).double().eval()
    x = load_splits(tensors / "tensors.safetensors")["validation"].x.double()
    with torch.no_grad():
        return model, model.encode(x)


def test_scipy_finds_no_lower_minimum(trained):
    model, codes = trained

    def value_and_slope(z):
        z = torch.tensor(z, requires_grad=True)
        value = model.convex(z)
        (slope,) = torch.autograd.grad(value, z)
        return value.item(), slope.numpy()

    ours = find_minimum(model.convex, codes[:4])
    theirs = [
        minimize(value_and_slope, start.numpy(), jac=True, method="L-BFGS-B")
        for start in codes[:4]
    ]

    assert ours.attained
    assert float(ours.value) <= min(result.fun for result in theirs) + 1e-12
    assert abs(float(ours.value) - min(result.fun for result in theirs)) < 1e-6


@torch.no_grad()
def test_curves_are_the_contours_of_a_fine_grid(trained):
    model, codes = trained
    centre = find_minimum(model.convex, codes[:4]).point
    level = model.predict(codes).median().item()
    curve = LevelSet(model.predict, level, centre).grid(2000).point

    low, high = curve.amin(0), curve.amax(0)
    margin = 0.05 * (high - low)
    axes = [
        torch.linspace(*ends, GRID, dtype=torch.float64)
        for ends in zip((low - margin).tolist(), (high + margin).tolist(), strict=True)
    ]
    grid = torch.stack(torch.meshgrid(*axes, indexing="xy"), dim=-1)
    contour = contourpy.contour_generator(*axes, model.predict(grid).numpy()).lines(level)
    gaps = torch.cdist(
        (curve - low) / (high - low), (torch.tensor(contour[0]) - low) / (high - low)
    )

    assert len(contour) == 1  # connected
    assert max(gaps.amin(0).max(), gaps.amin(1).max()) < 4 / GRID
