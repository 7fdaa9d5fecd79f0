"""The valleys of a model's prediction, in its latent space and in the input space."""

from dataclasses import asdict, dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.evaluation.connectedness.neighbours import Sample
from gicnn.evaluation.connectedness.valleys import Valley, find_valleys
from gicnn.evaluation.latent_minima import find_latent_minima
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["Examples", "choose_examples", "input_valleys", "latent_valleys", "predict_property"]

_ROWS = 500


@dataclass(frozen=True)
class Examples:
    """Where valleys are sought."""

    x: Float[Tensor, "n *shape"]
    """Inputs."""
    measured: Float[Tensor, " n"]
    """Property of those held out; infinite for the others, which were trained on."""
    index: Int[Tensor, " n"]
    """Position in the source."""


def choose_examples(
    train: Split, held_out: Split, count: int, generator: torch.Generator
) -> Examples:
    """Draw at most so many examples of each split, in float64."""
    parts = []
    for split, known in ((held_out, True), (train, False)):
        chosen = torch.randperm(len(split.y), generator=generator)[:count]
        y = split.y[chosen].double()
        measured = y if known else torch.full_like(y, torch.inf)
        parts.append((split.x[chosen].double(), measured, split.index[chosen]))
    return Examples(*(torch.cat(columns) for columns in zip(*parts, strict=True)))


def predict_property(
    model: SideInformationVAE, x: Float[Tensor, "n *shape"]
) -> Float[Tensor, " n"]:
    """Property by way of posterior means, in float64."""
    return torch.cat([model.predict(model.encode(part.double())) for part in x.split(_ROWS)])


def input_valleys(
    model: SideInformationVAE, examples: Examples, *, neighbours: int, rise: float, support: int
) -> dict[str, Any]:
    """Valleys of the prediction as a function of the input.

    Returns:
        ``count``, and for each of the ``valleys`` the position in the source of the ``example``
        at its bottom, the prediction there (``value``), the ``barrier`` around it and the
        ``witnesses`` (see :func:`find_valleys`).
    """
    shape = examples.x.shape[1:]
    found = find_valleys(
        lambda flat: model.predict(model.encode(flat.unflatten(-1, shape))),
        examples.x.flatten(1),
        examples.measured,
        neighbours=neighbours,
        rise=rise,
        support=support,
    )
    return _record(found, examples.index)


def latent_valleys(
    model: SideInformationVAE,
    examples: Examples,
    starts: int,
    generator: torch.Generator,
    *,
    neighbours: int,
    rise: float,
    support: int,
) -> dict[str, Any]:
    """Minima of the prediction as a function of the code, and valleys between barriers.

    Minima are sought in the box of the codes. A network with kinks has many, so they only help
    to find the bottoms of the valleys.

    Returns:
        As :func:`input_valleys`, and ``minima``, how many distinct ones the search found.
    """
    codes = torch.cat([model.encode(part) for part in examples.x.split(_ROWS)])
    usable = model.predict(codes).isfinite()
    codes, measured, index = codes[usable], examples.measured[usable], examples.index[usable]
    found, inside = find_latent_minima(model.predict, codes, starts, generator)
    ends = Sample.of(codes, neighbours).tube.project(found.ends)
    nearest = torch.cdist(ends, codes).argmin(dim=1)
    valleys = find_valleys(
        model.predict,
        torch.cat([codes, ends]),
        torch.cat([measured, torch.full_like(ends[:, 0], torch.inf)]),
        neighbours=neighbours,
        rise=rise,
        support=support,
    )
    record = _record(valleys, torch.cat([index, index[nearest]]))
    return record | {"minima": int(inside.sum())}


def _record(valleys: list[Valley], index: Int[Tensor, " n"]) -> dict[str, Any]:
    rows = [asdict(valley) for valley in valleys]
    for row in rows:
        row["example"] = int(index[row.pop("bottom")])
    return {"count": len(rows), "valleys": rows}
