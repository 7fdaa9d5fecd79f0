"""The same start and the same steps end at the same weights on a GPU and on the CPU."""

import copy
from pathlib import Path

import pytest
import torch
import yaml

from gicnn.models.ablations import with_ablations
from gicnn.models.build import build_model
from gicnn.training.fit import fit
from gicnn.types import Split

GPU = pytest.param(
    "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
)
ROOT = Path(__file__).parents[2]
DEFAULT, ABLATIONS = (
    yaml.safe_load((ROOT / name).read_text())
    for name in ("config.yaml", "workflow/recipes/ablations.yaml")
)
CONFIG = with_ablations(DEFAULT | {"ablations": ABLATIONS["ablations"]})
MODELS = [
    ("rosenbrock", "gicnn", (2,)),
    ("fashion_mnist", "gicnn_approximate", (1, 36, 36)),
    ("qm9", "gicnn_approximate", (189,)),
    ("qm9", "gicnn_approximate-graph_encoder", (189,)),
]
COUNT, BATCH, EPOCHS = 80, 20, 3


def pictures_or_one_hot(shape):
    """Inputs as the model expects them: 63 groups of three for molecules, else numbers."""
    generator = torch.Generator().manual_seed(1)
    x = torch.rand(COUNT, *shape, generator=generator)
    if shape != (189,):
        return x
    chosen = x.reshape(COUNT, 63, 3).argmax(-1)
    return torch.nn.functional.one_hot(chosen, 3).flatten(1).float()


def start_of(dataset, name, shape):
    """The default recipe's model and plan; without dropout, whose masks the device draws."""
    settings = copy.deepcopy(CONFIG["models"][dataset][name])
    for part in ("encoder", "decoder"):
        if settings[part] and "dropout" in settings[part]:
            settings[part]["dropout"] = 0.0
    torch.manual_seed(3)
    model = build_model(settings, shape, {"offset": 1.0, "scale": 2.0})
    shortened = {"epochs": EPOCHS, "batch_size": BATCH, "precision": "float32"}
    return model, CONFIG["training"][dataset][name] | shortened


def weights(model):
    return torch.cat([value.double().flatten().cpu() for value in model.state_dict().values()])


def train(device, model, x, plan, folder):
    y = x.square().flatten(1).mean(-1)
    train, validation = (
        Split(x[rows].to(device), y[rows].to(device), torch.arange(COUNT)[rows])
        for rows in (slice(0, COUNT - 20), slice(COUNT - 20, COUNT))
    )
    model = copy.deepcopy(model).to(device)
    checkpoint = folder / "checkpoint.safetensors"
    return weights(
        fit(
            model,
            train,
            validation,
            seed=5,
            checkpoint=checkpoint,
            fingerprint="a",
            title="a",
            **plan,
        ).model
    )


@pytest.mark.parametrize("device", ["cpu", GPU])
@pytest.mark.parametrize(("dataset", "name", "shape"), MODELS, ids=[m[0] for m in MODELS])
def test_every_device_ends_where_the_cpu_does(dataset, name, shape, device, tmp_path):
    """To a thousandth of the way gone, for float32 sums differ in their order; bits if the same."""
    model, plan = start_of(dataset, name, shape)
    x = pictures_or_one_hot(shape)

    cpu, here, again = (
        train(place, model, x, plan, tmp_path) for place in ("cpu", device, device)
    )

    gone = (cpu - weights(model)).norm()
    assert gone > 0
    assert (cpu - here).norm() < 1e-3 * gone
    assert torch.equal(here, again)
