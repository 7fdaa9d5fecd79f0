"""What no schema can see of a model's settings (standard library only, no torch)."""

from collections.abc import Mapping
from math import comb
from typing import Any

__all__ = ["check_graphs", "check_models", "check_paths"]

_INVERTIBLE = {"masked_autoregressive_flow"}


def check_models(models: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse models that cannot be built, before a job starts and replaces earlier results.

    Args:
        models: Settings by dataset and model name.

    Raises:
        ValueError: A model without decoder has an encoder that cannot be inverted.
    """
    for dataset, named in models.items():
        for name, settings in named.items():
            kind = settings["encoder"]["kind"]
            if settings["decoder"] is None and kind not in _INVERTIBLE:
                raise ValueError(
                    f"models.{dataset}.{name}: decoder is null, but encoder kind {kind!r} has no "
                    f"inverse; give it a decoder, or take {', '.join(sorted(_INVERTIBLE))}"
                )


def check_graphs(
    datasets: Mapping[str, Mapping[str, Any]], models: Mapping[str, Mapping[str, Any]]
) -> None:
    """Refuse likelihoods and encoders that do not fit the graphs of their dataset.

    Args:
        datasets: Settings by dataset; of molecules those have ``build.elements`` and
            ``build.max_atoms``.
        models: Settings by dataset and model name.

    Raises:
        ValueError: The groups of a likelihood or an encoder are not those of the atoms and of their
            pairs.
    """
    for dataset, settings in datasets.items():
        build = settings.get("build", {})
        if not {"elements", "max_atoms"} <= set(build):
            continue
        atoms, kinds = build["max_atoms"], len(build["elements"]) + 1  # an atom may be blank
        wanted = [[atoms, kinds], [atoms * (atoms - 1) // 2, 4]]
        for name, model in models[dataset].items():
            given = {"likelihood": model["likelihood"].get("groups")}
            if "groups" in model["encoder"]:
                given["encoder"] = model["encoder"]["groups"]
            for role, groups in given.items():
                if groups != wanted:
                    raise ValueError(
                        f"models.{dataset}.{name}.{role}.groups: {groups} do not fit "
                        f"datasets.{dataset}.build, whose {atoms} atoms of {kinds} kinds and "
                        f"{wanted[1][0]} pairs of 4 ask for {wanted}"
                    )


def check_paths(
    datasets: Mapping[str, Mapping[str, Any]], levelsets: Mapping[str, Mapping[str, Any]]
) -> None:
    """Refuse to look for molecules near a level among more than the test split has.

    Args:
        datasets: Settings by dataset, with ``build.test``.
        levelsets: Settings by dataset; of molecules those have ``samples``.

    Raises:
        ValueError: A path asks for more candidates than there are, or for more pairs of them.
    """
    for dataset, settings in levelsets.items():
        if "samples" not in settings:
            continue
        test = datasets[dataset]["build"]["test"]
        for name in ("path", "paths"):
            candidates = settings[name]["candidates"]
            key = f"levelsets.{dataset}.{name}"
            if candidates > test:
                raise ValueError(
                    f"{key}.candidates: {candidates} are more than the {test} molecules of "
                    f"datasets.{dataset}.build.test; ask for fewer"
                )
            pairs = settings[name].get("pairs", 1)
            if pairs > comb(candidates, 2):
                raise ValueError(
                    f"{key}.pairs: {candidates} candidates make {comb(candidates, 2)} pairs, "
                    f"{pairs} are wanted; raise candidates or lower pairs"
                )
