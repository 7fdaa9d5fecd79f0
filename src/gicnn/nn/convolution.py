"""Convolutional encoder and decoder for 36 x 36 grey pictures."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

__all__ = ["ConvolutionalDecoder", "ConvolutionalEncoder", "ResidualBlock"]

_SIDE = 36


class ResidualBlock(nn.Module):
    """Two 3 x 3 convolutions around a batch normalisation, added to their input.

    Shapes:
        x: (batch, channels, height, width), returns the same
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
        )

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c h w"]:
        return torch.relu(x + self.layers(x))


class ConvolutionalEncoder(nn.Module):
    """Posterior mean of a picture (appendix of the paper, Rotated Fashion-MNIST).

    A 7 x 7 and two 3 x 3 convolutions of stride 2 with residual blocks in between.

    Shapes:
        x: (batch, 1, 36, 36), returns: (batch, latent_features)

    Args:
        in_shape: Must be (1, 36, 36).
        latent_features: The latent dimension.
        width: The unit u of the channel counts 2u, 4u, 8u; the authors' is 32.
        hidden_features: The width of the dense layer before the mean.

    Raises:
        ValueError: The pictures have another shape.
    """

    def __init__(
        self, in_shape: Sequence[int], latent_features: int, width: int, hidden_features: int
    ) -> None:
        super().__init__()
        _check_shape(in_shape)
        self.layers = nn.Sequential(
            nn.Conv2d(1, 2 * width, 7, stride=2, padding=3),
            nn.ReLU(),
            ResidualBlock(2 * width),
            nn.Conv2d(2 * width, 4 * width, 3, stride=2, padding=1),
            nn.ReLU(),
            ResidualBlock(4 * width),
            nn.Conv2d(4 * width, 8 * width, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(8 * width * 5 * 5, hidden_features),
            nn.ReLU(),
            nn.Linear(hidden_features, latent_features),
        )

    def forward(self, x: Float[Tensor, "b 1 h w"]) -> Float[Tensor, "b latent"]:
        return self.layers(x - 0.5)


class ConvolutionalDecoder(nn.Module):
    """Mean of a picture from a latent point, grey values in (0, 1).

    Three transposed convolutions of stride 2 take 5 x 5 to 10, 20 (18 after an unpadded
    convolution) and 36, with residual blocks in between.

    Shapes:
        z: (batch, latent_features), returns: (batch, 1, 36, 36)

    Args:
        latent_features: The latent dimension.
        out_shape: Must be (1, 36, 36).
        width: The unit u of the channel counts; the authors' is 32.
        channels: The channels of the 5 x 5 start, in units of ``width``; the authors' is 32.

    Raises:
        ValueError: The pictures have another shape.
    """

    def __init__(
        self, latent_features: int, out_shape: Sequence[int], width: int, channels: int
    ) -> None:
        super().__init__()
        _check_shape(out_shape)
        start = channels * width
        self.layers = nn.Sequential(
            nn.Linear(latent_features, start * 5 * 5),
            nn.Unflatten(-1, (start, 5, 5)),
            nn.ReLU(),
            nn.ConvTranspose2d(start, 4 * width, 3, stride=2, padding=1, output_padding=1),
            nn.ReLU(),
            ResidualBlock(4 * width),
            nn.ConvTranspose2d(4 * width, 2 * width, 3, stride=2, padding=1, output_padding=1),
            nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3),
            nn.ReLU(),
            nn.ConvTranspose2d(2 * width, width, 3, stride=2, padding=1, output_padding=1),
            nn.ReLU(),
            ResidualBlock(width),
            nn.Conv2d(width, 1, 1),
            nn.Sigmoid(),
        )

    def forward(self, z: Float[Tensor, "b latent"]) -> Float[Tensor, "b 1 h w"]:
        return self.layers(z)


def _check_shape(shape: Sequence[int]) -> None:
    if tuple(shape) != (1, _SIDE, _SIDE):
        raise ValueError(f"pictures must have shape (1, {_SIDE}, {_SIDE}), got {tuple(shape)}")
