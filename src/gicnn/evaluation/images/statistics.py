"""Whether many paths between pictures keep their angle (Figure 5, many times)."""

import copy
import logging
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import pandas as pd
import torch
from jaxtyping import Float, Int
from torch import Tensor

from gicnn.evaluation.images.angles import read_angles
from gicnn.evaluation.images.summary import summarise_ways
from gicnn.evaluation.images.support import Support
from gicnn.evaluation.paths.centre import find_centre
from gicnn.evaluation.paths.references import nearest_to_level
from gicnn.evaluation.paths.walks import all_ways
from gicnn.models.vae import SideInformationVAE
from gicnn.tables import frame
from gicnn.types import Split

__all__ = ["draw_class_pairs", "measure_image_paths"]

_log = logging.getLogger(__name__)
_ROWS = 1000
_SHOWN = 7


@torch.no_grad()
def measure_image_paths(
    model: SideInformationVAE,
    judge: SideInformationVAE,
    splits: Mapping[str, Split],
    *,
    levels: Sequence[float],
    candidates: int,
    pairs: int,
    steps: int,
    starts: int,
    seed: int,
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, Any]]:
    """Walk between pictures of all ordered pairs of classes on several levels.

    References are drawn, for each level and class, among the test pictures whose true angle is
    nearest to the level. Each pair is joined in each of ``WAYS``: on the level set along the angles
    as in the paper, along the great circle, and by the straight line between the same ends.

    Args:
        model: Input-convex, with an approximate bijection; it becomes one of float64.
        judge: Trained on real pictures alone; it reads the angle of each decoded picture.
        splits: Pictures, (n, 1, height, width), their angles in degrees and their classes.
        levels: In degrees, counter-clockwise positive.
        candidates: How many test pictures of a class count as near a level.
        pairs: How many pairs of pictures are joined for each ordered pair of classes.
        steps: Points on each path, ends included.
        starts: Codes from which the minimum is searched.
        seed: Of the choice of pairs.

    Returns:
        One row for each point: ``level``, ``start_label``, ``end_label``, ``pair``, ``kind``,
        ``t``, ``read`` (the judge's angle of the decoded picture), ``cycled`` (the model's own,
        of the same), ``from_codes`` (distance to the nearest training code) and ``step`` (distance
        from the point before, over that of the ends). The decoded pictures of each class pair's
        first path at the last level. And a summary.
    """
    test, labels = splits["test"], splits["test"].label.unique().tolist()
    decoder = copy.deepcopy(model)  # pictures are decoded in float32
    support = Support(_encode(decoder, splits["train"].x), _encode(decoder, test.x))
    facts = _judge_facts(judge, decoder, test)
    model.double()
    centre = find_centre(model, model.encode(splits["validation"].x[:starts].double()))
    generator = torch.Generator().manual_seed(seed)
    classes = list(permutations(labels, 2))

    tables, pictures, near = [], [], {}
    for level in levels:
        chosen = draw_class_pairs(test, level, classes, candidates, pairs, generator)
        near[level] = facts["error"][chosen.unique()].mean().item()
        z = model.encode(test.x[chosen.flatten()].double()).unflatten(0, chosen.shape)
        for kind, walked in all_ways(model, centre, level, z, steps).items():
            decoded = _decode(decoder, walked.flatten(0, 1).float())
            known = {"level": level, "kind": kind}
            columns = _columns(walked, decoded, classes, judge, decoder, support)
            tables.append(frame(columns).assign(**known))
            if level == levels[-1] and kind == "level_set":
                pictures.append(_first_of_each(decoded, columns, pairs, steps))
        _log.info("level %g: joined %d pairs of pictures", level, len(chosen))
    table = pd.concat(tables, ignore_index=True)
    summary = {
        **centre.facts,
        "judge_test_mae": facts["error"].mean().item(),
        "judge_reconstruction_mae": facts["reconstructed"].mean().item(),
        "support_radius": support.radius,
        "class_pairs": len(classes),
        "pairs": pairs,
        "steps": steps,
        "levels": [
            {"level": level, "judge_mae_near": near[level]}
            | summarise_ways(table[table["level"] == level], support.radius)
            for level in levels
        ],
        "all": summarise_ways(table, support.radius),
    }
    return table, pd.concat(pictures, ignore_index=True), summary


