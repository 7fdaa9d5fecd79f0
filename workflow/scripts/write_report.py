"""Show the whole run on one page (rule write_report)."""

from pathlib import Path

import yaml

from gicnn.files import write_atomically
from gicnn.job import begin
from gicnn.record.claims_file import load_record
from gicnn.record.documents import read_json
from gicnn.record.manifest import build_manifest
from gicnn.record.report import Certificate, picture, to_report

begin(snakemake)
given = snakemake.input
root = Path(snakemake.params.run["root"])
words = yaml.safe_load(Path(given.captions).read_text("utf-8"))
drawn = {Path(path).stem: path for path in given.pictures}
certificates = [
    Certificate(Path(path).relative_to(root).as_posix(), read_json(Path(path)))
    for path in given.certificates
]
page = to_report(
    Path(given.template).read_text("utf-8"),
    load_record(given.claims),
    build_manifest(**snakemake.params.run, wanted=snakemake.input),
    [picture(drawn[name], **said) for name, said in words["figures"].items()],
    certificates,
    words["texts"],
)
with write_atomically(snakemake.output.report) as temporary:
    temporary.write_text(page, encoding="utf-8")
