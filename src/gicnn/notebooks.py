"""Run a notebook so that two runs give the same bytes, and say clearly when it cannot be run."""

import ast
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import papermill
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from nbclient.exceptions import DeadKernelError
from nbconvert.filters import strip_ansi
from papermill.exceptions import PapermillExecutionError
from traitlets.config import Config

from gicnn.files import write_atomically
from gicnn.interruption import interrupted_by_sigterm
from gicnn.notebook_kernel import KERNEL, private_folder
from gicnn.notebook_pages import cleaned, page

__all__ = ["NotebookError", "execute"]

_log = logging.getLogger(__name__)


class NotebookError(RuntimeError):
    """A notebook that cannot be run, or that stopped at an error."""


def execute(
    notebook: str | Path,
    executed: str | Path,
    html: str | Path,
    *,
    parameters: Mapping[str, Any],
    directory: str | Path = ".",
    failed: str | Path | None = None,
) -> None:
    """Run a notebook on this interpreter and write it, executed, as a notebook and as a page.

    Neither file holds times, paths of this machine or random names, so two runs on the same
    inputs give the same bytes. What cells write to standard error goes to the log.

    Args:
        notebook: The notebook; its cell tagged ``parameters`` names what may be set.
        executed: Where the executed notebook goes.
        html: Where its self-contained page goes.
        parameters: Values for names in the ``parameters`` cell.
        directory: The folder in which the cells run.
        failed: Where the executed copy of a notebook that stops at an error is kept.

    Raises:
        NotebookError: The file is not a notebook; it names no kernel, or one that is not
            installed or is not this interpreter; it lacks a parameter or the whole cell; a cell
            raised; the kernel died.
    """
    notebook = Path(notebook)
    source = _read(notebook)
    _check_parameters(notebook, source, parameters)
    with private_folder() as folder, interrupted_by_sigterm():
        _check_kernel(notebook, source)
        document = _run(notebook, folder, parameters, directory, failed)
    _write(executed, nbformat.writes(document) + "\n")
    _write(html, page(document, title=notebook.stem))
    if failed is not None:
        Path(failed).unlink(missing_ok=True)


def _read(notebook: Path) -> nbformat.NotebookNode:
    try:
        return nbformat.reads(notebook.read_text(encoding="utf-8"), as_version=4)
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, AttributeError) as error:
        raise NotebookError(f"{notebook} is not a notebook: {str(error)[:200]}") from error


def _check_parameters(
    notebook: Path, source: nbformat.NotebookNode, parameters: Mapping[str, Any]
) -> None:
    cells = [c for c in source.cells if "parameters" in c.metadata.get("tags", [])]
    if len(cells) != 1:
        raise NotebookError(
            f"{notebook} has {len(cells)} cells tagged 'parameters' and needs exactly one: "
            "tag the cell that assigns its inputs and outputs"
        )
    known = _assigned(cells[0].source)
    unknown = sorted(set(parameters) - set(known))
    if unknown:
        raise NotebookError(
            f"{notebook} has no parameter {', '.join(unknown)}; "
            f"its parameters cell assigns {', '.join(known) or 'nothing'}"
        )


def _assigned(code: str) -> list[str]:
    names = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name)]
    return sorted({name.id for name in names if isinstance(name.ctx, ast.Store)})


def _check_kernel(notebook: Path, source: nbformat.NotebookNode) -> None:
    name = source.metadata.get("kernelspec", {}).get("name")
    if not name:
        raise NotebookError(
            f"{notebook} names no kernel: set metadata.kernelspec.name to {KERNEL!r}, "
            "or open it in Jupyter, choose a Python 3 kernel and save"
        )
    install = f"{sys.executable} -m ipykernel install --sys-prefix --name {name}"
    try:
        program = KernelSpecManager().get_kernel_spec(name).argv[0]
    except NoSuchKernel:
        raise NotebookError(
            f"{notebook} asks for the kernel {name!r}, which is not installed: "
            f"choose {KERNEL!r} in the notebook, or run: {install}"
        ) from None
    if program != sys.executable:
        raise NotebookError(
            f"{notebook} asks for the kernel {name!r}, which is {program} and not this "
            f"interpreter: choose {KERNEL!r} in the notebook, or run: {install}"
        )


def _run(
    notebook: Path,
    folder: Path,
    parameters: Mapping[str, Any],
    directory: str | Path,
    failed: str | Path | None,
) -> nbformat.NotebookNode:
    running = folder / "executed.ipynb"
    kernel = {"transport": "ipc", "connection_file": str(folder / "k.json")}
    _log.info("running %s", notebook)
    logging.getLogger("papermill").setLevel(logging.WARNING)  # what cells write to stderr
    try:
        papermill.execute_notebook(
            notebook,
            running,
            parameters=dict(parameters),
            cwd=directory,
            progress_bar=False,
            log_output=True,
            shutdown_kernel="immediate",
            config=Config({"KernelManager": kernel}),
        )
    except PapermillExecutionError as error:
        _keep(running, failed)
        raise NotebookError(_cell_message(notebook, error, failed)) from None
    except DeadKernelError:
        _keep(running, failed)
        raise NotebookError(
            f"the kernel of {notebook} died, most often for want of memory{_where(failed)}"
        ) from None
    return cleaned(nbformat.read(running, as_version=4))


def _cell_message(
    notebook: Path, error: PapermillExecutionError, failed: str | Path | None
) -> str:
    trace = strip_ansi("\n".join(error.traceback))
    cell = f"{notebook} stopped in cell {error.exec_count}: {error.ename}: {error.evalue}"
    return f"{cell}{_where(failed)}\n{trace}"


def _where(failed: str | Path | None) -> str:
    return "" if failed is None else f"; the executed copy is {failed}"


def _keep(running: Path, failed: str | Path | None) -> None:
    if failed is not None and running.exists():
        _write(failed, running.read_text(encoding="utf-8"))


def _write(path: str | Path, text: str) -> None:
    with write_atomically(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
