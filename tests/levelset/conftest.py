"""Functions whose level sets are known, and one network written by hand."""

import math
from dataclasses import dataclass

import pytest
import torch
from torch.nn import functional as F


@dataclass(frozen=True)
class Known:
    """A function of least value 0 at 0, with the radius of each level in closed form."""

    function: object
    radius: object


def _paraboloid(dim):
    weight = torch.logspace(-2, 2, dim, dtype=torch.float64)
    return Known(
        lambda z: (weight.to(z) * z.square()).sum(-1),
        lambda u, level: (level / (weight * u.square()).sum(-1)).sqrt(),
    )


def _quartic(dim):
    weight = torch.logspace(-2, 2, dim, dtype=torch.float64)
    return Known(
        lambda z: (weight.to(z) * z**4).sum(-1),
        lambda u, level: (level / (weight * u**4).sum(-1)) ** 0.25,
    )


def _cone(dim):
    weight = torch.logspace(-1, 1, dim, dtype=torch.float64)
    return Known(
        lambda z: torch.linalg.vector_norm(weight.to(z) * z, dim=-1),
        lambda u, level: level / torch.linalg.vector_norm(weight * u, dim=-1),
    )


def _log_sum_exp(dim):
    """The log-sum-exp of plus and minus a norm: flat at its minimum, then ever more a cone."""
    weight = torch.logspace(-1, 1, dim, dtype=torch.float64)

    def function(z):
        size = torch.linalg.vector_norm(weight.to(z) * z, dim=-1)
        return torch.logaddexp(size, -size) - math.log(2)

    return Known(
        function,
        lambda u, level: (
            math.acosh(math.exp(level)) / torch.linalg.vector_norm(weight * u, dim=-1)
        ),
    )


def _saturating(dim):
    """A paraboloid under a bounded g."""
    inner = _paraboloid(dim)
    return Known(
        lambda z: 4 * torch.tanh(inner.function(z) / 8),
        lambda u, level: inner.radius(u, 8 * math.atanh(level / 4)),
    )


KNOWN = {
    "paraboloid": _paraboloid,
    "quartic": _quartic,
    "cone": _cone,
    "log_sum_exp": _log_sum_exp,
    "saturating": _saturating,
}


@pytest.fixture(params=list(KNOWN))
def known(request):
    """One family of functions after the other; takes the dimension."""
    return KNOWN[request.param]


@pytest.fixture
def network():
    """Make an input-convex softplus network; ``gain`` scales its weights.

    Its first layer sees each of its directions from both sides and has a share in the output, so
    that the minimum is attained.
    """

    def make(dim, width=16, gain=1.0, dtype=torch.float64, seed=0):
        width = 2 * max(dim, width // 2)
        draw = torch.Generator().manual_seed(seed)
        skips = [(gain * torch.randn(dim, width, generator=draw)).to(dtype) for _ in range(3)]
        skips[0][:, : width // 2] = -skips[0][:, width // 2 :]
        bias = torch.randn(width, generator=draw).to(dtype)
        convex = [(gain * torch.rand(width, width, generator=draw)).to(dtype) for _ in range(2)]
        last = torch.rand(width, generator=draw).to(dtype) / width

        def function(z):
            hidden = first = F.softplus(z @ skips[0] + bias)
            for weight, skip in zip(convex, skips[1:], strict=True):
                hidden = F.softplus(hidden @ weight / width + z @ skip)
            return (hidden + first) @ last

        return function

    return make
