"""Figure 6: the molecules met on a path along one level of their property."""

from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from gicnn.plotting.molecule_drawing import HEIGHT, draw_graph, draw_structure
from gicnn.plotting.molecule_layout import flat_layout, turned_to_face
from gicnn.plotting.style import (
    ACCENT,
    EMPTY,
    INK,
    MINIMUM,
    MUTED,
    PAGE_WIDTH,
    new_figure,
    styled,
)

__all__ = ["draw", "numbers"]

_COLUMNS = [
    "place", "kind", "t", "smiles", "qm9_index", "split", "level", "predicted", "true_y"
]  # fmt: skip
_PER_LINE = 8  # as many as stay readable at page width
_FEWEST = 6  # columns whose room fewer ones get, so that few molecules are not blown up
_LETTERS = 105  # of the legend in a line
_SPLITS = {"train": "trained on", "validation": "validation", "test": "test"}


def numbers(path: pd.DataFrame, molecules: pd.DataFrame, *, most: int) -> pd.DataFrame:
    """Choose each valid graph once, where it first appears, and place its atoms.

    Args:
        path: References and points of the path (kind, t, smiles, valid, qm9_index, split,
            true_y, predicted, level), as the level-set step wrote them.
        molecules: Of those that QM9 has, qm9_index, elements and coordinates (x y z of each atom
            in turn, angstrom).
        most: How many molecules are shown; of more, an even choice with both references.

    Returns:
        One row a molecule, references first and last: place (among all graphs), kind, t, smiles,
        qm9_index (missing where QM9 does not have it), split, level, predicted, true_y, layout
        (x y of each heavy atom of the drawing), stretches (from and to of each part of the path
        that decodes to it), elements and coordinates (as seen, nearest last; empty where there is
        no geometry).

    Raises:
        ValueError: There are not two references.
    """
    ends = path[path["kind"] == "reference"].sort_values("t")
    if len(ends) != 2:
        raise ValueError(f"a path needs two references, got {len(ends)}")
    points = path[path["kind"] == "path"].sort_values("t")
    steps = points[points["valid"]]
    steps = steps[~steps["smiles"].isin(ends["smiles"])].drop_duplicates("smiles")
    table = pd.concat([ends.iloc[:1], steps, ends.iloc[1:]], ignore_index=True)
    table = _evenly(table.assign(place=table.index)[_COLUMNS], most)
    table["stretches"] = [_stretches(points, smiles) for smiles in table["smiles"]]
    table["layout"] = [flat_layout(smiles) for smiles in table["smiles"]]
    return table.join(_structures(table["qm9_index"], molecules))


def _evenly(table: pd.DataFrame, most: int) -> pd.DataFrame:
    places = np.linspace(0, len(table) - 1, min(most, len(table))).round().astype(int)
    return table.iloc[places].reset_index(drop=True)


def _stretches(points: pd.DataFrame, smiles: str) -> list[float]:
    """Where a path of evenly spread points decodes to a graph: from, to, from, to, ...

    Each stretch goes half a step beyond its first and last point.
    """
    here = (points["valid"] & (points["smiles"] == smiles)).to_numpy()
    edges = np.flatnonzero(np.diff(here, prepend=False, append=False))
    return np.clip((edges - 0.5) / max(len(points) - 1, 1), 0, 1).tolist()


def _structures(indices: pd.Series, molecules: pd.DataFrame) -> pd.DataFrame:
    known = molecules.set_index("qm9_index")
    rows = [
        _structure(known.loc[index]) if index in known.index else ([], []) for index in indices
    ]
    return pd.DataFrame(rows, columns=["elements", "coordinates"], index=indices.index)


def _structure(molecule: pd.Series) -> tuple[list[str], list[float]]:
    elements = np.asarray(molecule["elements"])
    positions = np.asarray(molecule["coordinates"], dtype=float).reshape(-1, 3)
    positions = turned_to_face(positions, elements != "H")
    order = np.argsort(positions[:, 2])
    return elements[order].tolist(), positions[order].ravel().tolist()


