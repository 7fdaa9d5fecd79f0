"""What many paths between molecules meet, beside straight lines and random ones (Figure 6)."""

import logging
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.molecules.clusters import Cluster
from gicnn.evaluation.molecules.levels import choose_levels, draw_pairs
from gicnn.evaluation.molecules.reader import MoleculeReader
from gicnn.evaluation.molecules.summary import spread, summarise_paths
from gicnn.evaluation.paths.centre import find_centre
from gicnn.evaluation.paths.walks import all_ways, farthest_from_chord, reached_share
from gicnn.types import Split

__all__ = ["graphs_met", "measure_molecule_paths"]

_log = logging.getLogger(__name__)
_KINDS = {"pair": "Int64", "points": "Int64", "end": bool}


@torch.no_grad()
def measure_molecule_paths(
    reader: MoleculeReader,
    splits: Mapping[str, Split],
    clusters: list[Cluster],
    *,
    quantiles: Sequence[float],
    candidates: int,
    pairs: int,
    steps: int,
    starts: int,
    seed: int,
) -> tuple[pd.DataFrame, dict]:
    """Walk between many pairs of test molecules on several levels, and look up what is met.

    At each level, pairs are drawn among the test molecules nearest to it. Each pair is joined by
    the path on the level set, linear in the angles as in the paper; by the great circle, the
    shortest way between the two directions; and by the straight line between the ends of these
    paths. The molecules of the test split stand for random ones.

    Args:
        reader: Names and looks up what is decoded.
        splits: Graphs as numbers, and their property.
        clusters: Of the training split's property; the largest one's mean is the first level.
        quantiles: Of the training split's property: the further levels.
        candidates: How many test molecules count as near a level.
        pairs: How many pairs are joined at each level.
        steps: Points on each path, ends included.
        starts: Codes from which the minimum is searched.
        seed: Of the choice of pairs.

    Returns:
        One row for each valid graph of each path, as ``graphs_met`` has it, and for each test
        molecule (its ``pair`` and ``position`` missing), with ``level_id``, ``level``, ``kind``
        (of ``WAYS``, or random) and what the reader knows; and a summary, with an entry for
        each level (``bend``: how far each kind of way gets from its chord, in the spread of the
        codes; ``reached_share``: of its points, without which there is nothing to decode).
    """
    model, test = reader.model, splits["test"]
    z, y = model.encode(test.x.double()), test.y.double()
    centre = find_centre(model, model.encode(splits["train"].x[:starts].double()))
    names = np.array(reader.decode(test.x.numpy()), dtype=object)
    error = (model.predict(z) - y).abs()
    generator = torch.Generator().manual_seed(seed)

    tables, levels, near = [], [], {}
    for name, level in choose_levels(splits["train"].y, clusters, quantiles).items():
        chosen = draw_pairs(y, level, candidates, pairs, generator)
        walked = all_ways(model, centre, level, z[chosen], steps)
        parts = {
            kind: graphs_met(reader, way, names[chosen.numpy()]) for kind, way in walked.items()
        }
        parts["random"] = pd.DataFrame({"smiles": names, "end": False})
        tables += [t.assign(level_id=name, level=level, kind=kind) for kind, t in parts.items()]
        near[name] = error[chosen.unique()].numpy()
        reached = {kind: reached_share(way) for kind, way in walked.items()}
        bend = _bend(walked, z)
        levels.append({"id": name, "level": level, "reached_share": reached, "bend": bend})
        _log.info("level %s (%.1f): walked %d paths of %d points", name, level, pairs, steps)
    table = pd.concat(tables, ignore_index=True).astype(_KINDS)
    table = table.join(reader.facts(table["smiles"]), on="smiles")
    facts = {"model_mae": error.mean().item(), "pairs": pairs, "steps": steps}
    return table, facts | centre.facts | {
        "levels": [e | summarise_paths(table, e, facts, near[e["id"]]) for e in levels]
    }


def _bend(walked: Mapping[str, Tensor], codes: Float[Tensor, "n d"]) -> dict[str, dict | None]:
    """For each kind of way the distances from the chord, over the codes' root mean square radius."""
    radius = (codes - codes.mean(0)).square().sum(-1).mean().sqrt()
    away = {kind: farthest_from_chord(way) / radius for kind, way in walked.items()}
    return {kind: spread(values[values.isfinite()].numpy()) for kind, values in away.items()}


def graphs_met(
    reader: MoleculeReader, points: Float[Tensor, "pairs steps d"], ends: np.ndarray
) -> pd.DataFrame:
    """The valid graphs on paths, each once for each path.

    Args:
        reader: Names what is decoded.
        points: Latent points; not finite where a path has none.
        ends: Names of the molecules that each path joins, of shape (pairs, 2).

    Returns:
        Columns ``pair``; ``smiles``; ``position`` on the path, from 0 to 1, where the graph
        first appears; ``points`` that decode to it; ``end``, whether it is one of the two
        molecules that the path joins.
    """
    pairs, steps, _ = points.shape
    every = pd.DataFrame(
        {
            "pair": np.repeat(np.arange(pairs), steps),
            "position": np.tile(np.linspace(0, 1, steps), pairs),
            "smiles": reader.names(points.flatten(0, 1)),
        }
    )
    once = every[every["smiles"] != ""].groupby(["pair", "smiles"], sort=False)["position"]
    table = once.agg(position="first", points="size").reset_index()
    return table.assign(end=(table[["smiles"]].to_numpy() == ends[table["pair"]]).any(axis=1))
