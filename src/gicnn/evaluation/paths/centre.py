"""From where the level sets of a trained model are looked at."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.levelset import Ball, LevelSet, find_minimum
from gicnn.models.vae import SideInformationVAE

__all__ = ["Centre", "find_centre"]

_REACH = 3.0


@dataclass(frozen=True)
class Centre:
    """From where level sets are looked at.

    Attributes:
        point: The minimum of f, in the region if there is one.
        region: What rays do not leave; None is all of space.
        reason: Why f has no minimum in all of space, empty if it has.
        value: Of the property there, as the model predicts it, in its own unit.
        distance: Of the point from the mean of the codes, in their root mean square distance
            from it. Far from the codes, level sets are nearly planes among them.
    """

    point: Float[Tensor, "d"]
    region: Ball | None
    reason: str
    value: float
    distance: float

    def level_set(self, model: SideInformationVAE, level: float) -> LevelSet:
        """The level set of a property, in its own unit.

        Raises:
            ValueError: The level is not above the minimum.
        """
        return LevelSet(model.predict, level, self.point, region=self.region)

    @property
    def facts(self) -> dict[str, bool | str | float]:
        """For a summary: whether the minimum is attained, why not, and where it lies."""
        return {
            "minimum_attained": self.region is None,
            "minimum_reason": self.reason,
            "minimum_property": self.value,
            "minimum_distance": self.distance,
        }


@torch.no_grad()
def find_centre(model: SideInformationVAE, codes: Float[Tensor, "n d"]) -> Centre:
    """The one minimum of f, the centre of all level sets.

    Without curvature f need not attain it. Then, as section 3.3.1 of the paper proposes, a
    bounded region takes the place of all of space: the ball about the mean of the codes that
    reaches three times as far as the farthest of them.

    Args:
        model: In evaluation mode.
        codes: From which the minimum is searched.
    """
    middle, found, ball = codes.mean(0), find_minimum(model.convex, codes), None
    away, reason = (codes - middle).norm(dim=-1), found.reason
    if not found.attained:
        ball = Ball(middle, _REACH * away.max().clamp_min(1.0).item())
        found = find_minimum(model.convex, codes, region=ball).require_attained()
    distance = (found.point - middle).norm() / away.square().mean().sqrt()
    value = model.predict(found.point).item()
    return Centre(found.point, ball, reason, value, distance.item())
