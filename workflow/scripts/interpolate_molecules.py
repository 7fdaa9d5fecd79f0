"""A path between two molecules at one band gap (rule interpolate_molecules)."""

import pandas as pd
import torch

from gicnn.data.graphs import GraphCode
from gicnn.evaluation.paths.molecule_path import follow_molecule_path
from gicnn.files import write_json
from gicnn.log import log_to
from gicnn.models.build import load_model
from gicnn.tables import frame, save_table
from gicnn.tensors import load_splits

log_to(snakemake.log[0])
torch.set_num_threads(snakemake.threads)
splits = load_splits(snakemake.input.tensors)
model = load_model(snakemake.params.model, snakemake.input.weights, splits["test"].x.shape[1:])
code = GraphCode(**snakemake.params.graphs)
table = pd.read_parquet(snakemake.input.molecules, columns=["smiles", "qm9_index", "gap"])
known = {row.smiles: (row.qm9_index, row.gap) for row in table.itertuples()}

tables, summary = follow_molecule_path(
    model, splits, code.decode_smiles, known, **snakemake.params.settings
)
save_table(snakemake.output.path, *map(frame, tables))
write_json(snakemake.output.summary, summary)
