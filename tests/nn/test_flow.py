"""The flow is a bijection, also far outside the training range."""

import pytest
import torch

from gicnn.nn.flow import MaskedAutoregressiveFlow


@pytest.fixture
def flow():
    return MaskedAutoregressiveFlow((2,), 2, 4, [16], "elu", 0.1).double()


@pytest.mark.parametrize("reach", [1.0, 1e2, 1e4])
def test_inverse_undoes_forward(flow, reach):
    x = reach * torch.randn(500, 2, dtype=torch.float64)
    assert (flow.inverse(flow(x)) - x).abs().max() < 1e-9 * reach


def test_forward_undoes_inverse(flow):
    z = torch.randn(500, 2, dtype=torch.float64)
    assert (flow(flow.inverse(z)) - z).abs().max() < 1e-9


def test_log_determinant_is_the_jacobian_s(flow):
    x = torch.randn(2, dtype=torch.float64)
    jacobian = torch.autograd.functional.jacobian(flow, x)
    z, log_determinant = flow.transform().call_and_ladj(x)

    assert torch.allclose(z, flow(x))
    assert torch.allclose(jacobian.det().abs().log(), log_determinant)


def test_gradients_reach_every_parameter_through_the_inverse(flow):
    flow.inverse(torch.randn(50, 2, dtype=torch.float64)).square().sum().backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in flow.parameters())


def test_other_dimensions_are_refused():
    with pytest.raises(ValueError, match="latent_features is 3"):
        MaskedAutoregressiveFlow((2,), 3, 4, [16], "elu", 0.1)
