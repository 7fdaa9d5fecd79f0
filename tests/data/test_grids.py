"""The synthetic functions have the minima that they are known for."""

import pytest
import torch

from gicnn.data.grids import (
    FUNCTIONS,
    build_grid,
    gaussian_mixture,
    rosenbrock,
    rosenbrock_printed,
)

SETTINGS = {"extent": 0.4, "points_per_side": 40, "validation": 30, "test": 20, "seed": 1}


def lowest_point(function):
    """The lowest point of a function on a fine grid over the training square."""
    axis = torch.linspace(-0.4, 0.4, 801, dtype=torch.float64)
    x = torch.cartesian_prod(axis, axis)
    y = function(x)
    return x[y.argmin()], y.min()


@pytest.mark.parametrize(
    ("function", "place"), [(rosenbrock, [0.1, 0.1]), (rosenbrock_printed, [0.1, 0.01])]
)
def test_rosenbrock_is_zero_where_it_should_be_and_nowhere_below(function, place):
    found, value = lowest_point(function)

    torch.testing.assert_close(found, torch.tensor(place, dtype=torch.float64))
    assert value == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("function", "point", "value"),
    [
        (rosenbrock, [0.0, 0.1], 101**0.25),
        (rosenbrock, [0.1, 0.2], 100**0.25),
        (rosenbrock_printed, [0.0, 0.1], 101**0.25),
        (rosenbrock_printed, [0.1, 0.02], 1.0),
    ],
)
def test_rosenbrock_at_points_worked_out_by_hand(function, point, value):
    found = function(torch.tensor(point, dtype=torch.float64))

    assert found == pytest.approx(value)


def test_the_mixture_has_two_stationary_minima_of_zero():
    for sign in (-1, 1):
        x = torch.tensor([sign * 0.2, 0.0], dtype=torch.float64)
        for _ in range(50):
            x.requires_grad_(True)
            (slope,) = torch.autograd.grad(gaussian_mixture(x), x)
            x = (x - 1e-3 * slope).detach()

        assert x[0] * sign == pytest.approx(0.2, abs=0.01)
        assert gaussian_mixture(x) == pytest.approx(0, abs=1e-9)


def test_the_mixture_is_nowhere_negative_and_a_hill_parts_its_minima():
    x = 0.8 * torch.rand(10_000, 2, dtype=torch.float64) - 0.4

    assert gaussian_mixture(x).min() >= 0
    assert gaussian_mixture(torch.zeros(2)) > 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_keep_batch_dimensions(name):
    assert FUNCTIONS[name](torch.rand(3, 4, 2)).shape == (3, 4)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_training_points_are_the_grid_and_the_others_are_beside_it(name):
    data = build_grid(name, **SETTINGS)
    grid = data.x[data.split == 0]
    others = data.x[data.split != 0]

    assert [int((data.split == number).sum()) for number in range(3)] == [1600, 30, 20]
    assert len(grid[:, 0].unique()) == len(grid[:, 1].unique()) == 40
    assert data.x.abs().max() <= torch.tensor(0.4)
    assert torch.cdist(others, grid).min() > 0
    torch.testing.assert_close(data.y, FUNCTIONS[name](data.x.double()).float())


def test_an_unknown_function_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="'rosen'; there are rosenbrock, "):
        build_grid("rosen", **SETTINGS)
