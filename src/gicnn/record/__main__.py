"""Look at the record of a run: ``python -m gicnn.record {claims,audit,compare,keep,fill} results``."""

import argparse
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from gicnn.provenance import file_digest
from gicnn.record.audit import Finding, audit
from gicnn.record.claims import Record
from gicnn.record.claims_file import load_record
from gicnn.record.fill import fill
from gicnn.record.manifest import FILE, load_manifest
from gicnn.record.run_files import set_apart
from gicnn.record.terminal import to_table

__all__ = ["main"]


def main() -> int:
    """Do what the command line says; 1 if files or runs differ, 2 if it cannot be done."""
    parser = argparse.ArgumentParser(prog="gicnn.record", description=__doc__)
    chores = parser.add_subparsers(required=True)
    _add(chores, _show_claims, "claims", "print the claims and where to look next")
    chore = _add(chores, _audit, "audit", "digest every file again; name those that changed")
    chore.add_argument("--repository", type=Path, help="the checkout, whose inputs to digest too")
    chore = _add(chores, _compare, "compare", "two runs side by side; name what differs")
    chore.add_argument("other", type=Path, help="the other run's folder of results, or a record")
    chore.add_argument("--all", action="store_true", help="print what is identical, too")
    chore = _add(chores, _keep, "keep", "copy claims, metrics, tables and pictures of a run")
    chore.add_argument(
        "place",
        type=Path,
        help="folder for the copy; a record there is replaced, with --part added to",
    )
    chore.add_argument("--numbers", action="store_true", help="only what a comparison reads")
    part = "of an unfinished run its models, or these with the courses of their trainings"
    chore.add_argument("--part", choices=("models", "courses"), help=part)
    chore = _add(chores, _fill, "fill", "put numbers of a run between a page's markers")
    chore.add_argument("page", type=Path, help="the page")
    sys.stdout.reconfigure(errors="replace")
    given = parser.parse_args()
    try:
        return given.run(given)
    except BrokenPipeError:  # whoever was reading has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        parser.error(str(error))


def _add(
    chores: argparse._SubParsersAction,
    run: Callable[[argparse.Namespace], int],
    name: str,
    purpose: str,
) -> argparse.ArgumentParser:
    chore = chores.add_parser(name, help=purpose, description=purpose)
    chore.add_argument("results", type=Path, help="a folder of results")
    chore.set_defaults(run=run)
    return chore


def _show_claims(given: argparse.Namespace) -> int:
    record = load_record(given.results / "claims.json")
    width = min(100, max(60, shutil.get_terminal_size(fallback=(100, 24)).columns))
    print(to_table(record, width))
    print(_places(record, given.results), end="")
    return 0


def _places(record: Record, folder: Path) -> str:
    found = {name: folder / place for name, place in record["places"].items()}
    lines = [f"  {name}: {place}" for name, place in found.items() if place.exists()]
    return "\n".join(["Where to look next", *lines]) + "\n" if lines else ""


def _audit(given: argparse.Namespace) -> int:
    findings = audit(given.results, given.repository)
    for finding in findings:
        print(_line(finding))
    manifest = load_manifest(given.results)
    jobs = len(manifest["jobs"])
    print(f"{len(manifest['files'])} files of {jobs} jobs: {_count(findings)}.")
    print(f"The manifest's own sha256 is {file_digest(given.results / FILE)}.")
    if apart := set_apart(given.results):
        print(f"Of no run, and not looked at: {', '.join(apart)}.")
    if given.repository is None:
        print("Inputs from outside the results were left out: no --repository was given.")
    return 1 if findings else 0


def _compare(given: argparse.Namespace) -> int:
    from gicnn.record.comparison import compare  # an audit needs no pandas
    from gicnn.record.pairing import KINDS, VERDICTS

    outcome = compare(given.results, given.other)
    for item in outcome.items:
        if given.all or item.verdict != "identical":
            print(f"{item.verdict}: {item.kind} {item.name}: {item.first} | {item.second}")
            print(f"    {item.reason}")
    counts = Counter((item.kind, item.verdict) for item in outcome.items)
    for kind in KINDS:
        found = ", ".join(f"{counts[kind, verdict]} {verdict}" for verdict in VERDICTS)
        print(f"{kind}s: {found}")
    if outcome.promised.holds:
        print(f"The same bits are promised: {outcome.promised.reason}.")
    else:
        print(f"Tolerances apply: {outcome.promised.reason}. {outcome.tolerance.why}")
    return 1 if any(item.verdict == "different" for item in outcome.items) else 0


def _keep(given: argparse.Namespace) -> int:
    from gicnn.record.keep import NUMBERS, PATTERNS, keep  # nor Pillow
    from gicnn.record.parts import keep_part

    if given.part:
        kept = keep_part(given.results, given.place, given.part)
    else:
        kept = keep(given.results, given.place, NUMBERS if given.numbers else PATTERNS)
    size = sum(path.stat().st_size for path in kept)
    count = f"{len(kept)} file{'s' * (len(kept) != 1)}"
    print(f"{count}, {size / 1e6:.1f} MB, are in {given.place}")
    return 0


def _fill(given: argparse.Namespace) -> int:
    path = given.page.resolve()  # a link stays one
    with path.open(encoding="utf-8", newline="") as stream:
        page = stream.read()
    record = load_record(given.results / "claims.json")
    filled = fill(page, record, given.results.parent)
    if filled != page:
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        with fresh.open("w", encoding="utf-8", newline="") as stream:
            stream.write(filled)
        shutil.copymode(path, fresh)
        fresh.replace(path)
    return 0


def _line(finding: Finding) -> str:
    hangs = f"\n    hangs on it: {', '.join(finding.claims)}" if finding.claims else ""
    path = "".join(c if c.isprintable() else repr(c)[1:-1] for c in finding.path)
    return f"{finding.kind}: {path} ({finding.detail}){hangs}"


def _count(findings: list[Finding]) -> str:
    if not findings:
        return "all as the run left them"
    return f"{len(findings)} finding{'s' if len(findings) > 1 else ''}"


if __name__ == "__main__":
    sys.exit(main())
