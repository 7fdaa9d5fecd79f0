"""A run as a Workflow Run RO-Crate, which other programs can read.

References:
    | Recording provenance of workflow runs with RO-Crate (Leo et al., 2024)
    | https://w3id.org/ro/wfrun/workflow/0.5
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from gicnn.record.manifest import Manifest, of_this_run

__all__ = ["FILE", "describe_crate"]

FILE = "ro-crate-metadata.json"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
_FORMATS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".ipynb": "application/x-ipynb+json",
    ".json": "application/json",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
    ".smk": "text/plain",
    ".svg": "image/svg+xml",
    ".tsv": "text/tab-separated-values",
    ".yaml": "application/yaml",
}


def describe_crate(
    root: str | Path,
    manifest: Manifest,
    workflow: str,
    title: str,
    description: str,
    licence: str,
) -> dict[str, Any]:
    """Describe a folder of results as a crate: its files, and the jobs that made them.

    Args:
        root: The folder of results, which becomes the crate's root.
        manifest: Of what lies there.
        workflow: The packed program, from ``root``.
        title: Name of the run.
        description: What the run is about.
        licence: Address of the licence of the results.

    Returns:
        What ro-crate-metadata.json is to hold.

    Raises:
        ValueError: No job has left a record, so that there is no run to describe.
    """
    manifest = of_this_run(manifest)
    if not manifest["jobs"]:
        raise ValueError(f"no job has left a record in {root}/logs; run the workflow")
    crate = ROCrate(version="1.1")  # what the profiles build on
    crate.name, crate.description = title, description
    crate.license = licence
    starts, ends = zip(*(_span(job) for job in manifest["jobs"].values()), strict=True)
    crate.datePublished = max(ends)
    main = crate.add_workflow(Path(root) / workflow, workflow, main=True, lang="snakemake")
    main["name"] = title
    main["version"] = ", ".join(_commits(manifest))
    for entry in manifest["files"]:
        if entry["job"] and entry["path"] != workflow:
            crate.add_file(Path(root) / entry["path"], entry["path"], properties=_file(entry))
    crate.root_dataset["conformsTo"] = [
        crate.add(ContextEntity(crate, profile, _profile(profile, name)))
        for profile, name in _PROFILES.items()
    ]
    actions = [
        crate.add(ContextEntity(crate, name, properties))
        for name, properties in [
            *_jobs(manifest),
            ("#run", _run(manifest, workflow, title, min(starts), max(ends))),
        ]
    ]
    crate.root_dataset["mentions"] = actions
    for job, name, value in _settings(manifest):
        crate.add(ContextEntity(crate, _setting_id(job, name), _setting(name, value)))
    for rule in sorted({job["rule"] for job in manifest["jobs"].values()}):
        tool = {"@type": "SoftwareApplication", "name": rule, "description": f"rule {rule}"}
        crate.add(ContextEntity(crate, f"#rule/{rule}", tool))
    return crate.metadata.generate()


def _profile(address: str, name: str) -> dict[str, Any]:
    return {"@type": "CreativeWork", "name": name, "version": address.rsplit("/", 1)[-1]}


def _file(entry: Mapping[str, Any]) -> dict[str, Any]:
    known = {"name": entry["path"], "contentSize": str(entry["size"]), "sha256": entry["sha256"]}
    form = _FORMATS.get(Path(entry["path"]).suffix)
    return known | ({"encodingFormat": form} if form else {})


def _jobs(manifest: Manifest) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in manifest["jobs"].items():
        start, end = _span(job)
        made = [entry["path"] for entry in manifest["files"] if entry["job"] == name]
        read = [quote(item["path"]) for item in job["inputs"] if item["of"] == "results"]
        read += [_setting_id(job, setting) for job, setting, _ in _settings(manifest, name)]
        yield f"#job/{name}", _action(name, f"#rule/{job['rule']}", start, end, read, made)


def _settings(manifest: Manifest, wanted: str | None = None) -> Iterator[tuple[str, str, Any]]:
    """Job, name and value of each setting, the digest of the code among them.

    Those that describe the run are given the whole config, which is no setting of theirs.
    """
    for name in manifest["jobs"] if wanted is None else [wanted]:
        job = manifest["jobs"][name]
        for setting, value in job["params"].items():
            if not (job["rule"].startswith("write_") and setting == "run"):
                yield name, setting, value


def _setting_id(job: str, name: str) -> str:
    return f"#setting/{job}/{name}"


def _setting(name: str, value: object) -> dict[str, Any]:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return {"@type": "PropertyValue", "name": name, "value": text}


def _commits(manifest: Manifest) -> list[str]:
    """Of the program, as far as jobs could tell."""
    return sorted({job["commit"] or "unknown" for job in manifest["jobs"].values()})


def _run(manifest: Manifest, workflow: str, title: str, start: str, end: str) -> dict[str, Any]:
    made = {entry["path"] for entry in manifest["files"] if entry["job"]}
    final = sorted(made - _read(manifest))
    first = sorted(quote(path) for path in made if path.startswith("raw/"))
    return _action(title, workflow, start, end, first, final)


def _read(manifest: Manifest) -> set[str]:
    """What jobs went on from; those that describe the run read everything, and do not count."""
    jobs = (job for job in manifest["jobs"].values() if not job["rule"].startswith("write_"))
    return {item["path"] for job in jobs for item in job["inputs"] if item["of"] == "results"}


def _action(
    name: str, instrument: str, start: str, end: str, read: list[str], made: list[str]
) -> dict[str, Any]:
    return {
        "@type": "CreateAction",
        "name": name,
        "instrument": {"@id": instrument},
        "object": [{"@id": identifier} for identifier in read],
        "result": [{"@id": quote(path)} for path in made],
        "startTime": start,
        "endTime": end,
        "actionStatus": "http://schema.org/CompletedActionStatus",
    }


def _span(job: Mapping[str, Any]) -> tuple[str, str]:
    start = datetime.fromisoformat(job["started"])
    return start.isoformat(), (start + timedelta(seconds=job["seconds"])).isoformat("T", "seconds")
