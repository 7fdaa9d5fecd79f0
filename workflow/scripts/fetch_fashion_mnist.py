"""Fetch the four files of Fashion-MNIST (rule fetch_fashion_mnist)."""

from pathlib import Path

from gicnn.data.fetch import fetch
from gicnn.job import begin

begin(snakemake)
# Not from params: once a digest is right, where the file came from must rerun nothing.
settings = snakemake.config["datasets"]["fashion_mnist"]["fetch"]
fetch(Path(snakemake.output[0]).parent, **settings)
