"""Measure one model on the validation and the test split (rule evaluate_model)."""

import json
from pathlib import Path

import torch

from gicnn.data.graphs import GraphCode
from gicnn.evaluation.metrics import bootstrap_intervals, summarise
from gicnn.evaluation.molecules.names import reconstructed_as_molecules
from gicnn.files import write_json
from gicnn.job import begin
from gicnn.models.build import load_model
from gicnn.models.predictions import predict
from gicnn.tables import frame, save_table
from gicnn.tensors import load_splits

begin(snakemake)
torch.set_num_threads(snakemake.threads)
settings = snakemake.params.model
splits = load_splits(snakemake.input.tensors)
model = load_model(settings, snakemake.input.weights, splits["test"].x.shape[1:])
tables = {name: predict(model, splits[name]) for name in ("validation", "test")}
if snakemake.params.graphs:
    decode = GraphCode(**snakemake.params.graphs).decode_smiles
    for name, table in tables.items():
        table["valid"] = reconstructed_as_molecules(model, decode, splits[name].x)

kind = settings["likelihood"]["kind"]
unit = json.loads(Path(snakemake.input.card).read_text())["units"]["y"]
metrics = dict(snakemake.wildcards) | {"seed": int(snakemake.wildcards.seed)}
metrics |= {"units": {"property": unit}}
metrics |= {"splits": {name: summarise(table, kind) for name, table in tables.items()}}
metrics |= {"intervals": {"test": bootstrap_intervals(tables["test"], kind)}}
write_json(snakemake.output.metrics, metrics)
frames = [frame(table).assign(split=name) for name, table in tables.items()]
save_table(snakemake.output.predictions, *frames)
