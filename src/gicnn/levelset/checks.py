"""What the searches refuse, with the value and what is wrong with it."""

import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.levelset.hyperspherical import Spherical, to_spherical

__all__ = ["path_end", "require_count", "require_fitting", "require_float", "require_level_above"]


def require_level_above(base: Float[Tensor, ""], level: Float[Tensor, " n"]) -> None:
    """Refuse levels that no ray can meet.

    Raises:
        ValueError: The value at the centre is not finite, or a level is not finite or below it.
    """
    if not base.isfinite():
        raise ValueError(f"the function is {base.item()} at the centre; give another centre")
    for wrong, fault in (
        (level[~level.isfinite()], "is not finite"),
        (level[level < base], f"lies below {base.item():.9g}, the value at the centre"),
    ):
        if len(wrong):
            others = f" ({len(wrong)} of {len(level)} levels)" if len(level) > 1 else ""
            raise ValueError(
                f"level {wrong[0].item():.9g} {fault}{others}: no ray from there meets it"
            )


def require_fitting(centre: Tensor, directions: Tensor) -> None:
    """Refuse a centre and directions that are not of one space, or a centre of another type.

    Raises:
        ValueError: They are not.
    """
    require_float(centre, "a centre")
    if centre.ndim != 1 or directions.ndim < 1 or directions.shape[-1] != len(centre):
        raise ValueError(
            f"directions of shape {tuple(directions.shape)} do not fit a centre of shape "
            f"{tuple(centre.shape)}: both must end with the dimension of the space"
        )


def require_float(x: Tensor, name: str) -> None:
    """Refuse types without eigenvalues and with too few digits.

    Raises:
        ValueError: It is neither float32 nor float64.
    """
    if x.dtype not in (torch.float32, torch.float64):
        raise ValueError(f"{name} must be of float32 or float64, got {x.dtype}")


def require_count(count: int, least: int, what: str) -> None:
    """Refuse to make fewer points than there can be.

    Raises:
        ValueError: The count is below the least.
    """
    if count < least:
        raise ValueError(f"{what} has at least {least} points, got {count}")


def path_end(offset: Float[Tensor, "d"], name: str) -> Spherical:
    """Express one end of a path, as an offset from the centre, by its radius and angles.

    Raises:
        ValueError: It is the centre itself, or not finite.
    """
    spherical = to_spherical(offset)
    if not 0 < spherical.radius < torch.inf:
        raise ValueError(
            f"the {name} of a path must be finite and not the centre, got {offset.tolist()} "
            f"away from it"
        )
    return spherical
