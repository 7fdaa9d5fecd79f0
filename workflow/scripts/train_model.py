"""Fit one model to one dataset, for one seed (rule train_model)."""

from pathlib import Path
from typing import Any

import pandas as pd
import torch

from gicnn.files import sole_writer, write_json
from gicnn.job import begin
from gicnn.models.build import build_model, property_units
from gicnn.provenance import file_digest
from gicnn.seeds import derive_seed
from gicnn.tables import save_table
from gicnn.tensors import load_splits, save_tensors
from gicnn.training.checkpoints import fingerprint
from gicnn.training.device import compute_on
from gicnn.training.fit import Fitted, fit
from gicnn.training.run_facts import describe_cost, describe_run

begin(snakemake)
torch.set_num_threads(snakemake.threads)
settings = dict(snakemake.params)
checkpoint = Path(settings.pop("checkpoint"))
seed = derive_seed(*snakemake.wildcards)


def train_on(device: torch.device) -> tuple[Fitted, dict[str, Any]]:
    """The fitted model, and what it follows from."""
    facts = describe_run(settings, seed, device)
    splits = load_splits(snakemake.input.tensors, device)
    train = splits["train"]
    torch.manual_seed(seed)
    units = property_units(settings["model"], train.y)
    model = build_model(settings["model"], train.x.shape[1:], units).to(device)
    fitted = fit(
        model,
        train,
        splits["validation"],
        title="{dataset} {model} seed {seed}".format(**snakemake.wildcards),
        seed=seed,
        checkpoint=checkpoint,
        fingerprint=fingerprint(facts, data=file_digest(snakemake.input.tensors)),
        **settings["training"],
    )
    return fitted, facts


with sole_writer(checkpoint):
    fitted, facts = compute_on(settings["device"], train_on)

save_tensors(snakemake.output.weights, fitted.model.state_dict())
save_table(snakemake.output.history, pd.DataFrame(fitted.history))
write_json(snakemake.output.run, facts | describe_cost(fitted.model, fitted.seconds))
checkpoint.unlink(missing_ok=True)
