"""Describe the run as an RO-Crate, with the program that made it (rule write_crate)."""

from gicnn.circumstances import REPOSITORY
from gicnn.files import write_json
from gicnn.job import begin
from gicnn.record.crate import describe_crate
from gicnn.record.manifest import build_manifest
from gicnn.record.source import pack_source

begin(snakemake)
given = snakemake.params
pack_source(REPOSITORY, snakemake.output.source)
manifest = build_manifest(**given.run, wanted=snakemake.input)
write_json(snakemake.output.crate, describe_crate(given.run["root"], manifest, **given.crate))
