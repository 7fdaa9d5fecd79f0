"""Build the dataset of molecular graphs (rule build_qm9)."""

from gicnn.data.card import describe
from gicnn.data.checks import check_files
from gicnn.data.dataset import save_dataset
from gicnn.data.molecules import build_qm9, save_molecules, selection
from gicnn.files import write_json
from gicnn.job import begin

begin(snakemake)
settings, sources = snakemake.params.build, snakemake.params.files
check_files(snakemake.input, sources)
dataset, molecules = build_qm9(snakemake.input.wheel, **settings, workers=snakemake.threads)

save_dataset(dataset, snakemake.output.tensors)
save_molecules(molecules, snakemake.output.molecules)
card = describe(dataset, settings, sources) | selection(molecules)
write_json(snakemake.output.card, card)
