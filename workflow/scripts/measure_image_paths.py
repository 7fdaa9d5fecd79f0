"""Many paths between pictures, and how well they keep their angle (rule measure_image_paths)."""

import torch

from gicnn.evaluation.images.statistics import measure_image_paths
from gicnn.files import write_json
from gicnn.job import begin
from gicnn.models.build import load_model
from gicnn.tables import save_table
from gicnn.tensors import load_splits

begin(snakemake)
torch.set_num_threads(snakemake.threads)
splits = load_splits(snakemake.input.tensors)
shape = splits["test"].x.shape[1:]
model = load_model(snakemake.params.model, snakemake.input.weights, shape)
judge = load_model(snakemake.params.judge, snakemake.input.judge, shape)

table, pictures, summary = measure_image_paths(model, judge, splits, **snakemake.params.settings)
save_table(snakemake.output.paths, table)
save_table(snakemake.output.pictures, pictures)
write_json(snakemake.output.summary, summary)
