"""Notebooks run the same everywhere, and say clearly why they cannot."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from gicnn.notebook_pages import cleaned, page
from gicnn.notebooks import NotebookError, execute

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "workflow/notebooks").glob("*.ipynb"))
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def write_notebook(path, *cells, parameters="size = 1\nout = ''", kernel=KERNEL):
    document = nbformat.v4.new_notebook()
    if kernel is not None:
        document.metadata.kernelspec = kernel
    if parameters is not None:
        tagged = nbformat.v4.new_code_cell(parameters, metadata={"tags": ["parameters"]})
        document.cells.append(tagged)
    document.cells += [nbformat.v4.new_code_cell(source) for source in cells]
    nbformat.write(document, path)
    return path


def run(notebook, folder, **options):
    options = {"parameters": {}, "directory": folder, **options}
    execute(notebook, folder / "ran.ipynb", folder / "ran.html", **options)
    return nbformat.read(folder / "ran.ipynb", as_version=4)


def shown(document):
    return "".join(o.text for c in document.cells for o in c.outputs if o.output_type == "stream")


def install_kernel(folder, name, program):
    spec = {"argv": [program], "display_name": "Other", "language": "python"}
    place = folder / "kernels" / name
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps(spec))


def test_two_runs_in_two_folders_give_the_same_bytes(tmp_path, monkeypatch):
    install_kernel(tmp_path / "jupyter", "python3", "/elsewhere/python")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    notebook = write_notebook(
        tmp_path / "n.ipynb",
        "import sys, pathlib\nprint(size, sys.executable == interpreter)",
        "print('aside', file=sys.stderr)\npathlib.Path(out).write_text('made')",
        parameters="size = 1\nout = ''\ninterpreter = ''",
    )
    folders = [tmp_path / "one", tmp_path / "a longer name" / "two"]
    for folder in folders:
        folder.mkdir(parents=True)
        values = {"size": 3, "out": "made.txt", "interpreter": sys.executable}
        document = run(notebook, folder, parameters=values)
        assert (folder / "made.txt").read_text() == "made"
        assert shown(document) == "3 True\n"

    for name in ("ran.ipynb", "ran.html"):
        first, second = ((folder / name).read_text() for folder in folders)
        assert first == second
        assert str(tmp_path) not in first


def test_a_notebook_that_fails_keeps_its_executed_copy_and_leaves_no_results(tmp_path):
    notebook = write_notebook(tmp_path / "n.ipynb", "print('so far')", "1 / 0")
    kept = tmp_path / "logs" / "n.ipynb"

    with pytest.raises(NotebookError, match=r"cell 3: ZeroDivisionError: division by zero"):
        run(notebook, tmp_path, failed=kept)

    assert "so far" in kept.read_text()
    assert "ZeroDivisionError" in kept.read_text()
    assert not (tmp_path / "ran.ipynb").exists()
    assert not (tmp_path / "ran.html").exists()


def test_a_kernel_that_dies_is_named_and_its_copy_kept(tmp_path):
    notebook = write_notebook(tmp_path / "n.ipynb", "import os\nos._exit(1)")

    with pytest.raises(NotebookError, match=r"the kernel of .*n\.ipynb died"):
        run(notebook, tmp_path, failed=tmp_path / "kept.ipynb")

    assert (tmp_path / "kept.ipynb").exists()


def kernels_of(folder):
    """Processes whose command line or environment names the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            if b"ipykernel_launcher" in command and os.fsencode(folder) in command:
                found.append(process.name)
        except OSError:
            continue
    return found


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)
    return condition()


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks for kernels in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_no_kernel(tmp_path_factory, tmp_path, number):
    ready = tmp_path / "ready"
    cell = f"import pathlib, time\npathlib.Path({str(ready)!r}).touch()\ntime.sleep(100)"
    notebook = write_notebook(tmp_path / "n.ipynb", cell)
    short = tmp_path_factory.mktemp("t")
    # A shell's background job ignores Ctrl-C, and what it starts would, too.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from gicnn.notebooks import execute\n"
    code += f"execute({str(notebook)!r}, 'a', 'b', parameters={{}})"
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(short)},
        stderr=subprocess.DEVNULL,
    )
    try:
        assert wait_until(ready.exists)
        assert kernels_of(short)
        child.send_signal(number)
        child.wait(timeout=30)
    finally:
        child.kill()
        child.wait()
    assert wait_until(lambda: not kernels_of(short))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n.ipynb", "ready"]


