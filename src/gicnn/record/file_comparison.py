"""Certificates of two runs, and the files that they made."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from gicnn.record.documents import read_document
from gicnn.record.job_records import Entry
from gicnn.record.manifest import Manifest
from gicnn.record.pairing import Comparison, files_by_name, pair_up
from gicnn.record.tolerances import Tolerance

__all__ = ["compare_certificates", "compare_files"]

# Times, memory, commits and folders are told there, and nowhere else; or the program is.
_TRACES = ("logs/", "benchmarks/")
_TOLD = ("run.json", "report.html", "ro-crate-metadata.json", "source.zip")
_CHECK = {
    "type": "object",
    "required": ["id", "holds"],
    "properties": {"id": {"type": "string"}, "holds": {"type": "boolean"}},
}
_CERTIFICATE = {
    "type": "object",
    "required": ["convex", "checks"],
    "properties": {
        "convex": {"type": "boolean"},
        "checks": {"type": "array", "items": _CHECK},
    },
}


def compare_certificates(first: Path, second: Path, tolerance: Tolerance) -> Iterator[Comparison]:
    """Compare what models were found to keep of their guarantees, check by check.

    Raises:
        ValueError: A file is no certificate.
    """
    one, other = files_by_name("evaluation/**/certificate.json", first, second)
    yield from pair_up("certificate", one, other, partial(_certificate, tolerance))


def _certificate(tolerance: Tolerance, name: str, one: Path, other: Path) -> Iterator[Comparison]:
    checks = [_checks(path) for path in (one, other)]
    owed = any(held["convex"] for held in checks)

    def check(key: str, a: bool, b: bool) -> Iterator[Comparison]:
        may_turn = tolerance.any_verdict and key != "convex"
        pair = "certificate", f"{name}: {key}", str(a), str(b)
        if a == b:
            yield Comparison(*pair, "identical", "the same")
        elif owed and not may_turn:
            yield Comparison(*pair, "different", "an input-convex model owes it")
        else:
            reason = "rounding may decide" if owed else "a baseline owes nothing"
            yield Comparison(*pair, "within tolerance", reason)

    yield from pair_up("certificate", *checks, check, prefix=f"{name}: ")


def _checks(path: Path) -> dict[str, bool]:
    """What a certificate says, check by check, and whether it is that of an input-convex model."""
    certificate = read_document(path, _CERTIFICATE)
    names = [check["id"] for check in certificate["checks"]]
    if len({*names, "convex"}) <= len(names):
        raise ValueError(f"{path} names a check twice: {', '.join(names)}; run again")
    return {check["id"]: check["holds"] for check in certificate["checks"]} | {
        "convex": certificate["convex"]
    }


def compare_files(manifests: Sequence[Manifest | None], to_the_bit: bool) -> Iterator[Comparison]:
    """Whether both runs made each file, by their manifests; the small records hold only some.

    Args:
        manifests: Of both runs, None where one has none; then nothing can be told.
        to_the_bit: Whether other bytes count; what a file holds is compared elsewhere.
    """

    def file(name: str, a: Entry, b: Entry) -> Iterator[Comparison]:
        shown = [f"sha256 {entry['sha256'][:12]}…" for entry in (a, b)]
        if a["sha256"] == b["sha256"]:
            yield Comparison("file", name, *shown, "identical", "the same bytes, by the manifests")
        elif to_the_bit:
            yield Comparison("file", name, *shown, "within tolerance", "other bytes")

    made = [_made(manifest) for manifest in manifests if manifest]
    if len(made) == 2:
        yield from pair_up("file", *made, file)


def _made(manifest: Manifest) -> Mapping[str, Entry]:
    kept = (entry for entry in manifest["files"] if not entry["path"].startswith(_TRACES))
    return {entry["path"]: entry for entry in kept if Path(entry["path"]).name not in _TOLD}
