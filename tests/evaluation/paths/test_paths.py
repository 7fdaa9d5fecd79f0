"""Paths keep their level from one reference to the other."""

import torch

from gicnn.evaluation.paths.interpolation import follow_path, latent_minimum


def test_path_runs_on_the_level_between_the_ends(exact):
    exact.double()
    ends = torch.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
    centre = latent_minimum(exact, torch.randn(4, 2, dtype=torch.float64))
    path = follow_path(exact, centre, ends, level=9.0, steps=11)

    assert centre.norm() < 1e-5
    assert torch.allclose(path.inputs.norm(dim=-1), torch.full((11,), 2.0, dtype=torch.float64))
    assert torch.allclose(path.inputs[0], 2 * ends[0], atol=1e-4)
    assert torch.allclose(path.inputs[-1], ends[1], atol=1e-4)
    assert torch.allclose(path.cycled, torch.full((11,), 9.0, dtype=torch.float64))
