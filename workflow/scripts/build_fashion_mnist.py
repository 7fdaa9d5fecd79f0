"""Build the dataset of rotated pictures (rule build_fashion_mnist)."""

import torch

from gicnn.data.card import describe
from gicnn.data.checks import check_files
from gicnn.data.dataset import save_dataset
from gicnn.data.fashion_mnist import build_fashion_mnist
from gicnn.files import write_json
from gicnn.job import begin

begin(snakemake)
torch.set_num_threads(snakemake.threads)
settings, sources = snakemake.params.build, snakemake.params.files
check_files(snakemake.input, sources)
dataset = build_fashion_mnist(dict(snakemake.input.items()), **settings)

save_dataset(dataset, snakemake.output.tensors)
write_json(snakemake.output.card, describe(dataset, settings, sources))
