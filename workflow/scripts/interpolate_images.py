"""A path between two pictures at one angle (rule interpolate_images)."""

import torch

from gicnn.evaluation.images.path import follow_image_path
from gicnn.files import write_json
from gicnn.job import begin
from gicnn.models.build import load_model
from gicnn.tables import frame, save_table
from gicnn.tensors import load_splits

begin(snakemake)
torch.set_num_threads(snakemake.threads)
splits = load_splits(snakemake.input.tensors)
shape = splits["test"].x.shape[1:]
model = load_model(snakemake.params.model, snakemake.input.weights, shape)
judge = load_model(snakemake.params.judge, snakemake.input.judge, shape)

tables, summary = follow_image_path(model, judge, splits, **snakemake.params.settings)
save_table(snakemake.output.path, *map(frame, tables))
write_json(snakemake.output.summary, summary)
