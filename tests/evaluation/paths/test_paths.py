"""Paths keep their level from one reference to the other."""

import pytest
import torch

from gicnn.evaluation.paths.interpolation import find_centre, follow_path


class Slope(torch.nn.Module):
    """Convex, and falling for ever on the way to minus infinity."""

    def forward(self, z):
        return torch.nn.functional.softplus(z[..., 0]) + z[..., 1].square()


def test_where_f_has_no_minimum_paths_stay_in_a_ball(exact):
    exact.double().convex = Slope()
    codes = torch.randn(8, 2, dtype=torch.float64)
    centre = find_centre(exact, codes)
    ends = torch.tensor([[2.0, 1.0], [1.0, -1.0]], dtype=torch.float64)
    path = follow_path(exact, centre, ends, level=6.0, steps=9)

    assert not centre.facts["minimum_attained"]
    assert "infinity" in centre.reason
    farthest = (codes - codes.mean(0)).norm(dim=-1).max()
    assert (centre.point - codes.mean(0)).norm() == pytest.approx(3 * max(farthest.item(), 1.0))
    assert torch.allclose(path.points.value, torch.full((9,), 6.0, dtype=torch.float64))


def test_path_runs_on_the_level_between_the_ends(exact):
    exact.double()
    ends = torch.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
    centre = find_centre(exact, torch.randn(4, 2, dtype=torch.float64))
    path = follow_path(exact, centre, ends, level=9.0, steps=11)

    assert centre.point.norm() < 1e-5
    assert centre.facts == {"minimum_attained": True, "minimum_reason": ""}
    assert torch.allclose(path.inputs.norm(dim=-1), torch.full((11,), 2.0, dtype=torch.float64))
    assert torch.allclose(path.inputs[0], 2 * ends[0], atol=1e-4)
    assert torch.allclose(path.inputs[-1], ends[1], atol=1e-4)
    assert torch.allclose(path.cycled, torch.full((11,), 9.0, dtype=torch.float64))
