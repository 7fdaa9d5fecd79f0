"""A path between two molecules at a fixed property (Figure 6)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.molecules.clusters import Cluster, largest
from gicnn.evaluation.molecules.reader import MoleculeReader
from gicnn.evaluation.paths.centre import find_centre
from gicnn.evaluation.paths.references import farthest_pair, nearest_to_level
from gicnn.evaluation.paths.walks import walk_pairs
from gicnn.levelset import to_spherical
from gicnn.tables import frame
from gicnn.types import Split

__all__ = ["follow_molecule_path"]


@torch.no_grad()
def follow_molecule_path(
    reader: MoleculeReader,
    splits: Mapping[str, Split],
    clusters: list[Cluster],
    *,
    candidates: int,
    steps: int,
    starts: int,
) -> tuple[pd.DataFrame, dict]:
    """Walk at the level of the largest cluster of the property, and look up what is met.

    By rule, the level is the mean of the largest cluster of the training molecules, and the
    references are, of the test molecules nearest to that level, the two that the minimum sees
    under the widest angle.

    Args:
        reader: Names and looks up what is decoded.
        splits: Graphs as numbers, and their property.
        clusters: Of the training split's property.
        candidates: How many test molecules may be references.
        steps: Points on the path, ends included.
        starts: Codes from which the minimum is searched.

    Returns:
        The references and the points of the path, in order, and a summary. A hardly trained
        model may have its minimum above the level: its points are NaN.
    """
    model, level = reader.model, largest(clusters).mean
    x, y = splits["test"].x.double(), splits["test"].y.double()
    z = model.encode(x)
    centre = find_centre(model, model.encode(splits["train"].x[:starts].double()))
    near = nearest_to_level(y, level, count=candidates)
    ends = near[list(farthest_pair(z[near], centre.point))]
    walked = walk_pairs(model, centre, level, z[ends][None], steps)[0]

    references = _columns(reader, z[ends], centre.point, reader.decode(x[ends].numpy()))
    points = _columns(reader, walked, centre.point, reader.names(walked))
    table = pd.concat([references.assign(kind="reference"), points.assign(kind="path")])
    table = table.join(reader.facts(table["smiles"]), on="smiles").assign(level=level)
    table = table.assign(valid=table["smiles"] != "").reset_index(drop=True)
    error = (model.predict(z) - y).abs().mean().item()
    path = table[table["kind"] == "path"]
    joined = set(table.loc[table["kind"] == "reference", "smiles"])
    return table, _summary(path, joined, clusters, level, error) | centre.facts


def _columns(
    reader: MoleculeReader,
    points: Float[Tensor, "n d"],
    centre: Float[Tensor, "d"],
    names: list[str],
) -> pd.DataFrame:
    spherical = to_spherical(points - centre)
    return frame(
        {
            "t": torch.linspace(0, 1, len(points), dtype=points.dtype),
            "radius": spherical.radius,
            "angles": spherical.angles,
            "z": points,
            "y": reader.model.predict(points),
            "y_cycle": reader.model.cycle(points),
            "smiles": names,
        }
    )


def _summary(
    path: pd.DataFrame, ends: set[str], clusters: list[Cluster], level: float, model_mae: float
) -> dict:
    """Counts over unique valid graphs between the references; None for the mean of nothing.

    The references do not count: they were chosen because their property is near the level.
    """
    graphs = path[path["valid"]].drop_duplicates("smiles")
    graphs = graphs[~graphs["smiles"].isin(ends)]
    found = graphs[graphs["qm9_index"].notna()]
    return {
        "level": level,
        "cluster_mean": level,
        "cluster_count": largest(clusters).count,
        "clusters": [vars(cluster) for cluster in clusters],
        "steps": len(path),
        "model_mae": model_mae,
        "reached_share": float(path["radius"].notna().mean()),
        "valid_share": float(np.mean(path["valid"])),
        "unique": len(graphs),
        "found": len(found),
        "found_share": len(found) / len(graphs) if len(graphs) else None,
        "deviation_mae": float((found["true_y"] - level).abs().mean()) if len(found) else None,
    }
