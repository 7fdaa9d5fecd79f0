"""Tell whether a property has connected level sets (rule detect_disconnected)."""

import torch

from gicnn.evaluation.connectedness.detect import detect_disconnected
from gicnn.files import write_json
from gicnn.job import begin
from gicnn.models.build import load_model
from gicnn.tensors import load_splits

begin(snakemake)
torch.set_num_threads(snakemake.threads)
splits = load_splits(snakemake.input.tensors)
shape = splits["test"].x.shape[1:]
convex = load_model(snakemake.params.convex, snakemake.input.convex, shape)
baseline = load_model(snakemake.params.baseline, snakemake.input.baseline, shape)
found = detect_disconnected(
    convex, baseline, splits["train"], splits["test"], **snakemake.params.connectedness
)
write_json(snakemake.output.connectedness, found)
