"""A path between two pictures at a fixed rotation angle (Figure 5)."""

from collections.abc import Mapping

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.evaluation.images.angles import read_angles
from gicnn.evaluation.paths.centre import find_centre
from gicnn.evaluation.paths.references import nearest_to_level
from gicnn.evaluation.paths.walks import walk_pairs
from gicnn.levelset import to_spherical
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["follow_image_path"]

Columns = dict[str, Tensor | list[str]]


@torch.no_grad()
def follow_image_path(
    model: SideInformationVAE,
    judge: SideInformationVAE,
    splits: Mapping[str, Split],
    *,
    level: float,
    start_label: int,
    end_label: int,
    steps: int,
    starts: int,
) -> tuple[list[Columns], dict]:
    """Walk at one angle from a picture of one class to a picture of another.

    The references are, by rule, the test pictures of the two classes whose true angle is
    nearest to the level.

    Args:
        model: Input-convex, with an approximate bijection.
        judge: Trained on real pictures alone; it reads the angle of each decoded picture.
        splits: Pictures, (n, 1, height, width), their angles in degrees and their classes. The
            minimum is searched from validation codes, references are test pictures.
        level: In degrees, counter-clockwise positive.
        start_label: The class that the path starts from.
        end_label: The class that it leads to.
        steps: Points on the path, ends included.
        starts: Codes from which the minimum is searched.

    Returns:
        The rows of the references and of the path, and a summary. What is not reached is NaN, and
        None in the summary.
    """
    test = splits["test"]
    x, y = test.x.double(), test.y.double()
    judge_mae = read_angles(judge, test.x).sub(test.y).abs().mean().item()
    model.double()
    centre = find_centre(model, model.encode(splits["validation"].x[:starts].double()))
    kinds = (start_label, end_label)
    chosen = torch.cat([nearest_to_level(y, level, test.label == kind) for kind in kinds])
    walked = walk_pairs(model, centre, level, model.encode(x[chosen])[None], steps)[0]
    references = _reference_rows(model, judge, test, chosen, level)
    rows = _path_rows(model, judge, walked, centre.point, level)
    return [references, rows], _summary(rows, level, judge_mae) | centre.facts


def _reference_rows(
    model: SideInformationVAE,
    judge: SideInformationVAE,
    test: Split,
    chosen: Int[Tensor, "2"],
    level: float,
) -> Columns:
    x = test.x[chosen]
    z = model.encode(x.double())
    missing = torch.full((len(chosen),), torch.nan, dtype=z.dtype)
    return {
        "kind": ["reference"] * len(chosen),
        "step": torch.tensor([0, -1]),
        "t": torch.tensor([0.0, 1.0], dtype=z.dtype),
        "level": torch.full_like(missing, level),
        "radius": missing,
        "angles": missing[:, None].expand(-1, z.shape[1] - 1),
        "z": z,
        "y": model.predict(z),
        "y_cycle": model.cycle(z),
        "y_judge": read_angles(judge, x).double(),
        "true_y": test.y[chosen].double(),
        "label": test.label[chosen],
        "index": test.index[chosen],
        "image": x.double().flatten(1),
    }


def _path_rows(
    model: SideInformationVAE,
    judge: SideInformationVAE,
    walked: Float[Tensor, "steps d"],
    centre: Float[Tensor, "d"],
    level: float,
) -> Columns:
    spherical, pictures = to_spherical(walked - centre), model.reconstruct(walked)
    steps, read = len(walked), read_angles(judge, pictures.float()).double()
    return {
        "kind": ["path"] * steps,
        "step": torch.arange(steps),
        "t": torch.linspace(0, 1, steps, dtype=read.dtype),
        "level": torch.full_like(read, level),
        "radius": spherical.radius,
        "angles": spherical.angles,
        "z": walked,
        "y": model.predict(walked),
        "y_cycle": model.predict(model.encode(pictures)),
        "y_judge": read,
        "true_y": torch.full_like(read, torch.nan),
        "label": torch.full((steps,), -1),
        "index": torch.full((steps,), -1),
        "image": pictures.flatten(1),
    }


def _summary(rows: Columns, level: float, judge_mae: float) -> dict:
    z, read = rows["z"], rows["y_judge"]
    largest = (z[1:] - z[:-1]).norm(dim=-1).max() / (z[-1] - z[0]).norm()
    return {
        "level": level,
        "steps": len(read),
        "cycle_deviation_mae": _number((rows["y_cycle"] - level).abs().mean()),
        "judge_deviation_mae": _number((read - level).abs().mean()),
        "judge_deviation_max": _number((read - level).abs().max()),
        "judge_test_mae": judge_mae,
        "largest_step": _number(largest),
    }


def _number(value: Float[Tensor, ""]) -> float | None:
    return value.item() if value.isfinite() else None
