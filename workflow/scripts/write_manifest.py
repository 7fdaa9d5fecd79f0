"""Put the records of all jobs together (rule write_manifest)."""

from gicnn.files import write_json
from gicnn.job import begin
from gicnn.record.manifest import build_manifest

begin(snakemake)
write_json(
    snakemake.output.manifest, build_manifest(**snakemake.params.run, wanted=snakemake.input)
)
