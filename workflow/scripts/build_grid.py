"""Build one synthetic dataset (rule build_grid)."""

from gicnn.data.card import describe
from gicnn.data.dataset import save_dataset
from gicnn.data.grids import build_grid
from gicnn.files import write_json
from gicnn.job import begin

begin(snakemake)
settings = snakemake.params.build
dataset = build_grid(**settings)

save_dataset(dataset, snakemake.output.tensors)
write_json(snakemake.output.card, describe(dataset, settings, sources={}))
