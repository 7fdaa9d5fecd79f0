"""A path between two molecules at a fixed property (Figure 6)."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import torch
from torch import Tensor

from gicnn.evaluation.paths.clusters import cluster_values, largest
from gicnn.evaluation.paths.interpolation import DecodedPath, follow_path, latent_minimum
from gicnn.evaluation.paths.references import farthest_pair, nearest_to_level
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["follow_molecule_path"]

Known = Mapping[str, tuple[int, float]]


@torch.no_grad()
def follow_molecule_path(
    model: SideInformationVAE,
    splits: Mapping[str, Split],
    decode: Callable[[Iterable[np.ndarray]], list[str]],
    known: Known,
    *,
    components: int,
    seed: int,
    candidates: int,
    steps: int,
    starts: int,
) -> tuple[list[dict], dict]:
    """Walk at the level of the largest cluster of the property, and look up what is met.

    By rule, the level is the mean of the largest cluster of the training molecules, and the
    references are, of the test molecules nearest to that level, the two that the minimum sees
    under the widest angle.

    Args:
        model: Input-convex, with an approximate bijection.
        splits: Graphs as numbers, and their property.
        decode: From graphs to canonical SMILES, "" where a graph is no valid molecule.
        known: Index and true property by canonical SMILES.
        components: How many clusters are sought.
        seed: Of the search for them.
        candidates: How many test molecules may be references.
        steps: Points on the path, ends included.
        starts: Codes from which the minimum is searched.

    Returns:
        The rows of the references and of the path, and a summary.
    """
    model.double()
    x, y = splits["test"].x.double(), splits["test"].y.double()
    clusters = cluster_values(splits["train"].y.double().numpy(), components, seed)
    level = largest(clusters).mean
    z = model.encode(x)
    model_mae = (model.predict(z) - y).abs().mean().item()
    centre = latent_minimum(model, model.encode(splits["validation"].x[:starts].double()))
    near = nearest_to_level(y, level, torch.ones_like(y, dtype=torch.bool), candidates)
    ends = near[list(farthest_pair(z[near], centre))]
    path = follow_path(model, centre, x[ends], level, steps)

    references = _reference_rows(model, splits["test"], ends, level, decode)
    rows = _path_rows(path, decode)
    tables = [table | _look_up(table["smiles"], known) for table in (references, rows)]
    summary = {
        "level": level,
        "cluster_mean": level,
        "cluster_count": largest(clusters).count,
        "clusters": [vars(cluster) for cluster in clusters],
        "steps": steps,
        "model_mae": model_mae,
    }
    return tables, summary | _summary(tables[1], level)


def _reference_rows(
    model: SideInformationVAE, test: Split, ends: Tensor, level: float, decode: Callable
) -> dict:
    x = test.x[ends].double()
    z = model.encode(x)
    missing = torch.full((2,), torch.nan, dtype=z.dtype)
    return {
        "kind": ["reference"] * 2,
        "step": torch.tensor([0, -1]),
        "t": torch.tensor([0.0, 1.0], dtype=z.dtype),
        "level": torch.full_like(missing, level),
        "radius": missing,
        "angles": missing[:, None].expand(-1, z.shape[1] - 1),
        "z": z,
        "y": model.predict(z),
        "y_cycle": model.cycle(z),
        "smiles": decode(x.numpy()),
    }


def _path_rows(path: DecodedPath, decode: Callable) -> dict:
    steps = len(path.cycled)
    return {
        "kind": ["path"] * steps,
        "step": torch.arange(steps),
        "t": torch.linspace(0, 1, steps, dtype=path.cycled.dtype),
        "level": torch.full_like(path.cycled, path.points.level),
        "radius": path.points.radius,
        "angles": path.points.angles,
        "z": path.points.point,
        "y": path.points.value,
        "y_cycle": path.cycled,
        "smiles": decode(path.modes.numpy()),
    }


def _look_up(smiles: list[str], known: Known) -> dict:
    indices, gaps = zip(*(known.get(text, (-1, np.nan)) for text in smiles), strict=True)
    return {
        "valid": [text != "" for text in smiles],
        "found": [index >= 0 for index in indices],
        "qm9_index": list(indices),
        "true_gap": list(gaps),
    }


def _summary(table: dict, level: float) -> dict:
    """Counts over unique valid graphs; None where there is nothing to average."""
    gaps = dict(zip(table["smiles"], table["true_gap"], strict=True))
    gaps.pop("", None)
    found = np.array([gap for gap in gaps.values() if np.isfinite(gap)])
    return {
        "valid_share": float(np.mean(table["valid"])),
        "unique": len(gaps),
        "found": len(found),
        "found_share": len(found) / len(gaps) if gaps else None,
        "gap_deviation_mae": float(np.abs(found - level).mean()) if len(found) else None,
    }