@styled()
def draw(numbers: pd.DataFrame, *, quantity: str, error: float) -> Figure:
    """Draw structures above graphs, and below them the path with its parts in the labels' colours.

    Labels tell the references, what is off the level and what the model predicts.

    Args:
        numbers: As ``numbers`` gives them.
        quantity: The property with its unit, such as "gap, kcal/mol".
        error: The model's mean error on the test split: a property farther than this from the
            level counts as off it.
    """
    lines = -(-len(numbers) // _PER_LINE)
    columns = -(-len(numbers) // lines)
    side = PAGE_WIDTH / max(columns, _FEWEST)
    heights = [2 * HEIGHT * side + 0.6] * lines + [0.42]
    figure = new_figure(PAGE_WIDTH, sum(heights) + 0.35)
    figure.supxlabel(_legend(numbers, quantity, error), size=7.5, color=MUTED)
    *parts, below = figure.subfigures(lines + 1, 1, height_ratios=heights)
    for line, part in enumerate(parts):
        rows = numbers.iloc[line * columns : (line + 1) * columns]
        _draw_line(part, rows, columns, error)
    _draw_path(below.subplots(), numbers, error)
    return figure


def _draw_line(part: SubFigure, rows: pd.DataFrame, columns: int, error: float) -> None:
    panels = part.subplots(2, columns, gridspec_kw={"wspace": 0, "hspace": 0})
    for axes in panels.flat:
        axes.set_axis_off()
        axes.set_aspect("equal")
    for (above, below), row in zip(panels.T, rows.itertuples(), strict=False):
        if len(row.elements):
            draw_structure(above, row.elements, np.reshape(row.coordinates, (-1, 3)))
        else:
            missing = "not in QM9" if pd.isna(row.qm9_index) else "no geometry\nat hand"
            above.text(0.5, 0.5, missing, color=MUTED, size=7, ha="center", va="center",
                       transform=above.transAxes)  # fmt: skip
        draw_graph(below, row.smiles, np.reshape(row.layout, (-1, 2)))
        _label(below, row, error)


def _draw_path(axes: Axes, numbers: pd.DataFrame, error: float) -> None:
    """A bar from end to end, filled where a point decodes to one of the graphs."""
    for row in numbers.itertuples():
        starts, ends = np.reshape(row.stretches, (-1, 2)).T
        parts = list(zip(starts, ends - starts, strict=True))
        axes.broken_barh(parts, (0, 1), color=_colour(row, error), lw=0)
    edges, count = np.unique(np.concatenate([[], *numbers["stretches"]]), return_counts=True)
    axes.vlines(edges[count > 1], 0, 1, color="white", lw=0.4)  # where one graph follows another
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 0.25, 0.5, 0.75, 1], yticks=[])
    axes.set_facecolor(EMPTY)
    axes.spines["left"].set_visible(False)


def _label(below: Axes, row: tuple, error: float) -> None:
    """Write the true property, what the model predicts, and where the molecule is from."""
    known = np.isfinite(row.true_y)
    text = f"{row.true_y:.1f}" if known else f"({row.predicted:.1f})"
    small = [f"predicted {row.predicted:.1f}" if known else "", _origin(row)]
    place = {
        "xycoords": "axes fraction",
        "textcoords": "offset points",
        "ha": "center",
        "va": "top",
    }
    below.annotate(text, (0.5, 0), (0, -2), color=_colour(row, error), **place)
    below.annotate("\n".join(small), (0.5, 0), (0, -13), color=MUTED, size=7, **place)


def _colour(row: tuple, error: float) -> str:
    if row.kind == "reference":
        return ACCENT
    if not np.isfinite(row.true_y):
        return MUTED
    return INK if abs(row.true_y - row.level) <= error else MINIMUM


def _origin(row: tuple) -> str:
    """The split that a molecule is in, and where on the path it is first met."""
    split = _SPLITS.get(row.split, "")
    return ", ".join(filter(None, (split, f"t = {row.t:.2f}")))


def _legend(numbers: pd.DataFrame, quantity: str, error: float) -> str:
    graphs = numbers["place"].max() + 1
    few = f"{len(numbers)} of {graphs} graphs. " if len(numbers) < graphs else ""
    name, unit = quantity.split(", ", 1)
    colours = {
        ACCENT: "orange: references",
        MINIMUM: f"blue: off the level by more than the model's test error of {error:.1f}",
        MUTED: "in brackets: predicted, for a graph not in QM9",
    }
    used = {_colour(row, error) for row in numbers.itertuples()}
    told = "; ".join(text for colour, text in colours.items() if colour in used)
    labels = f"{few}Level {numbers['level'].iloc[0]:.1f} {unit}. Labels: {name} in QM9; {told}."
    bar = "other graphs or none that is valid" if few else "no valid graph"
    path = f"Bar: where on the path, from t = 0 to 1, each graph is met; pale: {bar}."
    return "\n".join(fill(text, _LETTERS) for text in (labels, path))
