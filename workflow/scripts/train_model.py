"""Fit one model to one dataset, for one seed (rule train_model)."""

import os
from pathlib import Path

import pandas as pd
import torch

from gicnn.files import write_json
from gicnn.job import begin
from gicnn.seeds import derive_seed
from gicnn.tables import save_table
from gicnn.tensors import save_tensors
from gicnn.training.device import take_faster_kernels
from gicnn.training.run_facts import describe_cost, describe_run
from gicnn.training.train import train

begin(snakemake)
take_faster_kernels()
torch.set_num_threads(snakemake.threads)
if not snakemake.resources.get("gpu"):  # this run has none for this job
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
settings = dict(snakemake.params)
checkpoint = Path(settings.pop("checkpoint"))
seed = derive_seed(*settings.pop("seed_of"))
title = "{dataset} {model} seed {seed}".format(**snakemake.wildcards)
fitted = train(snakemake.input.tensors, settings, seed, checkpoint, title)

save_tensors(snakemake.output.weights, fitted.model.state_dict())
save_table(snakemake.output.history, pd.DataFrame(fitted.history))
write_json(snakemake.output.run, describe_run(settings, seed) | describe_cost(fitted))
checkpoint.unlink(missing_ok=True)
