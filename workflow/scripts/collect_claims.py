"""Compare what the paper claims with what this run measured (rule collect_claims)."""

from pathlib import Path

import yaml

from gicnn.job import begin
from gicnn.record.claims import collect, evaluate
from gicnn.record.evidence import reader, save
from gicnn.record.sensitivity import sensitivities
from gicnn.validation import check

begin(snakemake)
names = ("claims", "claims_schema", "deviations", "deviations_schema")
ledger = {name: yaml.safe_load(Path(snakemake.input[name]).read_text("utf-8")) for name in names}
check(ledger["claims"], ledger["claims_schema"], "claims.yaml")
check(ledger["deviations"], ledger["deviations_schema"], "deviations.yaml")

given = snakemake.params
recorded = snakemake.input.get("recorded", [])
read = reader(snakemake.input.evidence, given.root)
claims = evaluate(ledger["claims"]["claims"], read, given.seeds, given.recipe)
runs = {
    "this run": (read, given.seeds),
    "the recorded run of the recipe ablations": (
        # Each file lies five folders below the record's.
        reader(recorded, Path(recorded[0]).parents[4] if recorded else given.root),
        given.recorded_seeds,
    ),
}
deviations = [
    item | {"sensitivities": sensitivities(item, runs)}
    for item in ledger["deviations"]["deviations"]
]
record = collect(claims, given.recipe, given.seeds, deviations, given.places)
save(record, snakemake.output.record, snakemake.output.markdown, snakemake.output.page)
