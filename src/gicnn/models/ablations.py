"""Models with one thing changed (standard library only, no torch)."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

__all__ = ["with_ablations"]

_SECTIONS = {"model": "models", "training": "training"}  # by key of an ablation


def with_ablations(config: Mapping[str, Any]) -> dict[str, Any]:
    """Add to ``datasets``, ``models`` and ``training`` what ``ablations`` derives from them.

    Args:
        config: With ``ablations`` by dataset and name: ``of``, the model that is changed, and what
            differs, as overlays of its section in ``models`` (key ``model``), in ``training``
            and in ``datasets`` (key ``dataset``).

    Returns:
        A config with the models ``{of}-{name}`` beside those that it had. Where the data differ,
        the dataset ``{dataset}-{name}`` has the model ``{of}``.

    Raises:
        ValueError: A dataset or a model is unknown.

    Example:
        >>> config = {
        ...     "models": {"grid": {"plain": {"width": 4}}},
        ...     "training": {"grid": {"plain": {"epochs": 3}}},
        ...     "ablations": {"grid": {"narrow": {"of": "plain", "model": {"width": 2}}}},
        ... }
        >>> with_ablations(config)["models"]["grid"]
        {'plain': {'width': 4}, 'plain-narrow': {'width': 2}}
    """
    extended = deepcopy(dict(config))
    for dataset, named in config["ablations"].items():
        known = config["models"].get(dataset, {})
        for name, ablation in named.items():
            model = ablation["of"]
            if model not in known:
                raise ValueError(
                    f"ablations.{dataset}.{name}: there is no model {model!r}; {dataset} has: "
                    f"{', '.join(known) or 'none, or is no dataset'}"
                )
            for key, section in _SECTIONS.items():
                changed = _overlaid(config[section][dataset][model], ablation.get(key, {}))
                if "dataset" in ablation:
                    extended[section][f"{dataset}-{name}"] = {model: changed}
                else:
                    extended[section][dataset][f"{model}-{name}"] = changed
            if "dataset" in ablation:
                changed = _overlaid(config["datasets"][dataset], ablation["dataset"])
                extended["datasets"][f"{dataset}-{name}"] = changed
    return extended


def _overlaid(plain: Any, changes: Any) -> Any:  # noqa: ANN401
    """Replace what the changes name, key by key; a component of another kind as a whole."""
    if not (isinstance(plain, Mapping) and isinstance(changes, Mapping)):
        return deepcopy(changes)
    if changes.get("kind", plain.get("kind")) != plain.get("kind"):
        return deepcopy(dict(changes))
    changed = {key: _overlaid(plain.get(key), value) for key, value in changes.items()}
    return deepcopy(dict(plain)) | changed
