"""Dense networks have the widths they were given."""

import torch

from gicnn.nn.dense import DenseDecoder, DenseEncoder, DenseProperty, dense


def test_hidden_layers_have_activation_and_dropout_but_the_output_has_neither():
    kinds = [type(layer).__name__ for layer in dense([3, 4, 5], "relu", dropout=0.1)]
    assert kinds == ["Linear", "ReLU", "Dropout", "PreciseLinear"]


def test_shapes():
    x = torch.rand(7, 2, 3)
    z = DenseEncoder((2, 3), 4, [8], "elu", dropout=0.0)(x)
    assert z.shape == (7, 4)
    assert DenseDecoder(4, (2, 3), [8], "elu", dropout=0.0)(z).shape == x.shape
    assert DenseProperty(4, [8, 8], "softplus")(z).shape == (7,)
