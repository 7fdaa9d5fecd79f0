"""Trainable standard deviations."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

__all__ = ["TrainableScale"]

_SPEED = 10.0


class TrainableScale(nn.Module):
    r"""A positive number that an optimiser made for weights still moves quickly.

    .. math:: \sigma = \sigma_0 + \exp(10\,\theta)

    Adam moves every parameter by about the learning rate at a step. The logarithm of a scale
    has to travel much farther than a weight, hence the factor of ten: without it, a learning
    rate of 5e-4 takes 4,600 steps from 1 to 0.1.

    Args:
        start: The first value, above the floor.
        floor: The smallest value.
    """

    def __init__(self, start: float, floor: float) -> None:
        super().__init__()
        if not 0 < floor < start:
            raise ValueError(f"0 < floor < start must hold, got floor {floor}, start {start}")
        self.floor = floor
        self.theta = nn.Parameter(torch.tensor(math.log(start - floor) / _SPEED))

    def forward(self) -> Float[Tensor, ""]:
        return self.floor + (_SPEED * self.theta).exp()
