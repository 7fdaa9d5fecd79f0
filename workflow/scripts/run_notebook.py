"""Run a notebook with the rule's named inputs and outputs as its parameters (rules figure_*)."""

from pathlib import Path

from gicnn.job import begin
from gicnn.notebooks import execute

begin(snakemake)

inputs, outputs = dict(snakemake.input.items()), dict(snakemake.output.items())
execute(
    inputs.pop("notebook"),
    outputs.pop("notebook"),
    outputs.pop("html"),
    parameters={**inputs, **outputs, **snakemake.params.get("parameters", {})},
    failed=Path(snakemake.log[0]).with_suffix(".ipynb"),
)
