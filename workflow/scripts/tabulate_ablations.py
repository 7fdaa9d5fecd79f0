"""Put changed models and those they were made of into one table (rule tabulate_ablations)."""

import json
from pathlib import Path

from gicnn.job import begin
from gicnn.record.side_by_side import compare_models, save_rows

begin(snakemake)
metrics = [json.loads(Path(path).read_text("utf-8")) for path in snakemake.input]
save_rows(snakemake.output.table, compare_models(metrics))
