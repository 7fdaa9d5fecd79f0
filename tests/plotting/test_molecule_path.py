"""Figure 6: each valid graph once, with its geometry where QM9 has one."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Circle

from gicnn.plotting import molecule_path as picture
from gicnn.plotting.style import ACCENT, INK, MINIMUM, MUTED


@pytest.fixture
def numbers(molecule_path, molecules):
    return picture.numbers(molecule_path, molecules, most=24)


def test_each_valid_graph_is_there_once_in_the_order_of_its_first_step(numbers):
    assert numbers["qm9_index"].tolist() == [100, 101, 102, pd.NA, 103, 104]
    assert numbers["kind"].tolist() == ["reference", *["path"] * 4, "reference"]
    assert numbers["smiles"].is_unique


def test_structures_are_those_of_the_molecule_table(numbers, molecules):
    for row in numbers.dropna(subset="qm9_index").itertuples():
        known = molecules.set_index("qm9_index").loc[row.qm9_index]
        assert sorted(row.elements) == sorted(known["elements"])
        assert len(row.coordinates) == 3 * len(row.elements)
    assert numbers[numbers["qm9_index"].isna()]["elements"].tolist() == [[]]


def test_nearer_atoms_come_last(numbers):
    depths = np.reshape(numbers["coordinates"].iloc[0], (-1, 3))[:, 2]
    assert (np.diff(depths) >= 0).all()


def test_two_references_are_needed(molecule_path, molecules):
    with pytest.raises(ValueError, match="two references, got 0"):
        picture.numbers(molecule_path.query("kind == 'path'"), molecules, most=24)


def test_labels_are_true_gaps_or_predictions_in_brackets(numbers):
    panels = draw_line(numbers)
    labels = [axes.texts[-2].get_text() for axes in panels[6:]]

    assert labels == ["130.0", "131.0", "132.0", "(137.7)", "133.0", "134.0"]


def test_labels_tell_references_and_what_is_off_the_level(numbers):
    colours = [axes.texts[-2].get_color() for axes in draw_line(numbers.assign(level=131.0))[6:]]

    assert colours[0] == colours[-1] == ACCENT
    assert colours[1:3] == [INK, INK]  # 0 and 1 away, of 4
    assert colours[3] == MUTED  # not in QM9
    far = [axes.texts[-2].get_color() for axes in draw_line(numbers.assign(level=120.0))[6:]]
    assert far[1:3] == [MINIMUM, MINIMUM]


def test_labels_say_which_split_a_molecule_is_in(numbers):
    labels = [axes.texts[-1].get_text() for axes in draw_line(numbers)[6:]]

    origins = [label.rpartition("\n")[2] for label in labels]
    splits = [origin.rpartition("t = ")[0].rstrip(", ") for origin in origins]

    assert splits == ["test", "trained on", "trained on", "", "trained on", "test"]
    assert origins[0] == "test, t = 0.00"
    assert origins[-1] == "test, t = 1.00"


def test_what_the_model_predicts_stands_below_what_is_true(numbers):
    labels = [axes.texts[-1].get_text() for axes in draw_line(numbers)[6:]]
    told = [label.partition("\n")[0] for label in labels]

    known = numbers["true_y"].notna()
    expected = [f"predicted {value:.1f}" for value in numbers["predicted"]]
    assert told == list(np.where(known, expected, ""))


def bar(path, molecules):
    """Where the bar is filled, as intervals of t, and its axes."""
    numbers = picture.numbers(path, molecules, most=24)
    axes = picture.draw(numbers, quantity="gap, kcal/mol", error=4.0).axes[-1]
    shapes = [shape for one in axes.collections for shape in one.get_paths()]
    return [shape.get_extents().intervalx for shape in shapes if len(shape) > 2], axes


def test_the_bar_is_filled_where_the_path_decodes_to_a_graph(molecule_path, molecules):
    points = molecule_path[molecule_path["kind"] == "path"].sort_values("t")
    parts, _ = bar(molecule_path, molecules)
    filled = [any(low <= t <= high for low, high in parts) for t in points["t"]]

    assert filled == points["valid"].tolist()
    assert not all(filled)


def test_a_graph_met_twice_has_two_parts_and_one_met_never_none(molecule_path, molecules):
    ends = molecule_path[molecule_path["kind"] == "reference"]
    point = molecule_path[molecule_path["kind"] == "path"].query("valid").iloc[:1]
    steps = pd.concat([point] * 5).assign(t=np.linspace(0, 1, 5), valid=[1, 0, 1, 1, 0])
    path = pd.concat([ends, steps.astype({"valid": bool})]).reset_index(drop=True)
    met = picture.numbers(path, molecules, most=24).set_index("smiles")["stretches"]

    assert met[point["smiles"].item()] == [0, 0.125, 0.375, 0.875]
    assert met[ends["smiles"].iloc[1]] == []


def test_one_point_of_many_is_seen_in_the_bar(molecule_path, molecules):
    ends = molecule_path[molecule_path["kind"] == "reference"]
    point = molecule_path[molecule_path["kind"] == "path"].query("valid").iloc[2:3]
    steps = pd.concat([point] * 500).assign(t=np.linspace(0, 1, 500), valid=False)
    steps.iloc[250, steps.columns.get_loc("valid")] = True
    path = pd.concat([ends, steps]).reset_index(drop=True)
    numbers = picture.numbers(path, molecules, most=24)
    figure = picture.draw(numbers, quantity="gap, kcal/mol", error=4.0)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    box = figure.axes[-1].get_window_extent()
    pixels = np.asarray(canvas.buffer_rgba())
    row = pixels[pixels.shape[0] - round(box.y0 + box.height / 2), round(box.x0) : round(box.x1)]
    assert (row[:, :3].min(axis=1) < 150).any()


def test_the_legend_explains_what_is_there_and_nothing_else(numbers):
    text = picture.draw(numbers, quantity="gap, kcal/mol", error=4.0).get_supxlabel()
    known = picture.draw(
        numbers.dropna(subset="true_y"), quantity="gap, kcal/mol", error=99.0
    ).get_supxlabel()

    assert "orange" in text
    assert "brackets" in text
    assert "brackets" not in known
    assert "blue" not in known


def test_a_molecule_of_qm9_without_a_geometry_at_hand_is_not_called_unknown(
    molecule_path, molecules
):
    numbers = picture.numbers(molecule_path, molecules.iloc[[0, 1, 2, 4]], most=24)

    assert draw_line(numbers)[4].texts[0].get_text() == "no geometry\nat hand"


def test_a_graph_that_qm9_lacks_has_no_structure(numbers):
    above = draw_line(numbers)[:6]
    balls = [sum(isinstance(patch, Circle) for patch in axes.patches) for axes in above]

    assert [count // 2 for count in balls] == [len(row) for row in numbers["elements"]]
    assert above[3].texts[0].get_text() == "not in QM9"


def draw_line(numbers):
    """The axes of the molecules, without the bar below them."""
    return picture.draw(numbers, quantity="gap, kcal/mol", error=4.0).axes[:-1]


def test_many_molecules_fill_lines_evenly(numbers):
    many = numbers.loc[[*range(6), *range(4)]].reset_index(drop=True)
    assert len(draw_line(many)) == 2 * 2 * 5


def test_of_too_many_graphs_an_even_choice_is_shown_and_said(molecule_path, molecules):
    numbers = picture.numbers(molecule_path, molecules, most=4)

    assert numbers["place"].tolist() == [0, 2, 3, 5]
    assert legend(numbers).startswith("4 of 6 graphs. Level 138.0 kcal/mol. Labels: gap in QM9")


def test_when_all_graphs_are_shown_nothing_is_said(numbers):
    assert legend(numbers).startswith("Level 138.0 kcal/mol. Labels: gap in QM9")


def legend(numbers):
    return picture.draw(numbers, quantity="gap, kcal/mol", error=4.0).get_supxlabel()


def test_a_path_of_nothing_shows_the_references(molecule_path, molecules):
    nothing = molecule_path.assign(valid=molecule_path["kind"] == "reference")
    numbers = picture.numbers(nothing, molecules, most=24)

    assert numbers["kind"].tolist() == ["reference"] * 2
    assert len(draw_line(numbers)) == 4
