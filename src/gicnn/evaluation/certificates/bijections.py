"""How well encoder and decoder undo each other (sections 2.3.1 and 4.1)."""

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.certificates.checks import Check
from gicnn.evaluation.certificates.surroundings import NEAR, points_around
from gicnn.models.vae import SideInformationVAE

__all__ = ["inversion_checks"]

_NEAR, _FAR = (1.0, 3.0), (100.0,)
_ROWS = 500


def inversion_checks(
    model: SideInformationVAE,
    x: Float[Tensor, "n *shape"],
    codes: Float[Tensor, "n d"],
    generator: torch.Generator,
) -> list[Check]:
    """Check the round trips of an exact bijection, or the cycle of an approximate one.

    Args:
        model: In float64.
        x: Examples.
        codes: Their latent codes.
        generator: Of latent points.
    """
    if model.exact:
        latent = _latent_check(model, codes, generator)
        return [_near_check(model, x), latent, _far_check(model, x)]
    return [_cycle_check(model, codes)]


def _near_check(model: SideInformationVAE, x: Float[Tensor, "n *shape"]) -> Check:
    return Check(
        "bijection",
        "largest round-trip error on the data and at 3 times their range, of each coordinate "
        "relative to its own largest value",
        _largest_error(model, x, _NEAR),
        "<=",
        1e-9,
        "rounding is 2e-16, and a trained flow enlarges it about a hundredfold where it was "
        "trained; the rest is room",
    )


def _far_check(model: SideInformationVAE, x: Float[Tensor, "n *shape"]) -> Check:
    return Check(
        "far_bijection",
        "the same at 100 times their range",
        _largest_error(model, x, _FAR),
        "<=",
        1e-6,
        "far out, each layer of the flow enlarges rounding by up to the inverse of its smallest "
        "scale: 2e-8 after four layers of 0.01. One coordinate passes it on to the next, so that "
        "beyond about five dimensions float64 is not enough",
    )


def _largest_error(
    model: SideInformationVAE, x: Float[Tensor, "n *shape"], reaches: tuple[float, ...]
) -> float:
    errors = [_round_trip_error(model, reach * x) for reach in reaches]
    return torch.stack(errors).max().item()


def _round_trip_error(
    model: SideInformationVAE, x: Float[Tensor, "n *shape"]
) -> Float[Tensor, ""]:
    return _relative(model.decode(model.encode(x)), x)


def _latent_check(
    model: SideInformationVAE, codes: Float[Tensor, "n d"], generator: torch.Generator
) -> Check:
    points = points_around(codes, len(codes), NEAR, generator)
    return Check(
        "onto",
        f"largest round-trip error from {len(points)} latent points with {NEAR:g} times the codes' "
        f"spread, likewise",
        _relative(model.encode(model.decode(points)), points).item(),
        "<=",
        1e-6,
        "a latent point that no input has would be decoded to one with another property; away "
        "from the codes the flow enlarges rounding, as far out",
    )


def _relative(found: Float[Tensor, "n *shape"], given: Float[Tensor, "n *shape"]) -> Tensor:
    error, size = (found - given).abs().flatten(1), given.abs().flatten(1)
    return (error.amax(0) / size.amax(0).clamp_min(torch.finfo(size.dtype).tiny)).max()


def _cycle_check(model: SideInformationVAE, codes: Float[Tensor, "n d"]) -> Check:
    parts = codes.split(_ROWS)
    change = torch.cat([(model.cycle(z) - model.predict(z)).abs() for z in parts])
    return Check(
        "cycle",
        "mean change of the property in one cycle, in standard deviations of the property",
        (change.mean() / model.scale).item(),
        "<=",
        0.1,
        "nothing makes it small but training; a tenth of the property's spread is what "
        "still lets a path at one level be told from its neighbours",
    )
