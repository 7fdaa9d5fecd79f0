"""Scales start where they are told and stay above their floor."""

import pytest
import torch

from gicnn.nn.scale import TrainableScale


@pytest.mark.parametrize("start", [1e-3, 0.1, 1.0, 30.0])
def test_scale_starts_where_it_is_told(start):
    assert TrainableScale(start, floor=1e-4)().item() == pytest.approx(start, rel=1e-5)


def test_scale_stays_above_its_floor():
    scale = TrainableScale(1.0, floor=0.1)
    torch.nn.init.constant_(scale.theta, -1e4)
    assert scale().item() == pytest.approx(0.1)


def test_adam_brings_a_scale_down_in_a_few_hundred_steps():
    scale = TrainableScale(1.0, floor=1e-3)
    stepper = torch.optim.Adam(scale.parameters(), lr=1e-3)
    for _ in range(300):
        stepper.zero_grad()
        scale().log().backward()
        stepper.step()
    assert scale().item() < 0.1


@pytest.mark.parametrize(("start", "floor"), [(1.0, 0.0), (1.0, -1.0), (0.1, 0.2)])
def test_impossible_scales_are_refused(start, floor):
    with pytest.raises(ValueError, match="floor"):
        TrainableScale(start, floor)
