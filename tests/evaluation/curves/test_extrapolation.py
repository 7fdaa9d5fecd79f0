"""The error of level curves by distance, on curves that are known exactly."""

import math

import pytest
import torch

from gicnn.data.grids import rosenbrock
from gicnn.data.true_curves import rosenbrock_curve
from gicnn.evaluation.curves.extrapolation import (
    distance_to_curve,
    followed_to,
    measure_extrapolation,
    quantiles,
    reach,
)

HALF_SIDE = 0.4
DISTANCES = [1.0, 2.0, 10.0, 30.0]
LEVELS = (2.0, 4.0)


def walked(bend=None):
    """Curves as a model would give them: the true ones, some points bent away."""
    tables = []
    for level in LEVELS:
        x = torch.as_tensor(rosenbrock_curve(level, 3000))
        length = (x.roll(-1, 0) - x).norm(dim=-1)
        x = x if bend is None else bend(x)
        columns = {"x_1": x[:, 0], "x_2": x[:, 1], "true_y": rosenbrock(x), "length": length}
        tables.append({**columns, "level": torch.full_like(length, level)})
    return {name: torch.cat([table[name] for table in tables]) for name in tables[0]}


def measured(curves, distances=DISTANCES):
    return measure_extrapolation(curves, HALF_SIDE, rosenbrock_curve, distances)


def of(table, quantity, column):
    return [
        value
        for name, value in zip(table["quantity"], table[column].tolist(), strict=True)
        if name == quantity
    ]


def shifted_beyond(distance, shift):
    """Move what is farther out than this, in half sides, sideways by a share of its height."""

    def bend(x):
        far = x.abs().amax(-1) > distance * HALF_SIDE
        return x + torch.stack([shift * far * x[:, 1], torch.zeros_like(x[:, 0])], -1)

    return bend


@pytest.mark.parametrize("quantity", ["error", "relative_error", "displacement"])
@pytest.mark.parametrize("column", ["mean", "low", "median", "high"])
def test_perfect_curves_have_no_error_at_any_distance(quantity, column):
    values = of(measured(walked()), quantity, column)

    assert len(values) == 5
    assert values == pytest.approx([0] * 5, abs=1e-4)


def test_perfect_curves_are_followed_to_their_end():
    curves = walked()
    end = reach(curves, HALF_SIDE).max().item()

    assert end == pytest.approx(10 * 1.7**2 / HALF_SIDE, rel=0.01)
    assert followed_to(measured(curves), 0.1) == pytest.approx(end)


def test_curves_that_leave_the_valley_are_seen_where_they_do():
    table = measured(walked(shifted_beyond(2.0, 0.05)))
    errors = of(table, "relative_error", "mean")

    assert errors[:2] == pytest.approx([0, 0], abs=1e-5)
    assert min(errors[2:]) > 0.2
    assert min(of(table, "displacement", "median")[2:]) > 1e-3
    assert 1.9 < followed_to(table, 0.1) <= 2.0


def test_curves_that_are_wrong_inside_are_followed_nowhere():
    table = measured(walked(lambda x: x + 0.05))
    assert followed_to(table, 0.1) == 0


def test_a_good_stretch_beyond_a_bad_one_does_not_count():
    curves = walked()
    away = reach(curves, HALF_SIDE)
    curves["true_y"] = curves["true_y"] + ((away > 1) & (away < 2))

    assert followed_to(measured(curves), 0.1) <= 1


def test_a_sideways_step_in_a_straight_wall_is_the_displacement():
    """Far out the valley's walls are steep: nearly all of a small step is away from them."""
    wall = 10 + 0.16 * (1 - (9 / 16) ** 2) ** 0.5  # of level 4, above 1.0 on the first axis
    x = torch.tensor([[1.0, wall + 0.2]], dtype=torch.float64)
    curves = {"x_1": x[:, 0], "x_2": x[:, 1], "true_y": rosenbrock(x)}
    curves |= {"level": torch.full((1,), 4.0).double(), "length": torch.ones(1).double()}
    table = measured(curves)

    expected = 0.2 / (1 + (10 * 2 * 1.0) ** 2) ** 0.5
    (found,) = [value for value in of(table, "displacement", "mean") if not math.isnan(value)]
    assert found == pytest.approx(expected / x[0, 1].item(), rel=0.02)


def test_without_a_formula_the_displacement_is_unknown_and_the_error_is_not():
    table = measure_extrapolation(walked(), HALF_SIDE, None, DISTANCES)

    assert all(map(math.isnan, of(table, "displacement", "mean")))
    assert max(of(table, "error", "mean")) < 1e-5


def test_each_point_counts_in_one_range():
    curves = walked()
    assert sum(of(measured(curves), "error", "points")) == len(curves["level"])


def test_numbers_are_over_length_however_densely_points_lie():
    curves = walked(shifted_beyond(1.0, 0.01))
    crowd = torch.cat([torch.arange(2000), torch.arange(2000, 6000).repeat_interleave(3)])
    crowded = {name: values[crowd] for name, values in curves.items()}
    crowded["length"] = crowded["length"] / torch.where(crowd < 2000, 1, 3)

    for column in ("mean", "median", "high"):
        fair = of(measured(curves), "error", column)
        assert of(measured(crowded), "error", column) == pytest.approx(fair)
    crowded["length"] = torch.ones_like(crowded["length"])
    assert of(measured(crowded), "error", "mean")[1:] != pytest.approx(fair[1:], rel=0.01)


def test_a_range_without_points_is_passed_over():
    curves = walked()
    away = reach(curves, HALF_SIDE)
    kept = (away < 1) | (away > 2)
    gap = {name: values[kept] for name, values in curves.items()}

    assert of(measured(gap), "error", "points")[1] == 0
    assert followed_to(measured(gap), 0.1) == pytest.approx(away.max().item())


def test_no_curve_gives_empty_ranges_and_nothing_followed():
    nothing = {name: values[:0] for name, values in walked().items()}
    table = measured(nothing)

    assert of(table, "error", "points") == [0] * 5
    assert all(map(math.isnan, of(table, "error", "mean")))
    assert followed_to(table, 0.1) == 0


@pytest.mark.parametrize("distances", [[2.0, 1.0], [1.0, 1.0], [0.0, 1.0]])
def test_distances_that_do_not_rise_are_refused(distances):
    with pytest.raises(ValueError, match="rise"):
        measured(walked(), distances)


def test_quantiles_are_those_of_repeated_values():
    values = torch.tensor([5.0, 1.0, 3.0, 2.0, 4.0], dtype=torch.float64)
    weights = torch.tensor([1.0, 4.0, 2.0, 2.0, 1.0], dtype=torch.float64)
    repeated = values.repeat_interleave(weights.long())

    for share in (0.1, 0.4, 0.5, 0.9, 1.0):
        (found,) = quantiles(values, weights, [share]).tolist()
        expected = torch.quantile(repeated, share, interpolation="lower")
        above = torch.quantile(repeated, share, interpolation="higher")
        assert expected <= found <= above


def test_distance_from_a_circle_is_the_radius_beside_it():
    turn = torch.arange(4096, dtype=torch.float64) * (2 * torch.pi / 4096)
    circle = torch.stack([turn.cos(), turn.sin()], -1)
    points = 3 * torch.randn(700, 2, generator=torch.Generator().manual_seed(0)).double()

    expected = (points.norm(dim=-1) - 1).abs()
    assert torch.allclose(distance_to_curve(points, circle), expected, atol=1e-6)
