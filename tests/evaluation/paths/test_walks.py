"""Many walks at once, each as it would be alone."""

import torch

from gicnn.evaluation.paths.centre import Centre
from gicnn.evaluation.paths.walks import WAYS, all_ways, points_on_level, walk_pairs
from gicnn.levelset import LevelSet

ORIGIN = Centre(torch.zeros(4, dtype=torch.float64), None, "", value=0.0, distance=1.0)


def test_walks_together_are_the_walks_alone(graphs):
    graphs.double()
    ends = torch.randn(6, 2, 4, dtype=torch.float64)
    together = walk_pairs(graphs, ORIGIN, 3.0, ends, steps=9)
    alone = [LevelSet(graphs.predict, 3.0, ORIGIN.point).path(*pair, 9).point for pair in ends]

    assert torch.allclose(together, torch.stack(alone), atol=1e-9)
    assert not torch.allclose(together[:-1], torch.stack(alone[1:]), atol=1e-3)
    assert torch.allclose(graphs.predict(together), torch.tensor(3.0).double())


def test_a_level_below_the_minimum_has_no_points(graphs):
    graphs.double()
    angles = torch.rand(5, 7, 3, dtype=torch.float64)

    assert points_on_level(graphs, ORIGIN, -1.0, angles).isnan().all()
    assert points_on_level(graphs, ORIGIN, 1.0, angles).isfinite().all()


def test_all_ways_join_the_same_ends(graphs):
    graphs.double()
    ways = all_ways(graphs, ORIGIN, 3.0, torch.randn(6, 2, 4, dtype=torch.float64), steps=9)

    assert tuple(ways) == WAYS
    for walked in ways.values():
        assert torch.allclose(walked[:, [0, -1]], ways["straight"][:, [0, -1]])
    inside = graphs.predict(ways["straight"][:, 1:-1])
    assert (inside < 3).all()
    assert torch.allclose(inside[:, 3], graphs.predict(ways["straight"][:, [0, -1]].mean(1)))
