"""Put changed models and those they were made of into one table (rule tabulate_ablations)."""

from pathlib import Path

from gicnn.job import begin
from gicnn.record.documents import read_json
from gicnn.record.side_by_side import compare_models, save_rows

begin(snakemake)
metrics = [read_json(Path(path)) for path in snakemake.input]
save_rows(snakemake.output.table, compare_models(metrics))
