"""Print a record: ``python -m gicnn.record results/claims.json``."""

import argparse
import json
import shutil
import sys
from pathlib import Path

from gicnn.record.claims import Record
from gicnn.record.terminal import to_table

__all__ = ["main"]


def main() -> None:
    """Print the table, and which of the places that the record names are there to look at."""
    parser = argparse.ArgumentParser(prog="gicnn.record", description="Print a record of claims.")
    parser.add_argument("record", type=Path, help="a claims.json")
    path = parser.parse_args().record
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        parser.error(f"cannot read {path}: {error}; run the workflow, which writes it")
    sys.stdout.reconfigure(errors="replace")
    width = min(100, max(60, shutil.get_terminal_size(fallback=(100, 24)).columns))
    print(to_table(record, width))
    print(_places(record, path.parent), end="")


def _places(record: Record, folder: Path) -> str:
    found = {name: folder / place for name, place in record["places"].items()}
    lines = [f"  {name}: {place}" for name, place in found.items() if place.exists()]
    return "\n".join(["Where to look next", *lines]) + "\n" if lines else ""


if __name__ == "__main__":
    main()
