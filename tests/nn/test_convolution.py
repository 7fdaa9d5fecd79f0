"""Shapes of the picture networks."""

import pytest
import torch

from gicnn.nn.convolution import ConvolutionalDecoder, ConvolutionalEncoder


def test_encoder_and_decoder_fit_together():
    encoder = ConvolutionalEncoder((1, 36, 36), 5, width=2, hidden_features=16)
    decoder = ConvolutionalDecoder(5, (1, 36, 36), width=2, channels=4)
    pictures = decoder(encoder(torch.rand(3, 1, 36, 36)))

    assert pictures.shape == (3, 1, 36, 36)
    assert 0 < pictures.min() <= pictures.max() < 1


def test_every_weight_takes_part():
    encoder = ConvolutionalEncoder((1, 36, 36), 5, width=2, hidden_features=16)
    encoder(torch.rand(8, 1, 36, 36)).square().sum().backward()
    assert all(parameter.grad is not None for parameter in encoder.parameters())


@pytest.mark.parametrize("shape", [(1, 28, 28), (3, 36, 36), (36, 36)])
def test_other_pictures_are_refused(shape):
    with pytest.raises(ValueError, match=r"\(1, 36, 36\)"):
        ConvolutionalEncoder(shape, 5, width=2, hidden_features=16)
