"""Check one model's guarantees (rule certify_model)."""

import torch

from gicnn.evaluation.certificates.certify import certify
from gicnn.files import write_json
from gicnn.job import begin
from gicnn.models.build import load_model
from gicnn.tensors import load_splits

begin(snakemake)
torch.set_num_threads(snakemake.threads)
validation = load_splits(snakemake.input.tensors)["validation"]
model = load_model(snakemake.params.model, snakemake.input.weights, validation.x.shape[1:])
write_json(
    snakemake.output.certificate, certify(model, validation, **snakemake.params.certificate)
)
