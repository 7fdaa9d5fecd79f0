"""Molecules in random directions on level sets of a property."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.molecules.clusters import Cluster
from gicnn.evaluation.molecules.levels import choose_levels
from gicnn.evaluation.molecules.reader import MoleculeReader
from gicnn.evaluation.molecules.summary import spread
from gicnn.evaluation.paths.centre import find_centre
from gicnn.evaluation.paths.walks import points_on_level, reached_share
from gicnn.levelset import to_spherical
from gicnn.types import Split

__all__ = ["for_chemists", "sample_molecules"]

_log = logging.getLogger(__name__)
_WAYS = ("uniform", "like_codes")


@torch.no_grad()
def sample_molecules(
    reader: MoleculeReader,
    splits: Mapping[str, Split],
    clusters: list[Cluster],
    *,
    quantiles: Sequence[float],
    count: int,
    starts: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Decode points of level sets in random directions from the minimum.

    Directions are drawn in two ways: uniform on the sphere, and towards points of a normal
    distribution with the mean and the covariance of the training split's codes. The decoder has
    seen little of what lies in most of the uniform ones.

    Args:
        reader: Names and looks up what is decoded.
        splits: Graphs as numbers, and their property.
        clusters: Of the training split's property; the largest one's mean is the first level.
        quantiles: Of the training split's property: the further levels.
        count: How many points are drawn on each level, each way.
        starts: Codes from which the minimum is searched.
        seed: Of the directions.

    Returns:
        One row for each valid molecule of a level and a way of drawing, the commonest first:
        ``level_id``, ``level``, ``directions`` ("uniform" or "like_codes"), ``smiles``,
        ``samples`` that decode to it, and what the reader knows; and a summary, with an entry for
        each level, which has one for each way.
    """
    model = reader.model
    codes = model.encode(splits["train"].x.double())
    centre = find_centre(model, codes[:starts])
    generator = torch.Generator().manual_seed(seed)
    levels = choose_levels(splits["train"].y, clusters, quantiles)
    tables, reached = [], {}
    for name, level in levels.items():
        normal = torch.randn(count, codes.shape[1], generator=generator, dtype=codes.dtype)
        for directions, away in zip(
            _WAYS, (normal, _like(codes, normal) - centre.point), strict=True
        ):
            points = points_on_level(model, centre, level, to_spherical(away).angles)
            reached[name, directions] = reached_share(points)
            known = {"level_id": name, "level": level, "directions": directions}
            tables.append(_commonest_first(reader, points).assign(**known))
        _log.info("level %s (%.1f): drew %d points in %d ways", name, level, count, len(_WAYS))
    table = pd.concat(tables, ignore_index=True)
    table = table.join(reader.facts(table["smiles"]), on="smiles")
    entries = []
    for name, level in levels.items():
        rows = table[table["level_id"] == name]
        ways = {
            way: {"reached_share": reached[name, way]}
            | _summary(rows[rows["directions"] == way], level, count)
            for way in _WAYS
        }
        entries.append({"id": name, "level": level} | ways)
    return table, {"count": count, "levels": entries} | centre.facts


def for_chemists(table: pd.DataFrame, quantity: str, unit: str) -> pd.DataFrame:
    """Name the columns so that the table explains itself.

    Args:
        table: As :func:`sample_molecules` returns it.
        quantity: The property, such as "gap".
        unit: Of the property.

    Returns:
        ``smiles`` first; ``novel`` says that QM9 does not have the molecule; the property's columns
        bear its name, with ``unit`` beside them.
    """
    named = table.assign(novel=table["qm9_index"].isna(), unit=unit).rename(
        columns={
            "level": f"{quantity}_level",
            "predicted": f"{quantity}_predicted",
            "true_y": f"{quantity}_in_qm9",
        }
    )
    values = [f"{quantity}_{name}" for name in ("level", "predicted", "in_qm9")]
    whose = ["level_id", "directions", "samples", "novel", "qm9_index", "split"]
    return named[["smiles", *values, "unit", *whose]]


def _like(codes: Float[Tensor, "n d"], normal: Float[Tensor, "m d"]) -> Float[Tensor, "m d"]:
    """Give standard normal points the mean and the covariance of codes."""
    variances, axes = torch.linalg.eigh(torch.cov(codes.T))
    return codes.mean(0) + (normal * variances.clamp(min=0).sqrt()) @ axes.T


def _commonest_first(reader: MoleculeReader, points: Float[Tensor, "n d"]) -> pd.DataFrame:
    names = pd.Series(reader.names(points), name="smiles")
    counts = names[names != ""].value_counts().rename("samples").reset_index()
    return counts.sort_values(["samples", "smiles"], ascending=[False, True])


def _summary(rows: pd.DataFrame, level: float, count: int) -> dict[str, Any]:
    """Sum up one level and way; None stands for the mean of nothing."""
    valid, found = int(rows["samples"].sum()), rows[rows["qm9_index"].notna()]
    predicted = rows["predicted"].dropna()
    return {
        "valid_share": valid / count,
        "different": len(rows),
        "unique_share": len(rows) / valid if valid else None,
        "novel_share": 1 - len(found) / len(rows) if len(rows) else None,
        "trained_on": int((rows["split"] == "train").sum()),
        "predicted": spread(predicted),
        "prediction_deviation": spread((predicted - level).abs()),
        "deviation": spread((found["true_y"] - level).abs()),
    }
