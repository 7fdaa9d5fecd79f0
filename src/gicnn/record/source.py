"""The program that made a run, packed so that the run can be read without the repository."""

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from gicnn.files import write_atomically

__all__ = ["pack_source"]

_PARTS = ("Snakefile", "config.yaml", "workflow", "src", "envs")
_PARTS += ("Makefile", "pyproject.toml", "README.md", "LICENSE", "CITATION.cff", "codecheck.yml")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP can hold


def pack_source(
    repository: str | Path, archive: str | Path, parts: Sequence[str] = _PARTS
) -> None:
    """Pack the workflow and the package; the same files give the same bytes.

    Args:
        repository: The checkout.
        archive: The ZIP file to write.
        parts: Files and folders of the checkout; those that are not there are left out.
    """
    repository = Path(repository)
    with write_atomically(archive) as temporary, zipfile.ZipFile(temporary, "w") as packed:
        for path in _files(repository, parts):
            entry = zipfile.ZipInfo(path.relative_to(repository).as_posix(), _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes())


def _files(repository: Path, parts: Sequence[str]) -> Iterator[Path]:
    for part in parts:
        whole = repository / part
        paths = [whole] if whole.is_file() else sorted(whole.rglob("*"))
        for path in paths:
            hidden = any(name.startswith(".") for name in path.relative_to(repository).parts)
            if path.is_file() and not hidden and "__pycache__" not in path.parts:
                yield path
