"""A path between two pictures at one angle (rule interpolate_images)."""

import torch

from gicnn.evaluation.image_path import follow_image_path
from gicnn.files import write_json
from gicnn.log import log_to
from gicnn.models.build import load_model
from gicnn.tables import frame, save_table
from gicnn.tensors import load_splits, load_tensors

log_to(snakemake.log[0])
torch.set_num_threads(snakemake.threads)
test = load_splits(snakemake.input.tensors)["test"]
tensors, _ = load_tensors(snakemake.input.tensors)
label = tensors["label"][tensors["split"] == 2]
shape = test.x.shape[1:]
model = load_model(snakemake.params.model, snakemake.input.weights, shape)
judge = load_model(snakemake.params.judge, snakemake.input.judge, shape)

tables, summary = follow_image_path(model, judge, test, label, **snakemake.params.settings)
save_table(snakemake.output.path, *map(frame, tables))
write_json(snakemake.output.summary, summary)
