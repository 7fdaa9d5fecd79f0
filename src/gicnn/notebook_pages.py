"""An executed notebook without traces of the run, and the page made of it."""

import html
from collections.abc import Iterator

import nbformat
from nbconvert import HTMLExporter
from pygments.formatters import HtmlFormatter

__all__ = ["cleaned", "page"]

_STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; }
.anchor-link { display: none; }
img, svg { max-width: 100%; height: auto; }
pre { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; overflow-x: auto; margin: 0; }
.input_area { background: #f6f7f9; border-left: 3px solid #c8ced6; padding: .6rem .9rem;
              margin: .8rem 0; }
.output_subarea { overflow-x: auto; margin: .8rem 0; }
table { border: 0; border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border: 0; border-bottom: 1px solid #e3e6ea; }
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def cleaned(document: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Take out what differs from run to run: times, random cell names, standard error.

    Changes the document that it is given, and returns it.
    """
    document.metadata.pop("papermill", None)
    for number, cell in enumerate(document.cells):
        cell["id"] = f"cell-{number}"
        kept = {"tags": _tags(cell)} if _tags(cell) else {}
        cell["metadata"] = nbformat.from_dict(kept)
        if cell.cell_type == "code":
            cell["outputs"] = list(_shown(cell.outputs))
    return document


def _shown(outputs: list[nbformat.NotebookNode]) -> Iterator[nbformat.NotebookNode]:
    """Outputs but for standard error, where warnings name process numbers and paths."""
    for output in outputs:
        if output.get("name") != "stderr":
            yield output


def page(document: nbformat.NotebookNode, title: str) -> str:
    """The notebook as one HTML page that asks the network for nothing.

    Of the parameters it shows the values that were used, not those they replaced.
    """
    document = document.copy()
    if any("injected-parameters" in _tags(cell) for cell in document.cells):
        document.cells = [cell for cell in document.cells if "parameters" not in _tags(cell)]
    exporter = HTMLExporter(
        template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True
    )
    body, _ = exporter.from_notebook_node(document)
    style = _STYLE + HtmlFormatter().get_style_defs(".highlight")
    return _PAGE.format(title=html.escape(title), style=style, body=body)


def _tags(cell: nbformat.NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])
