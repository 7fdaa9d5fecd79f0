"""A toy run whose every file is accounted for."""

import hashlib
import json

import pytest

from gicnn.record.audit import audit
from gicnn.record.manifest import FILE, build_manifest

CONFIG = {"recipe": "toy", "seeds": [0], "device": "cpu"}
FACTS = {
    "params": {},
    "commit": None,
    "changed": None,
    "lock": None,
    "versions": {},
    "machine": {"processor": "toy"},
    "device": "cpu",
    "threads": 1,
    "startup": 1.0,
    "seconds": 1.0,
    "peak_memory_mb": 1,
}


def describe(path, name, of="results"):
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return {"of": of, "path": name, "sha256": digest, "size": len(content)}


class Run:
    """A toy run: data, from it weights, from those metrics, and claims on them."""

    config = CONFIG

    def __init__(self, folder):
        self.root, self.repository = folder / "results", folder / "checkout"
        self.started = 0
        self.repository.mkdir(parents=True)
        (self.repository / "claims.yaml").write_text("claims: []")
        (self.repository / "Snakefile").touch()
        self.write("logs/run.log", "said")
        self.write("data/card.json", "{}")
        self.job("build", [], ["data/card.json"])
        for model in "ab":
            self.write(f"models/{model}.bin", f"weights of {model}")
            self.job(f"train/{model}", ["data/card.json"], [f"models/{model}.bin"])
            self.write(f"evaluation/{model}.json", f'{{"error": "{model}"}}')
            self.job(f"evaluate/{model}", [f"models/{model}.bin"], [f"evaluation/{model}.json"])
        claims = [
            {
                "id": f"claim_{model}",
                "where": "section 1",
                "statement": "It is small.",
                "status": "reproduced",
                "meant": True,
                "expected": None,
                "owed_to": None,
                "measurements": [],
                "files": [f"evaluation/{model}.json"],
                "figures": [],
                "tables": [],
            }
            for model in "ab"
        ]
        counts = dict.fromkeys(("partly", "not reproduced", "not attempted"), 0)
        record = CONFIG | {"claims": claims, "deviations": [], "places": {}}
        self.write("claims.json", json.dumps(record | {"counts": counts | {"reproduced": 2}}))
        evidence = [f"evaluation/{model}.json" for model in "ab"]
        self.job("collect_claims", evidence, ["claims.json"], ["claims.yaml"])
        self.seal()

    def write(self, path, text):
        whole = self.root / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(text)

    def describe(self, path):
        return describe(self.root / path, path)

    def job(self, name, inputs, outputs, checkout=(), elsewhere=(), **facts):
        self.started += 1
        record = {
            "rule": name.split("/")[0],
            "started": f"2026-01-01T00:00:{self.started:02}+00:00",
            "inputs": [describe(self.root / path, path) for path in inputs]
            + [describe(self.repository / path, path, "repository") for path in checkout]
            + [describe(path, str(path), "elsewhere") for path in elsewhere],
            "outputs": [describe(self.root / path, path) for path in outputs],
        }
        record |= FACTS | facts
        self.write(f"logs/{name}.json", json.dumps(record))

    def seal(self):
        (self.root / FILE).write_text(json.dumps(build_manifest(self.root, CONFIG)))
        self.job("write_manifest", [], [FILE])

    def findings(self):
        return [(f.kind, f.path, f.claims) for f in audit(self.root, self.repository)]


@pytest.fixture
def facts():
    """What a job's record says besides what it read and made."""
    return FACTS


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path / "run")
