"""Figure 5: pictures between two references."""

import pytest

from gicnn.plotting import image_path as picture
from gicnn.plotting.save import save


@pytest.fixture
def numbers(image_path):
    return picture.numbers(image_path, pictures=5)


def test_references_are_first_and_last_and_all_angles_are_kept(numbers):
    assert numbers["kind"].tolist() == ["reference", *["path"] * 12, "reference"]
    assert numbers["y_judge"].notna().all()


def test_shown_pictures_are_spread_from_end_to_end_and_others_left_out(numbers):
    shown = numbers.query("shown and kind == 'path'")["step"].tolist()

    assert len(shown) == 5
    assert (shown[0], shown[-1]) == (0, 11)
    assert numbers["image"].notna().tolist() == numbers["shown"].tolist()


def test_a_path_shorter_than_the_strip_is_shown_whole(image_path):
    short = image_path.query("kind == 'reference' or step < 3")
    assert picture.numbers(short, pictures=9)["shown"].all()


@pytest.mark.parametrize("kind", ["reference", "path"])
def test_missing_references_or_steps_are_an_error(image_path, kind):
    with pytest.raises(ValueError, match="a path needs two references"):
        picture.numbers(image_path.query("kind != @kind"), pictures=5)


def test_the_picture_frames_references_and_labels_each_with_the_judged_angle(numbers):
    *strip, curve = picture.draw(numbers).axes
    framed = [axes.spines["top"].get_visible() for axes in strip]
    labels = [axes.get_xlabel() for axes in strip]

    assert framed == [True, *[False] * 5, True]
    assert labels == [f"{angle:.0f}°" for angle in numbers.query("shown")["y_judge"]]
    assert strip[0].get_title() == "pullover"
    assert strip[-1].get_title() == "trousers"
    assert [line.get_label() for line in curve.lines[:3]] == [
        "level",
        "predicted by the model",
        "read by the judge",
    ]


def test_the_angle_axis_is_never_so_narrow_that_small_errors_look_large(numbers):
    low, high = picture.draw(numbers).axes[-1].get_ylim()
    assert low <= 26
    assert high >= 46


def test_a_path_of_nothing_has_its_figure_all_the_same(image_path, tmp_path):
    nothing = image_path["kind"] == "path"
    image_path.loc[nothing, ["y", "y_judge"]] = float("nan")
    images = image_path["image"].where(
        ~nothing, image_path["image"].map(lambda i: [float("nan")] * len(i))
    )
    numbers = picture.numbers(image_path.assign(image=images), pictures=5)
    paths = {form: tmp_path / f"a.{form}" for form in ("svg", "png")}
    save(picture.draw(numbers), numbers, **paths, table=tmp_path / "a.parquet")

    assert paths["png"].stat().st_size > 0
