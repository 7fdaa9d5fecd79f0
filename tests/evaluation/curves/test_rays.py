"""Level curves are drawn well in both spaces."""

import math

import pytest
import torch

from gicnn.evaluation.curves.rays import trace_curve
from gicnn.levelset import LevelSet

CENTRE = torch.zeros(2, dtype=torch.float64)


def bowl(z):
    return z.square().sum(-1)


def banana(z):
    """A long, thin and bent image, by far most of it from few angles."""
    u = 5 * torch.tanh(100 * z[..., 0])
    return torch.stack([u, u**2 + z[..., 1]], -1)


def traced(points=60, rays=300, decode=banana, function=bowl):
    level_set = LevelSet(function, 1.0, CENTRE, quasi_convex=function is bowl)
    return trace_curve(level_set, decode, points=points, rays=rays, half_side=1.0)


def gaps(curve):
    """Steps of the image, relative to how far out they are."""
    x = torch.stack([curve["x_1"], curve["x_2"]], -1)
    ends = x.roll(-1, 0)
    return (ends - x).norm(dim=-1) / (1 + ((x + ends) / 2).norm(dim=-1))


def test_further_rays_close_the_gaps_of_the_image():
    even, spread = gaps(traced(points=360, rays=0)), gaps(traced())

    assert spread.max() < 0.3
    assert even.max() > 10 * spread.max()


def test_points_are_on_the_level_by_angle_and_numbered():
    curve = traced()

    assert torch.allclose(curve["radius"], torch.ones_like(curve["radius"]))
    assert (curve["angle"].diff() > 0).all()
    assert curve["point"].tolist() == list(range(len(curve["point"])))
    image = banana(torch.stack([curve["z_1"], curve["z_2"]], -1))
    assert torch.allclose(image, torch.stack([curve["x_1"], curve["x_2"]], -1))


@pytest.mark.parametrize("rays", [0, 100, 300])
def test_no_more_rays_are_sent_than_asked_for(rays):
    assert 0.8 * rays <= len(traced(rays=rays)["point"]) - 60 <= rays


def test_even_angles_are_all_there():
    even = torch.arange(60, dtype=torch.float64) * (2 * math.pi / 60)
    away = (traced()["angle"][:, None] - even).abs().amin(0)
    assert away.max() < 1e-12


def test_lengths_add_up_to_that_of_the_curve():
    circle = traced(decode=lambda z: 3 * z)
    assert circle["length"].sum() == pytest.approx(6 * math.pi, rel=1e-3)


def ridge(z):
    """Reaches 1 on the right only."""
    return torch.where(z[..., 0] > 0, z.square().sum(-1), 0.5 * torch.tanh(z.norm(dim=-1)))


def test_lost_rays_are_left_out_and_their_gap_has_no_length(caplog):
    half = traced(function=ridge, decode=lambda z: z)

    assert 0 < len(half["point"]) < 360
    assert half["x_1"].min() > 0
    assert half["length"].sum() == pytest.approx(math.pi, rel=0.1)
    assert "never reach" in caplog.text


def test_a_curve_does_not_go_on_beside_lost_rays():
    half = traced(function=ridge, decode=lambda z: z)
    assert half["goes_on"].sum() == len(half["point"]) - 1


def two_bowls(z):
    """Two overlapping discs at level 1; from the middle of one, rays see a part of the other."""
    return torch.minimum(z.square().sum(-1), 0.9 * (z - CENTRE.new_tensor([2.0, 0])).norm(dim=-1))


def test_a_curve_does_not_go_on_over_a_jump_which_takes_few_rays():
    seen = traced(function=two_bowls, decode=lambda z: z)
    corner = torch.tensor([0.941, 0.338])  # where the circles meet
    beside = (seen["angle"] - torch.atan2(corner[1], corner[0])).abs() < 1e-2

    assert (seen["x_1"] > 3).any()
    assert (~seen["goes_on"]).sum() == 2
    assert beside.sum() < 30
    assert seen["length"].sum() == pytest.approx(5.593 + 2.218, rel=0.02)  # of the two arcs
    assert traced(decode=lambda z: z)["goes_on"].all()


def test_a_level_that_no_ray_reaches_leaves_no_row():
    nothing = traced(function=lambda z: 0.5 * torch.tanh(z.norm(dim=-1)))
    assert {len(values) for values in nothing.values()} == {0}
