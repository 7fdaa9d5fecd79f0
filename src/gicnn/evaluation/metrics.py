"""Numbers that summarise a table of predictions, with intervals."""

import math
from collections.abc import Callable, Mapping

import numpy as np
from jaxtyping import Float
from scipy.stats import bootstrap
from torch import Tensor

__all__ = ["bootstrap_intervals", "mean_interval", "paired_interval", "summarise"]

_CONFIDENCE = 0.95
_RESAMPLES = 2000
_SEED = 0


def summarise(table: Mapping[str, Tensor], likelihood: str) -> dict[str, float]:
    """Reconstruction, property error and invariance of one split.

    Args:
        table: As ``predictions.predict`` returns it.
        likelihood: "categorical" reports the share of exact reconstructions, that of valid ones
            if the table has the column ``valid``, and the invariance with the most likely
            input; "gaussian" the reconstruction error, with the peak signal-to-noise ratio in
            dB for inputs between 0 and 1.

    Returns:
        In the property's unit: ``property_mae``, ``property_rmse``, ``property_sd`` (of the true
        values, the error of a constant guess) and ``invariance_mae`` (MAE(y, y'), section 5.3).
    """
    columns = _errors(table, likelihood)
    means = {name: _mean(values) for name, values in columns.items()}
    numbers = {
        "count": len(table["y"]),
        "property_rmse": math.sqrt(means.pop("property_mse")),
        "property_sd": table["y"].double().std().item(),
    }
    if likelihood == "gaussian":
        error = means["reconstruction_mse"]
        numbers["reconstruction_rmse"] = math.sqrt(error)
        numbers["reconstruction_psnr"] = -10 * math.log10(max(error, 1e-30))
    return numbers | means


def bootstrap_intervals(table: Mapping[str, Tensor], likelihood: str) -> dict[str, list[float]]:
    """Give 95 % intervals of the means that :func:`summarise` reports.

    Percentiles over 2000 samples of the split's examples, drawn with replacement. They say how
    much the choice of the examples matters, and nothing of the model's seed.

    Args:
        table: As ``predictions.predict`` returns it.
        likelihood: As for :func:`summarise`.

    Returns:
        Lower and upper end by name; ``property_rmse`` takes the place of the squared error.
    """
    columns = _errors(table, likelihood)
    intervals = {name: mean_interval(values) for name, values in columns.items()}
    squared = intervals.pop("property_mse")
    return intervals | {"property_rmse": [math.sqrt(end) for end in squared]}


def mean_interval(values: Tensor) -> list[float]:
    """Give the 95 % bootstrap interval of a mean, its lower and its upper end.

    Example:
        >>> mean_interval(Tensor([1, 1, 1]))
        [1.0, 1.0]
    """
    sample = values.double().cpu().numpy()
    if len(sample) < 2 or (sample == sample[0]).all():
        return [float(sample[0])] * 2
    result = bootstrap(
        (sample,),
        np.mean,
        n_resamples=_RESAMPLES,
        confidence_level=_CONFIDENCE,
        method="percentile",
        batch=100,
        rng=np.random.default_rng(_SEED),
    )
    return [float(end) for end in result.confidence_interval]


def paired_interval(
    statistic: Callable[..., np.ndarray], *columns: Float[np.ndarray, " n"]
) -> list[float] | None:
    """Give the 95 % bootstrap interval of a statistic of columns whose rows belong together.

    Samples for which it is not finite, such as a ratio to nothing, are left out (scipy's bootstrap
    would give no interval); None if all are.

    Args:
        statistic: Of as many arrays as there are columns, along their last axis.
        columns: Of the same length.

    Example:
        >>> ratio = lambda a, b: a.sum(-1) / b.sum(-1)
        >>> paired_interval(ratio, np.array([2.0, 4.0, 6.0]), np.array([1.0, 2.0, 3.0]))
        [2.0, 2.0]
    """
    count = len(columns[0])
    rows = np.random.default_rng(_SEED).integers(count, size=(_RESAMPLES, count))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = statistic(*(column[rows] for column in columns))
    values = values[np.isfinite(values)]
    tail = (1 - _CONFIDENCE) / 2
    return np.quantile(values, [tail, 1 - tail]).tolist() if len(values) else None


def _errors(table: Mapping[str, Tensor], likelihood: str) -> dict[str, Tensor]:
    """Give for each number what each example contributes to the mean."""
    error = table["predicted"] - table["y"]
    columns = {
        "property_mae": error.abs(),
        "property_mse": error.square(),
        "invariance_mae": (table["predicted"] - table["cycled"]).abs(),
    }
    return columns | _RECONSTRUCTION[likelihood](table)


def _categorical(table: Mapping[str, Tensor]) -> dict[str, Tensor]:
    valid = {"reconstruction_valid": table["valid"]} if "valid" in table else {}
    return {
        "reconstruction_exact": table["exact"],
        **valid,
        "invariance_hard_mae": (table["predicted"] - table["cycled_hard"]).abs(),
    }


def _gaussian(table: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {"reconstruction_mse": table["squared_error"]}


_RECONSTRUCTION = {"categorical": _categorical, "gaussian": _gaussian}


def _mean(values: Tensor) -> float:
    return values.double().mean().item()
