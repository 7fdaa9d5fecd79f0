"""Level curves of a model that is known exactly."""

import math

import pytest
import torch

from gicnn.evaluation.curves.level_curves import trace_level_curves

PLAN = {
    "true_minima": [[0.0, 0.0]],
    "points": 40,
    "rays": 20,
    "grid": 5,
    "starts": 8,
    "seed": 0,
    "distances": [1.0, 2.0],
    "tolerance": 0.1,
}


def truth(x):
    return 1 + 2 * x.square().sum(-1)


@pytest.fixture
def x():
    axis = torch.linspace(-1, 1, 9)
    return torch.cartesian_prod(axis, axis)


def test_curves_are_circles_of_the_right_radius(exact, x):
    found = trace_level_curves(exact, truth, x, levels=[1.5, 3.0], **PLAN)
    radius = torch.hypot(found.curves["x_1"], found.curves["x_2"])
    expected = ((found.curves["level"] - 1) / 2).sqrt()

    assert torch.allclose(radius, expected, atol=1e-6)
    assert found.curves["residual"].abs().max() < 1e-9
    assert 80 <= len(radius) <= 120


def test_summary_says_what_is_outside_and_how_wrong(exact, x):
    found = trace_level_curves(exact, truth, x, levels=[1.5, 9.0], **PLAN)
    assert found.summary["curve_error"]["inside"] == pytest.approx(0, abs=1e-6)
    # Circles of radius 0.5 and 2: all of the larger is outside.
    assert found.summary["outside_share"] == pytest.approx(0.8, rel=1e-2)
    assert found.summary["farthest"] == pytest.approx(2.0, rel=1e-2)
    assert found.summary["distinct_minima"] == 1
    assert found.summary["minimum"]["distance_from_true"] < 1e-4


def test_level_below_the_minimum_has_no_curve(exact, x):
    found = trace_level_curves(exact, truth, x, levels=[0.5, 3.0], **PLAN)
    assert set(found.curves["level"].tolist()) == {3.0}


def test_no_curve_at_all_leaves_empty_columns(exact, x):
    found = trace_level_curves(exact, truth, x, levels=[0.5], **PLAN)
    assert len(found.curves["x_1"]) == 0
    assert found.summary["farthest"] is None


def test_two_minima_are_both_found(exact, x):
    exact.convex.forward = lambda z: (
        -torch.exp(-8 * torch.stack([(z - 0.5).square().sum(-1), (z + 0.5).square().sum(-1)])).sum(
            0
        )
    )
    found = trace_level_curves(exact, truth, x, levels=[0.5], **(PLAN | {"starts": 40}))
    assert found.summary["distinct_minima"] == 2
    assert sum(found.minima["starts"].tolist()) <= 40


def test_landscape_covers_the_square_and_the_codes(exact, x):
    found = trace_level_curves(exact, truth, x, levels=[3.0], **PLAN).landscape
    inputs = torch.tensor([space == "input" for space in found["space"]])
    assert found["x_1"][inputs].unique().tolist() == pytest.approx([-1, -0.5, 0, 0.5, 1])
    latents = torch.tensor([space == "latent" for space in found["space"]])
    assert found["z_1"][latents].unique().tolist() == pytest.approx([-1, -0.5, 0, 0.5, 1])


def test_landscape_close_to_a_curve_is_a_square_of_twice_its_size(exact, x):
    found = trace_level_curves(exact, truth, x, levels=[1.5, 3.0], **PLAN).landscape
    close = torch.tensor([space == "curve" for space in found["space"]])

    for level, radius in ((1.5, 0.5), (3.0, 1.0)):
        z = found["z_1"][close & (found["level"] == level)]
        assert len(z) == 3**2
        assert z.unique().tolist() == pytest.approx([-2 * radius, 0, 2 * radius], abs=1e-6)
    assert found["level"][~close].isnan().all()


def test_rest_on_the_border_of_the_box_is_no_minimum(exact, x):
    """A saddle has none, though a search confined to a box ends in two places."""
    exact.convex.forward = lambda z: z[..., 1] ** 2 - z[..., 0] ** 2
    found = trace_level_curves(exact, truth, x, levels=[0.5], **PLAN)
    assert found.summary["distinct_minima"] == 0
    assert found.summary["minima_from_true"] is None


def test_error_beyond_twice_the_square_is_told_apart(exact, x):
    found = trace_level_curves(exact, lambda x: truth(x) + 1, x, levels=[1.5, 19.0], **PLAN)
    assert found.summary["curve_error"]["beyond"] == pytest.approx(1.0, abs=1e-6)
    near = trace_level_curves(exact, truth, x, levels=[1.5], **PLAN)
    assert near.summary["curve_error"]["beyond"] is None


def test_perfect_curves_are_followed_to_their_end_and_wrong_ones_as_far_as_they_are_right(
    exact, x
):
    perfect = trace_level_curves(exact, truth, x, levels=[1.5, 19.0], **PLAN)
    bent = trace_level_curves(
        exact, lambda x: truth(x) + 9 * (x.norm(dim=-1) > 1.5), x, levels=[1.5, 19.0], **PLAN
    )

    assert perfect.summary["followed_to"] == pytest.approx(3.0, rel=1e-2)
    assert bent.summary["followed_to"] == pytest.approx(0.5, rel=1e-2)


def test_extrapolation_table_tells_how_far_a_curve_is_from_the_true_one(exact, x):
    def circle(level, count):
        turn = torch.arange(count, dtype=torch.float64) * (2 * torch.pi / count)
        return 1.1 * ((level - 1) / 2) ** 0.5 * torch.stack([turn.cos(), turn.sin()], -1)

    plan = PLAN | {"points": 720}
    found = trace_level_curves(exact, truth, x, levels=[1.5], true_curve=circle, **plan)
    table = found.extrapolation
    row = next(row for row, name in enumerate(table["quantity"]) if name == "displacement")

    # A tenth of the radius, over the larger of two coordinates: angles up to 45 degrees.
    for column, degrees in (("low", 4.5), ("median", 22.5), ("high", 40.5)):
        expected = 0.1 / math.cos(math.radians(degrees))
        assert table[column][row].item() == pytest.approx(expected, rel=1e-2)
