"""A path between two molecules at one level of a property (rule interpolate_molecules)."""

from functools import partial

import pandas as pd
import torch

from gicnn.data.encoding import encode_all
from gicnn.data.graphs import GraphCode
from gicnn.evaluation.molecules.clusters import cluster_values
from gicnn.evaluation.molecules.path import follow_molecule_path
from gicnn.evaluation.molecules.reader import MoleculeReader
from gicnn.files import write_json
from gicnn.job import begin
from gicnn.models.build import load_model
from gicnn.tables import save_table
from gicnn.tensors import load_splits

begin(snakemake)
torch.set_num_threads(snakemake.threads)
splits = load_splits(snakemake.input.tensors)
model = load_model(snakemake.params.model, snakemake.input.weights, splits["test"].x.shape[1:])
code = GraphCode(**snakemake.params.graphs)
catalogue = pd.read_parquet(snakemake.input.catalogue)
reader = MoleculeReader.of(model, code.decode_smiles, partial(encode_all, code), catalogue, splits)
clusters = cluster_values(splits["train"].y.double().numpy(), **snakemake.params.cluster)

table, summary = follow_molecule_path(reader, splits, clusters, **snakemake.params.settings)
save_table(snakemake.output.path, table)
write_json(snakemake.output.summary, summary)
