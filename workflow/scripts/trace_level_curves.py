"""Level curves of a model of two variables (rule trace_level_curves)."""

import torch

from gicnn.data.grids import FUNCTIONS
from gicnn.data.true_curves import TRUE_CURVES
from gicnn.evaluation.curves.level_curves import trace_level_curves
from gicnn.files import write_json
from gicnn.job import begin
from gicnn.models.build import load_model
from gicnn.tables import frame, save_table
from gicnn.tensors import load_splits

begin(snakemake)
torch.set_num_threads(snakemake.threads)
train = load_splits(snakemake.input.tensors)["train"]
model = load_model(snakemake.params.model, snakemake.input.weights, train.x.shape[1:])
name = snakemake.params.function
found = trace_level_curves(
    model,
    FUNCTIONS[name],
    train.x,
    true_curve=TRUE_CURVES.get(name),
    **snakemake.params.settings,
)

save_table(snakemake.output.level_curves, frame(found.curves))
save_table(snakemake.output.landscape, frame(found.landscape))
save_table(snakemake.output.minima, frame(found.minima))
save_table(snakemake.output.extrapolation, frame(found.extrapolation))
write_json(snakemake.output.summary, found.summary)
