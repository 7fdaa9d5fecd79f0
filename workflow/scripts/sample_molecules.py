"""Molecules in random directions on level sets (rule sample_molecules)."""

from functools import partial

import pandas as pd
import torch

from gicnn.data.encoding import encode_all
from gicnn.data.graphs import GraphCode
from gicnn.data.properties import PROPERTIES
from gicnn.evaluation.molecules.clusters import cluster_values
from gicnn.evaluation.molecules.reader import MoleculeReader
from gicnn.evaluation.molecules.samples import for_chemists, sample_molecules
from gicnn.files import write_atomically, write_json
from gicnn.job import begin
from gicnn.models.build import load_model
from gicnn.tensors import load_splits

begin(snakemake)
torch.set_num_threads(snakemake.threads)
splits = load_splits(snakemake.input.tensors)
model = load_model(snakemake.params.model, snakemake.input.weights, splits["test"].x.shape[1:])
code = GraphCode(**snakemake.params.graphs)
catalogue = pd.read_parquet(snakemake.input.catalogue)
reader = MoleculeReader.of(model, code.decode_smiles, partial(encode_all, code), catalogue, splits)
clusters = cluster_values(splits["train"].y.double().numpy(), **snakemake.params.cluster)

table, summary = sample_molecules(reader, splits, clusters, **snakemake.params.settings)
quantity = snakemake.params.property
with write_atomically(snakemake.output.molecules) as temporary:
    named = for_chemists(table, quantity, PROPERTIES[quantity].unit)
    named.to_csv(temporary, index=False, float_format="%.2f")
write_json(snakemake.output.summary, summary)
