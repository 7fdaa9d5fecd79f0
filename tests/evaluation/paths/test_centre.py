"""Level sets are looked at from the minimum, or from within a ball where there is none."""

import pytest
import torch

from gicnn.evaluation.paths.centre import find_centre
from gicnn.evaluation.paths.walks import walk_pairs


class Slope(torch.nn.Module):
    """Convex, and falling for ever on the way to minus infinity."""

    def forward(self, z):
        return torch.nn.functional.softplus(z[..., 0]) + z[..., 1].square()


def test_where_f_has_no_minimum_paths_stay_in_a_ball(exact):
    exact.double().convex = Slope()
    codes = torch.randn(8, 2, dtype=torch.float64)
    centre = find_centre(exact, codes)
    ends = exact.encode(torch.tensor([[2.0, 1.0], [1.0, -1.0]], dtype=torch.float64))
    walked = walk_pairs(exact, centre, 6.0, ends[None], steps=9)[0]

    assert not centre.facts["minimum_attained"]
    assert "infinity" in centre.reason
    farthest = (codes - codes.mean(0)).norm(dim=-1).max()
    assert (centre.point - codes.mean(0)).norm() == pytest.approx(3 * max(farthest.item(), 1.0))
    assert torch.allclose(exact.predict(walked), torch.full((9,), 6.0, dtype=torch.float64))


def test_it_is_told_where_the_minimum_lies(exact):
    """Y = 1 + 2 |x|^2, and codes about (3, 4) that are off their mean by 1."""
    around = torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], dtype=torch.float64)
    facts = find_centre(exact.double(), around + torch.tensor([3.0, 4.0])).facts

    assert facts["minimum_property"] == pytest.approx(1.0)
    assert facts["minimum_distance"] == pytest.approx(5.0)


def test_path_runs_on_the_level_between_the_ends(exact):
    exact.double()
    ends = torch.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
    centre = find_centre(exact, torch.randn(4, 2, dtype=torch.float64))
    walked = walk_pairs(exact, centre, 9.0, exact.encode(ends)[None], steps=11)[0]
    inputs = exact.reconstruct(walked)

    assert centre.point.norm() < 1e-5
    assert (centre.facts["minimum_attained"], centre.facts["minimum_reason"]) == (True, "")
    assert torch.allclose(inputs.norm(dim=-1), torch.full((11,), 2.0, dtype=torch.float64))
    assert torch.allclose(inputs[0], 2 * ends[0], atol=1e-4)
    assert torch.allclose(inputs[-1], ends[1], atol=1e-4)
