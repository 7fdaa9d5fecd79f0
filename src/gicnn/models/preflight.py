"""What no schema can see of a model's settings (standard library only, no torch)."""

from collections.abc import Mapping
from typing import Any

__all__ = ["check_models"]

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
