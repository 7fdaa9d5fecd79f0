"""Molecules in random directions on level sets of a property."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.molecules.clusters import Cluster
from gicnn.evaluation.molecules.levels import choose_levels, points_on_level
from gicnn.evaluation.molecules.reader import MoleculeReader
from gicnn.evaluation.molecules.summary import quantiles as sum_up
from gicnn.evaluation.paths.interpolation import latent_minimum
from gicnn.levelset import to_spherical
from gicnn.types import Split

__all__ = ["sample_molecules"]

_log = logging.getLogger(__name__)


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
    """Decode points of level sets whose directions from the minimum are uniform on the sphere.

    Args:
        reader: Names and looks up what is decoded.
        splits: Graphs as numbers, and their property.
        clusters: Of the training split's property; the largest one's mean is the first level.
        quantiles: Of the training split's property: the further levels.
        count: How many points are drawn on each level.
        starts: Codes from which the minimum is searched.
        seed: Of the directions.

    Returns:
        One row for each valid molecule of a level, the commonest first: ``level_id``, ``level``,
        ``smiles``, ``samples`` that decode to it, and what the reader knows; and a summary, with
        an entry for each level.
    """
    model = reader.model
    centre = latent_minimum(model, model.encode(splits["validation"].x[:starts].double()))
    generator = torch.Generator().manual_seed(seed)
    levels = choose_levels(splits["train"].y, clusters, quantiles)
    tables = []
    for name, level in levels.items():
        normal = torch.randn(count, len(centre), generator=generator, dtype=centre.dtype)
        points = points_on_level(model, centre, level, to_spherical(normal).angles)
        tables.append(_commonest_first(reader, points).assign(level_id=name, level=level))
        _log.info("level %s (%.1f): drew %d points", name, level, count)
    table = pd.concat(tables, ignore_index=True)
    table = table.join(reader.facts(table["smiles"]), on="smiles")
    entries = [_summary(table, name, level, count) for name, level in levels.items()]
    return table, {"count": count, "levels": entries}


def _commonest_first(reader: MoleculeReader, points: Float[Tensor, "n d"]) -> pd.DataFrame:
    names = pd.Series(reader.names(points), name="smiles")
    counts = names[names != ""].value_counts().rename("samples").reset_index()
    return counts.sort_values(["samples", "smiles"], ascending=[False, True])


def _summary(table: pd.DataFrame, name: str, level: float, count: int) -> dict[str, Any]:
    """Sum up one level; None stands for the mean of nothing."""
    rows = table[table["level_id"] == name]
    valid, found = int(rows["samples"].sum()), rows[rows["qm9_index"].notna()]
    predicted = rows["predicted"].dropna()
    return {
        "id": name,
        "level": level,
        "valid_share": valid / count,
        "different": len(rows),
        "unique_share": len(rows) / valid if valid else None,
        "novel_share": 1 - len(found) / len(rows) if len(rows) else None,
        "trained_on": int((rows["split"] == "train").sum()),
        "predicted": sum_up(predicted),
        "prediction_deviation": sum_up((predicted - level).abs()),
        "deviation": sum_up((found["true_y"] - level).abs()),
    }
