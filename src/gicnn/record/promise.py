"""When two runs must agree to the bit."""

from pathlib import Path
from typing import Any, NamedTuple

from gicnn.record.manifest import FILE, load_manifest

__all__ = ["Promise", "other_processors", "promise"]

_PROMISED = "same code, settings, versions and processor, which promise the same bits"


class Promise(NamedTuple):
    """Whether two runs must agree to the bit, and why."""

    holds: bool
    reason: str


def promise(first: str | Path, second: str | Path) -> Promise:
    """Whether the jobs of both runs had the same code, settings, lock, versions and processor.

    Args:
        first: A folder of results, or a record of one.
        second: Another.

    Raises:
        ValueError: A manifest cannot be read.
    """
    roots = [Path(first), Path(second)]
    lacking = [str(root) for root in roots if not (root / FILE).is_file()]
    if lacking:
        return Promise(False, f"no {FILE} in {' and '.join(lacking)}")
    one, other = (_made_under(root) for root in roots)
    odd = sorted(name for name in {**one, **other} if one.get(name) != other.get(name))
    if odd or not one:
        reason = f"of {len({**one, **other})} jobs {len(odd)} differ in code, settings, versions"
        return Promise(False, f"{reason} or processor, such as {', '.join(odd[:3])}")
    return Promise(True, _PROMISED)


def other_processors(first: str | Path, second: str | Path) -> bool:
    """Whether both runs say what they ran on, and it was not the same kind of processor."""
    one, other = (_processors(Path(root)) for root in (first, second))
    return bool(one and other) and one != other


def _processors(root: Path) -> set[str]:
    if not (root / FILE).is_file():
        return set()
    return {job["machine"]["processor"] for job in load_manifest(root)["jobs"].values()}


def _made_under(root: Path) -> dict[str, tuple[Any, ...]]:
    """For each job what its bits follow from, its inputs aside; what describes a run is left out."""
    return {
        name: (
            job["params"],
            job["lock"],
            job["versions"],
            job["machine"]["processor"],
            job["device"],
            job["threads"],
        )
        for name, job in load_manifest(root)["jobs"].items()
        if not job["rule"].startswith("write_")
    }
