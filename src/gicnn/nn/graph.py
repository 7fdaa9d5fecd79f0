"""An encoder of one-hot graphs that also sees the walks on them."""

from collections.abc import Sequence
from itertools import combinations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from gicnn.nn.dense import dense

__all__ = ["GraphEncoder", "WalkCounts"]


class WalkCounts(nn.Module):
    r"""Neighbours' kinds, and numbers of walks of two and of three bonds, of a one-hot graph.

    With A the matrix of bonds of any order, M that of double and triple ones and K the one-hot
    kinds of atoms, one after the other: :math:`AK`, :math:`MK` and :math:`AM` row by row, then
    the upper triangles, diagonal included, of :math:`A^2 / 2`, :math:`A^3 / 4` and :math:`MAM`.
    The last one tells double bonds that are conjugated. There are about twice as many walks with
    every bond more, hence the halves. In a graph of probabilities a walk counts by the product
    of those of its bonds, which is differentiable.

    Shapes:
        x: (batch, features), one-hot kinds of atoms, then one-hot bonds of pairs (0, 1), (0, 2),
        ...; returns: (batch, size)

    Args:
        groups: [[atoms, kinds], [pairs, bonds]], as of ``CategoricalLikelihood``; bonds are
            none, single, and any number of multiple ones.

    Attributes:
        size: The number of counts.

    Raises:
        ValueError: There are not two groups, the pairs are not those of the atoms, or no bond
            is a multiple one.

    Example:
        >>> counts = WalkCounts([[2, 1], [1, 3]])  # two atoms of one kind, and a double bond
        >>> counts(torch.tensor([[1.0, 1.0, 0.0, 0.0, 1.0]]))[0, :4]
        tensor([1., 1., 1., 1.])
    """

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        super().__init__()
        (atoms, kinds), *others = groups
        pairs = atoms * (atoms - 1) // 2
        bonds = others[0][1] if others else 0
        if [list(other) for other in others] != [[pairs, max(bonds, 3)]]:
            raise ValueError(
                f"groups {[list(group) for group in groups]} are no graph: {atoms} atoms ask for "
                f"one more group, [{pairs}, n], with n of 3 or more: no, a single, a multiple bond"
            )
        self.atoms, self.kinds, self.bonds = atoms, kinds, bonds
        self.size = 2 * atoms * kinds + 3 * atoms * (atoms + 1) // 2 + atoms**2
        places = torch.zeros(pairs, atoms, atoms)
        for pair, (i, j) in enumerate(combinations(range(atoms), 2)):
            places[pair, i, j] = places[pair, j, i] = 1
        self.register_buffer("places", places.flatten(1), persistent=False)
        row, column = torch.triu_indices(atoms, atoms)
        self.register_buffer("upper", row * atoms + column, persistent=False)

    def forward(self, x: Float[Tensor, "batch features"]) -> Float[Tensor, "batch size"]:
        kinds = x[:, : self.atoms * self.kinds].unflatten(-1, (self.atoms, self.kinds))
        bonds = x[:, self.atoms * self.kinds :].unflatten(-1, (-1, self.bonds))
        multiple = bonds[..., 2:].sum(-1)
        any_order, multiple = self._matrix(bonds[..., 1] + multiple), self._matrix(multiple)
        twice, either = any_order @ any_order, any_order @ multiple
        symmetric = [twice / 2, twice @ any_order / 4, multiple @ either]
        parts = [any_order @ kinds, multiple @ kinds, either]
        flat = [part.flatten(1) for part in parts]
        return torch.cat(flat + [part.flatten(1)[:, self.upper] for part in symmetric], -1)

    def _matrix(self, pairs: Float[Tensor, "batch pairs"]) -> Float[Tensor, "batch a a"]:
        return (pairs @ self.places).unflatten(-1, (self.atoms, self.atoms))


class GraphEncoder(nn.Module):
    """Posterior mean by a dense network of a one-hot graph and of the walks on it.

    Not in the paper, whose encoder has the one-hot graph alone. Counts of walks follow from it,
    so h remains a function of the same input.

    Shapes:
        x: (batch, features), returns: (batch, latent_features)

    Args:
        in_shape: The shape of one input, (features,).
        latent_features: The latent dimension.
        groups: As of :class:`WalkCounts`.
        walks: What the counts are multiplied by; the smaller, the more the one-hot graph decides.
        hidden_features: The hidden widths, input side first.
        activation: A key of ``gicnn.nn.dense.ACTIVATIONS``.
        dropout: The share of hidden units dropped while training.

    Raises:
        ValueError: The groups do not describe the input.
    """

    def __init__(
        self,
        in_shape: Sequence[int],
        latent_features: int,
        groups: Sequence[Sequence[int]],
        walks: float,
        hidden_features: Sequence[int],
        activation: str,
        dropout: float,
    ) -> None:
        super().__init__()
        size = sum(count * categories for count, categories in groups)
        if tuple(in_shape) != (size,):
            raise ValueError(
                f"groups {[list(group) for group in groups]} describe {size} features, the input "
                f"has shape {tuple(in_shape)}"
            )
        self.walks = walks
        self.counts = WalkCounts(groups)
        self.layers = dense(
            [size + self.counts.size, *hidden_features, latent_features], activation, dropout
        )

    def forward(self, x: Float[Tensor, "batch features"]) -> Float[Tensor, "batch latent"]:
        return self.layers(torch.cat([x, self.walks * self.counts(x)], -1))
