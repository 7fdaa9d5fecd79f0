"""Many molecules as graphs, in processes side by side."""

import json
import logging
import subprocess
import sys
from collections import Counter
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
from jaxtyping import UInt8

from gicnn.data.chemistry import UnfitMoleculeError, parse_smiles
from gicnn.data.graphs import GraphCode

__all__ = ["encode_all"]

_log = logging.getLogger(__name__)
_Encoded = tuple[UInt8[np.ndarray, "n size"], list[str], list[str]]


def encode_all(code: GraphCode, smiles: Collection[str], workers: int = 1) -> _Encoded:
    """Write each SMILES as a graph.

    Args:
        code: What graphs have a place for.
        smiles: One text for each molecule.
        workers: Processes that share the work; it changes no result.

    Returns:
        The graphs, zero where there is none; the canonical SMILES, or the given one where
        there is none; and why a molecule has no graph, empty where it has one.

    Example:
        >>> code = GraphCode(["C"], max_atoms=2, ordering="rdkit")
        >>> encode_all(code, ["C(C)", "CO"])[1:]
        (['CC', 'CO'], ['', 'has the element O'])
    """
    smiles = list(smiles)
    graphs, known, reasons = _encode_apart(code, smiles, workers)
    for reason, count in sorted(Counter(filter(None, reasons)).items()):
        _log.warning("left out %d of %d molecules: %s", count, len(smiles), reason)
    return graphs, known, reasons


def _encode_apart(code: GraphCode, smiles: list[str], workers: int) -> _Encoded:
    if workers == 1 or len(smiles) < workers:
        return _encode_part(code, smiles)
    _log.info("writing %d molecules as graphs, in %d processes", len(smiles), workers)
    length = -(-len(smiles) // workers)
    parts = [smiles[start : start + length] for start in range(0, len(smiles), length)]
    with ThreadPoolExecutor(workers) as pool:
        done = list(pool.map(lambda part: _encode_elsewhere(code, part), parts))
    graphs, known, reasons = zip(*done, strict=True)
    return np.concatenate(graphs), list(chain(*known)), list(chain(*reasons))


def _encode_elsewhere(code: GraphCode, smiles: list[str]) -> _Encoded:
    """Encode in a process of its own.

    Not by multiprocessing: it would run the calling script once more in every process.
    """
    command = [sys.executable, "-m", "gicnn.data.encoding"]
    task = json.dumps({"code": code.settings, "smiles": smiles}).encode()
    done = subprocess.run(command, input=task, stdout=subprocess.PIPE, check=True).stdout
    texts, _, graphs = done.partition(b"\n")
    known, reasons = json.loads(texts)
    return np.frombuffer(graphs, dtype=np.uint8).reshape(-1, code.size), known, reasons


def _encode_part(code: GraphCode, smiles: list[str]) -> _Encoded:
    graphs = np.zeros((len(smiles), code.size), dtype=np.uint8)
    fit, choices = [], []
    known, reasons = list(smiles), [""] * len(smiles)
    for row, text in enumerate(smiles):
        try:
            chosen, known[row] = code.choices(parse_smiles(text))
            choices.append(chosen)
            fit.append(row)
        except UnfitMoleculeError as error:
            reasons[row] = str(error)
    graphs[fit] = code.one_hot(choices)
    return graphs, known, reasons


def _serve() -> None:
    """Do one part of the work: read it from standard input, write what came of it."""
    task = json.load(sys.stdin)
    graphs, *texts = _encode_part(GraphCode(**task["code"]), task["smiles"])
    sys.stdout.buffer.write(json.dumps(texts).encode() + b"\n" + graphs.tobytes())


if __name__ == "__main__":
    _serve()
