"""How good a model is while it is being fitted."""

from gicnn.models.predictions import predict
from gicnn.models.vae import SideInformationVAE
from gicnn.types import Split

__all__ = ["errors"]


def errors(model: SideInformationVAE, split: Split) -> dict[str, float]:
    """Reconstruction, property error and invariance over a split.

    Args:
        model: Measured in evaluation mode; afterwards its mode is what it was.
        split: On the model's device.

    Returns:
        Means: ``reconstruction_exact`` (a share) where inputs are categories and
        ``reconstruction_mse`` elsewhere; in the property's unit ``property_mae`` and
        ``invariance_mae`` (with the expected input).
    """
    training = model.training
    table = predict(model.eval(), split)
    model.train(training)
    exact = {"reconstruction_exact": table["exact"]}
    squared = {"reconstruction_mse": table["squared_error"]}
    columns = {
        **(exact if model.likelihood.discrete else squared),
        "property_mae": (table["predicted"] - table["y"]).abs(),
        "invariance_mae": (table["predicted"] - table["cycled"]).abs(),
    }
    return {name: column.double().mean().item() for name, column in columns.items()}