def draw_class_pairs(
    test: Split,
    level: float,
    classes: Sequence[tuple[int, int]],
    candidates: int,
    pairs: int,
    generator: torch.Generator,
) -> Int[Tensor, "n 2"]:
    """Draw pairs of pictures near a level, as many for each ordered pair of classes.

    Raises:
        ValueError: A class has fewer pictures than candidates, or these are fewer than pairs.
    """
    if pairs > candidates:
        raise ValueError(
            f"{pairs} pairs are wanted of {candidates} candidates; raise candidates or lower pairs"
        )
    near = {
        label: nearest_to_level(test.y, level, test.label == label, candidates)
        for label in {label for pair in classes for label in pair}
    }

    def draw(label: int) -> Tensor:
        return near[label][torch.randperm(candidates, generator=generator)[:pairs]]

    return torch.cat([torch.stack([draw(first), draw(last)], -1) for first, last in classes])


def _judge_facts(
    judge: SideInformationVAE, decoder: SideInformationVAE, test: Split
) -> dict[str, Tensor]:
    """Errors of the judge on real test pictures, and on what the model makes of them."""
    again = _decode(decoder, _encode(decoder, test.x))
    return {
        "error": (read_angles(judge, test.x) - test.y).abs(),
        "reconstructed": (read_angles(judge, again) - test.y).abs(),
    }


def _encode(model: SideInformationVAE, pictures: Tensor) -> Float[Tensor, "n d"]:
    return torch.cat([model.encode(part) for part in pictures.split(_ROWS)])


def _decode(model: SideInformationVAE, codes: Float[Tensor, "n d"]) -> Tensor:
    return torch.cat([model.reconstruct(part) for part in codes.split(_ROWS)])


def _columns(
    walked: Float[Tensor, "pairs steps d"],
    decoded: Tensor,
    classes: Sequence[tuple[int, int]],
    judge: SideInformationVAE,
    decoder: SideInformationVAE,
    support: Support,
) -> dict[str, Tensor]:
    count, steps, _ = walked.shape
    of_each = count // len(classes)
    ends = torch.tensor(classes).repeat_interleave(of_each * steps, 0)
    lengths = (walked[:, 1:] - walked[:, :-1]).norm(dim=-1)
    apart = (walked[:, -1:] - walked[:, :1]).norm(dim=-1)
    first = torch.full_like(apart, torch.nan)
    return {
        "start_label": ends[:, 0],
        "end_label": ends[:, 1],
        "pair": torch.arange(of_each).repeat_interleave(steps).repeat(len(classes)),
        "t": torch.linspace(0, 1, steps, dtype=walked.dtype).repeat(count),
        "read": read_angles(judge, decoded).double(),
        "cycled": read_angles(decoder, decoded).double(),
        "from_codes": support.distance(walked.flatten(0, 1).float()).double(),
        "step": torch.cat([first, lengths / apart], -1).flatten(),
    }


def _first_of_each(
    decoded: Tensor, columns: Mapping[str, Tensor], pairs: int, steps: int
) -> pd.DataFrame:
    """Pictures of each class pair's first path, evenly spread over it."""
    shown = torch.linspace(0, steps - 1, min(_SHOWN, steps)).round().long()
    starts = torch.arange(0, len(decoded), pairs * steps)
    rows = (starts[:, None] + shown).flatten()
    names = ("start_label", "end_label", "t", "read")
    kept = {name: columns[name][rows] for name in names}
    return frame(kept | {"image": decoded[rows].double().flatten(1)})
