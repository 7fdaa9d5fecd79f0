"""In the plane, level sets are the contours that a grid shows."""

import contourpy
import pytest
import torch

from gicnn.levelset import LevelSet

REACH, COUNT = 3.0, 601  # of the grid; its spacing is 0.01


def contour(function, level):
    """Vertices of marching squares on a fine grid, all lines of the level together."""
    axis = torch.linspace(-REACH, REACH, COUNT, dtype=torch.float64)
    grid = torch.stack(torch.meshgrid(axis, axis, indexing="xy"), dim=-1)
    generator = contourpy.contour_generator(axis, axis, function(grid).numpy())
    return torch.cat([torch.from_numpy(line) for line in generator.lines(level)])


def apart(points, vertices):
    """The larger of the two one-sided distances between two sets of points."""
    gaps = torch.cdist(points, vertices)
    return max(gaps.amin(0).max(), gaps.amin(1).max())


@pytest.fixture
def plane(network):
    """A network whose minimum is near the origin, under a rising function with a cusp."""
    inner = network(2, seed=1)
    lowest = LevelSet.about_minimum(inner, 1e3, torch.zeros(1, 2).double())
    floor = lowest.centre_value

    def function(z):
        return (inner(z) - floor).clamp_min(0).sqrt()

    return function, lowest.centre


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6])
def test_a_grid_of_angles_and_marching_squares_agree(plane, share):
    function, centre = plane
    level = share * function(torch.tensor([REACH, REACH], dtype=torch.float64)).item()
    level_set = LevelSet(function, level, centre)

    assert apart(level_set.grid(2000).point, contour(function, level)) < 0.02
    assert apart(level_set.grid(2000).point, contour(function, 1.3 * level)) > 0.02
