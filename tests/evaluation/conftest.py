"""Small models whose behaviour is known exactly."""

import numpy as np
import pandas as pd
import pytest
import torch

from gicnn.evaluation.molecules.reader import MoleculeReader
from gicnn.models.likelihood import CategoricalLikelihood, GaussianLikelihood
from gicnn.models.vae import SideInformationVAE
from gicnn.nn.convex import InputConvexNetwork
from gicnn.types import Split


class Rotation(torch.nn.Module):
    """A quarter turn: an exact bijection of the plane that is no identity."""

    def __init__(self):
        super().__init__()
        self.matrix = torch.nn.Parameter(torch.tensor([[0.0, -1.0], [1.0, 0.0]]))

    def forward(self, x):
        return x @ self.matrix.T

    def inverse(self, z):
        return z @ self.matrix


class Paraboloid(torch.nn.Module):
    """z -> |z|^2."""

    def forward(self, z):
        return z.square().sum(-1)


@pytest.fixture
def exact():
    """Y = 1 + 2 |x|^2 by way of a rotation."""
    likelihood = GaussianLikelihood(floor=0.01)
    return SideInformationVAE(Rotation(), None, likelihood, Paraboloid(), None, 1.0, 2.0).eval()


@pytest.fixture
def convex(exact):
    """The same with an untrained input-convex network."""
    exact.convex = InputConvexNetwork(2, [16, 16], curvature=1e-2)
    return exact


class Identity(torch.nn.Module):
    """Logits that name the input itself."""

    def forward(self, x):
        return 20 * x


@pytest.fixture
def graphs():
    """Two categorical variables of two kinds, reconstructed perfectly."""
    likelihood = CategoricalLikelihood([(2, 2)])
    return SideInformationVAE(
        torch.nn.Identity(), Identity(), likelihood, Paraboloid(), None, 0.0, 1.0
    ).eval()


CODES = {"CC": (1, 0, 1, 0), "CO": (1, 0, 0, 1), "OC": (0, 1, 1, 0)}
"""Graphs of two places of two kinds; the fourth, (0, 1, 0, 1), is no molecule."""


def decode_pairs(codes):
    names = {code: name for name, code in CODES.items()}
    return [names.get(tuple(int(v) for v in code), "") for code in codes]


def encode_pairs(names):
    reasons = ["" if name in CODES else "unfit" for name in names]
    graphs = np.array([CODES.get(name, (0,) * 4) for name in names], dtype=np.uint8)
    return graphs.reshape(-1, 4), list(names), reasons


@pytest.fixture
def molecules():
    """A hundred and twenty graphs in three splits; the property of CC is 1, of CO 2, of OC 3."""
    x = torch.tensor(list(CODES.values())).repeat(40, 1).float()
    y = torch.tensor([1.0, 2.0, 3.0]).repeat(40)
    bounds = {"train": (0, 60), "validation": (60, 90), "test": (90, 120)}
    return {
        name: Split(x[slice(*part)], y[slice(*part)], torch.arange(*part))
        for name, part in bounds.items()
    }


@pytest.fixture
def reader(graphs, molecules):
    """All molecules but OC are known; CC is a training molecule. f is |z|^2."""
    catalogue = pd.DataFrame({"smiles": ["CC", "CO"], "qm9_index": [5, 700], "y": [1.0, 2.0]})
    return MoleculeReader.of(graphs, decode_pairs, encode_pairs, catalogue, molecules)


@pytest.fixture
def split():
    """A hundred normal points of the plane and their squared distance from the origin."""
    x = torch.randn(100, 2)
    return Split(x, x.square().sum(-1), torch.arange(100))
