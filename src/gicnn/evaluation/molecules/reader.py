"""Which molecules latent points stand for, and what is known of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from gicnn.evaluation.molecules.names import ROWS, Decode, likeliest_names
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["MoleculeReader"]


@dataclass(frozen=True)
class MoleculeReader:
    """Between latent points and molecules that have a name.

    A molecule's name is its canonical SMILES without stereochemistry, with hydrogens where a
    neutral molecule has them; "" stands for a graph that is no valid molecule.

    Attributes:
        model: In float64 and evaluation mode.
        decode: From graphs as numbers to names.
        encode: From names to graphs in canonical order, names again, and why there is no graph.
        known: All molecules that there are to be found, by name: ``qm9_index`` and ``y``, the
            true property.
        splits: Which split each of the dataset's molecules is in, by index.
    """

    model: SideInformationVAE
    decode: Decode
    encode: Callable[[Sequence[str]], tuple[np.ndarray, list[str], list[str]]]
    known: pd.DataFrame
    splits: Mapping[int, str]

    @classmethod
    def of(
        cls,
        model: SideInformationVAE,
        decode: Decode,
        encode: Callable,
        catalogue: pd.DataFrame,
        splits: Mapping[str, Split],
    ) -> "MoleculeReader":
        """Put a reader together; the model becomes one of float64.

        Args:
            model: Trained on graphs.
            decode: As the attribute.
            encode: As the attribute.
            catalogue: Columns ``smiles``, ``qm9_index`` and ``y``.
            splits: The dataset the model was trained on.
        """
        members = {index: name for name, split in splits.items() for index in split.index.tolist()}
        known = catalogue.set_index("smiles")[["qm9_index", "y"]]
        return cls(model.double().eval(), decode, encode, known, members)

    def names(self, points: Float[Tensor, "n d"]) -> list[str]:
        """Names of the likeliest graphs at latent points; "" also where a point is not finite."""
        return likeliest_names(self.model, self.decode, points)

    @torch.no_grad()
    def facts(self, names: Iterable[str]) -> pd.DataFrame:
        """What is known of valid molecules, by name.

        Returns:
            Columns ``qm9_index`` (missing if QM9 does not have the molecule), ``split`` (""
            unless the dataset has it), ``true_y`` (NaN if not known) and ``predicted``, the
            model's property of the graph in canonical order.
        """
        unique = sorted(set(names) - {""})
        known = self.known.reindex(unique)
        splits = [self.splits.get(index, "") for index in known["qm9_index"]]
        return pd.DataFrame(
            {
                "qm9_index": known["qm9_index"].astype("Int64"),
                "split": splits,
                "true_y": known["y"].astype(float),
                "predicted": self._predict(unique),
            },
            index=pd.Index(unique, name="smiles", dtype=object),
        )

    def _predict(self, names: list[str]) -> np.ndarray:
        graphs, _, reasons = self.encode(names)
        parts = torch.from_numpy(graphs).double().split(ROWS)
        values = [self.model.predict(self.model.encode(part)).numpy() for part in parts]
        fit = np.array(reasons, dtype=object) == ""
        return np.where(fit, np.concatenate([np.empty(0), *values]), np.nan)
