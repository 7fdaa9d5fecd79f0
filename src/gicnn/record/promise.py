"""When two runs must agree to the bit."""

from typing import Any, NamedTuple

from gicnn.record.manifest import FILE, Manifest

__all__ = ["Promise", "on_other_hardware", "promise"]

_PROMISED = "same code, settings, inputs, versions and hardware, which promise the same bits"


class Promise(NamedTuple):
    """Whether two runs must agree to the bit, and why."""

    holds: bool
    reason: str


def promise(first: Manifest | None, second: Manifest | None) -> Promise:
    """Whether all jobs of both runs had the same code, settings, lock, versions and hardware.

    How many threads a job had plays no part.

    Args:
        first: The manifest of a run; None if it has none.
        second: That of the other.
    """
    if not (first and second):
        return Promise(False, f"there is no {FILE} in one of them")
    one, other = _made_under(first), _made_under(second)
    if not one and not other:
        return Promise(False, "there are no jobs")
    odd = sorted(name for name in one.keys() & other.keys() if one[name] != other[name])
    alone = sorted(one.keys() ^ other.keys())
    reasons = []
    if odd:
        kinds = {k: None for name in odd for k in one[name] if one[name][k] != other[name][k]}
        said = f"{len(odd)} of {len(one.keys() & other.keys())} jobs differ in {', '.join(kinds)}"
        reasons.append(f"{said}, such as {', '.join(odd[:3])}")
    if alone:
        reasons.append(f"{len(alone)} jobs are in one run only, such as {', '.join(alone[:3])}")
    return Promise(False, "; ".join(reasons)) if reasons else Promise(True, _PROMISED)


def on_other_hardware(first: Manifest | None, second: Manifest | None) -> bool:
    """Whether both runs say what they ran on, and it was another kind of processor or a GPU."""
    one, other = (_hardware(manifest) for manifest in (first, second))
    return bool(one and other) and one != other


def _hardware(manifest: Manifest | None) -> set[tuple[str, str]]:
    jobs = manifest["jobs"].values() if manifest else ()
    return {(job["machine"]["processor"], job["device"]) for job in jobs}


def _made_under(manifest: Manifest) -> dict[str, dict[str, Any]]:
    """For each job what its bits follow from; what describes a run is left out."""
    return {
        name: {
            "code or settings": job["params"],
            "lock": job["lock"],
            "versions": job["versions"],
            "processor": job["machine"]["processor"],
            "device": job["device"],
            "inputs from outside": [
                (item["path"], item["sha256"]) for item in job["inputs"] if item["of"] != "results"
            ],
        }
        for name, job in manifest["jobs"].items()
        if not job["rule"].startswith("write_")
    }