def test_an_unknown_parameter_is_named_with_those_there_are(tmp_path):
    notebook = write_notebook(tmp_path / "n.ipynb")
    with pytest.raises(NotebookError, match=r"no parameter sise; .* assigns out, size"):
        run(notebook, tmp_path, parameters={"sise": 3})


@pytest.mark.parametrize("cells", [0, 2])
def test_exactly_one_parameters_cell_is_needed(tmp_path, cells):
    notebook = write_notebook(tmp_path / "n.ipynb", parameters=None)
    document = nbformat.read(notebook, as_version=4)
    tags = {"tags": ["parameters"]}
    document.cells = [nbformat.v4.new_code_cell("size = 1", metadata=tags) for _ in range(cells)]
    nbformat.write(document, notebook)

    with pytest.raises(NotebookError, match=rf"has {cells} cells tagged 'parameters'"):
        run(notebook, tmp_path)


def test_a_notebook_without_kernel_is_told_what_to_do(tmp_path):
    notebook = write_notebook(tmp_path / "n.ipynb", kernel=None)
    with pytest.raises(NotebookError, match=r"names no kernel: set metadata\.kernelspec\.name"):
        run(notebook, tmp_path)


def test_a_kernel_that_is_not_installed_is_named_with_the_command_to_install_it(tmp_path):
    notebook = write_notebook(tmp_path / "n.ipynb", kernel={**KERNEL, "name": "nowhere"})
    with pytest.raises(
        NotebookError, match=r"'nowhere', which is not installed.*ipykernel install.*nowhere"
    ):
        run(notebook, tmp_path)


def test_a_kernel_of_another_interpreter_is_refused(tmp_path, monkeypatch):
    install_kernel(tmp_path / "jupyter", "other", "/elsewhere/python")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    notebook = write_notebook(tmp_path / "n.ipynb", kernel={**KERNEL, "name": "other"})

    with pytest.raises(NotebookError, match=r"'other', which is /elsewhere/python"):
        run(notebook, tmp_path)


def test_a_file_that_is_no_notebook_is_named(tmp_path):
    path = tmp_path / "n.ipynb"
    path.write_text("<html>not found</html>")
    with pytest.raises(NotebookError, match=r"n\.ipynb is not a notebook"):
        run(path, tmp_path)


def executed_document():
    cell = nbformat.v4.new_code_cell(
        "draw()",
        execution_count=1,
        metadata={"papermill": {"duration": 3.2, "start_time": "2022-01-01T00:00:00"},
                  "execution": {"iopub.execute_input": "2022-01-01T00:00:00"}, "tags": ["kept"]},
        outputs=[
            nbformat.v4.new_output("stream", name="stderr", text="/tmp/ipykernel_17/3.py: slow"),
            nbformat.v4.new_output("stream", name="stdout", text="done"),
        ],
    )  # fmt: skip
    document = nbformat.v4.new_notebook(cells=[cell])
    document.metadata.papermill = {"end_time": "2022-01-01T00:00:09"}
    return document


def test_cleaning_removes_times_and_standard_error_and_keeps_the_rest():
    text = nbformat.writes(cleaned(executed_document()))

    assert not [word for word in ("2022", "duration", "ipykernel_17") if word in text]
    assert "done" in text
    assert "kept" in text
    assert '"id": "cell-0"' in text


def test_a_page_asks_the_network_for_nothing():
    text = page(cleaned(executed_document()), title="a < b")

    assert "<title>a &lt; b</title>" in text
    assert "http" not in text
    assert "<script" not in text


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(notebook):
    document = nbformat.read(notebook, as_version=4)

    assert document.metadata.kernelspec.name == "python3"
    assert document.cells[0].source.startswith("# Figure ")
    for cell in document.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_there_is_a_notebook_for_each_figure():
    figures = [f"figure_{n}" for n in range(1, 7)] + [
        f"figure_{n}" for n in ("5_pairs", "5_statistics", "6_statistics", "training")
    ]
    assert sorted(path.stem for path in NOTEBOOKS) == sorted(figures)
