"""A strip for each pair of classes, each picture with its angle."""

import numpy as np
import pandas as pd
import pytest

from gicnn.plotting import image_pairs as picture

PAIRS = [(0, 1), (1, 0), (0, 7), (7, 0), (1, 7)]


@pytest.fixture
def pictures():
    rows = [
        {"start_label": start, "end_label": end, "t": t, "read": 30 + 10 * t, "image": image}
        for start, end in PAIRS
        for t, image in zip((0.0, 0.5, 1.0), np.random.default_rng(0).random((3, 36)), strict=True)
    ]
    return pd.DataFrame(rows).sample(frac=1, random_state=0)


def test_pictures_are_sorted_by_pair_and_position(pictures):
    numbers = picture.numbers(pictures)

    assert numbers["t"].tolist() == [0.0, 0.5, 1.0] * 5
    assert numbers["start_label"].tolist() == sorted(pictures["start_label"])
    assert numbers["image"].iloc[0].dtype == np.uint8
    first = pictures.sort_values(["start_label", "end_label", "t"]).iloc[0]
    assert np.abs(numbers["image"].iloc[0] / 255 - first["image"]).max() <= 0.5 / 255 + 1e-12


def test_each_pair_has_its_strip_with_names_and_angles(pictures):
    figure = picture.draw(picture.numbers(pictures))
    strips = [axes for axes in figure.axes if axes.images]
    texts = [[text.get_text() for text in axes.texts] for axes in strips]

    assert len(figure.axes) == 6
    assert len(strips) == 5
    assert strips[0].images[0].get_array().shape == (6, 18)
    assert ["30°", "35°", "40°", "T-shirt to\ntrousers"] in texts
    assert ["30°", "35°", "40°", "trousers to\nsneaker"] in texts


def test_a_picture_without_an_angle_is_marked(pictures):
    pictures.loc[pictures["t"] == 0.5, "read"] = np.nan
    figure = picture.draw(picture.numbers(pictures))
    assert figure.axes[0].texts[1].get_text() == "?"
