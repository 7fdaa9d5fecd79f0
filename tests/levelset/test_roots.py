"""The root search on functions that mislead interpolation."""

import pytest
import torch

from gicnn.levelset import find_radii

HARD = {
    "flat to all orders at its minimum": lambda r: torch.exp(-1 / r.clamp_min(1e-9).square()),
    "vertical at its minimum": lambda r: r**0.2,
    "twentieth power": lambda r: r**20,
    "exponential": lambda r: torch.expm1(300 * r),
    "wall": lambda r: r + 1e4 * torch.sigmoid(1e5 * (r - 0.3)),
    "plateau, then a wall": lambda r: (
        torch.tanh(50 * r) + 1e-6 * r + torch.sigmoid(200 * (r - 40))
    ),
    "logarithm of a logarithm": lambda r: torch.log1p(torch.log1p(r)),
    "stairs": lambda r: r + 0.999 * torch.sin(r),
    "stairs with sharp edges": lambda r: r.floor() + (r - r.floor()) ** 30,
}


def search(profile, level):
    """Search two rays; also count the evaluations of one, the centre's included."""
    rows = []

    def function(z):
        rows.append(len(z))
        return profile(torch.linalg.vector_norm(z, dim=-1))

    centre, rays = torch.zeros(2, dtype=torch.float64), torch.eye(2, dtype=torch.float64)
    return find_radii(function, centre, rays, level), (sum(rows) + 1) // 2


@pytest.mark.parametrize("profile", HARD.values(), ids=HARD)
@pytest.mark.parametrize("level", [1e-3, 0.5, 0.9, 0.99])
def test_hard_profiles_take_a_few_dozen_evaluations(profile, level):
    radii, evaluations = search(profile, level)

    assert radii.reached.all()
    assert (profile(radii.radius) - level).abs().max() <= 1e-10
    assert evaluations <= 45


def test_paraboloids_take_one_evaluation_after_the_bracket():
    _, evaluations = search(lambda r: r.square(), 1.0)

    assert evaluations <= 13


def test_a_jump_ends_after_the_bracket_has_been_halved_to_neighbours():
    radii, evaluations = search(lambda r: 10.0 * (r > 2**0.5), 5.0)

    assert not radii.reached.any()
    assert evaluations <= 80
