"""List all molecules of QM9 by canonical SMILES (rule list_molecules)."""

from gicnn.data.catalogue import list_molecules
from gicnn.data.checks import check_files
from gicnn.job import begin
from gicnn.tables import save_table

begin(snakemake)
check_files(snakemake.input, snakemake.params.files)
save_table(
    snakemake.output.catalogue, list_molecules(snakemake.input.wheel, snakemake.params.property)
)
