"""Numbers that summarise a table of predictions."""

import math
from collections.abc import Mapping

from torch import Tensor

__all__ = ["summarise"]


def summarise(table: Mapping[str, Tensor], likelihood: str) -> dict[str, float]:
    """Reconstruction, property error and invariance of one split.

    Args:
        table: As ``predictions.predict`` returns it.
        likelihood: "categorical" reports the share of exact reconstructions and the invariance
            with the most likely input; "gaussian" the reconstruction error, with the
            peak signal-to-noise ratio in dB for inputs between 0 and 1.

    Returns:
        In the property's unit: ``property_mae``, ``property_rmse``, ``property_sd`` (of the true
        values, the error of a constant guess) and ``invariance_mae`` (MAE(y, y'), section 5.3).
    """
    error = table["predicted"] - table["y"]
    numbers = {
        "count": len(error),
        "property_mae": _mean(error.abs()),
        "property_rmse": math.sqrt(_mean(error.square())),
        "property_sd": table["y"].double().std().item(),
        "invariance_mae": _mean((table["predicted"] - table["cycled"]).abs()),
    }
    return numbers | _RECONSTRUCTION[likelihood](table)


def _categorical(table: Mapping[str, Tensor]) -> dict[str, float]:
    return {
        "reconstruction_exact": _mean(table["exact"]),
        "invariance_hard_mae": _mean((table["predicted"] - table["cycled_hard"]).abs()),
    }


def _gaussian(table: Mapping[str, Tensor]) -> dict[str, float]:
    error = _mean(table["squared_error"])
    return {
        "reconstruction_mse": error,
        "reconstruction_rmse": math.sqrt(error),
        "reconstruction_psnr": -10 * math.log10(max(error, 1e-30)),
    }


_RECONSTRUCTION = {"categorical": _categorical, "gaussian": _gaussian}


def _mean(values: Tensor) -> float:
    return values.double().mean().item()
