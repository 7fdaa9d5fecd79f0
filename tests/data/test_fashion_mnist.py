"""Pictures turn the right way, by the right angle, and nothing of them is lost."""

import struct

import jaxtyping
import numpy as np
import pytest
import torch
from torchvision.transforms import InterpolationMode
from torchvision.transforms import functional as reference

from gicnn.data.fashion_mnist import build_fashion_mnist, read_idx, rotate

SETTINGS = {
    "labels": [0, 1, 7],
    "padding": 8,
    "crop": 4,
    "max_degrees": 45.0,
    "train": 20,
    "validation": 6,
    "test": 9,
    "seed": 1,
}


def write_idx(path, array):
    header = struct.pack(f">BBBB{array.ndim}i", 0, 0, 8, array.ndim, *array.shape)
    path.write_bytes(header + array.astype(np.uint8).tobytes())
    return path


@pytest.fixture
def files(tmp_path):
    """Ten pictures of each kind to train with and five to test with: a disc, kind + 1 bright."""
    row, column = np.mgrid[:28, :28] - 13.5
    disc = (row**2 + (column - 3) ** 2 < 80) * 20
    paths = {}
    for part, repeats in (("train", 10), ("test", 5)):
        labels = np.repeat(np.arange(10), repeats)
        images = disc[None] * (labels[:, None, None] + 1)
        paths[f"{part}_images"] = write_idx(tmp_path / f"{part}-images", images)
        paths[f"{part}_labels"] = write_idx(tmp_path / f"{part}-labels", labels)
    return paths


def test_idx_files_are_read_and_truncated_ones_refused(tmp_path):
    array = np.arange(24).reshape(2, 3, 4)
    path = write_idx(tmp_path / "array", array)
    assert (read_idx(path) == array).all()

    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="array is no whole IDX file"):
        read_idx(path)


@pytest.mark.parametrize("content", [b"", b"\0\0\x08", b"<html>", b"\0\0\x08\x03\0\0"])
def test_what_is_no_idx_file_is_refused(tmp_path, content):
    (tmp_path / "array").write_bytes(content)

    with pytest.raises(ValueError, match="no whole IDX file"):
        read_idx(tmp_path / "array")


def test_rotation_equals_that_of_torchvision():
    images = torch.rand(6, 1, 44, 44)
    degrees = torch.tensor([-45.0, -12.3, 0.0, 0.1, 30.0, 45.0])

    each = [
        reference.rotate(image, angle.item(), interpolation=InterpolationMode.BILINEAR)
        for image, angle in zip(images, degrees, strict=True)
    ]

    torch.testing.assert_close(rotate(images, degrees), torch.stack(each), atol=5e-5, rtol=0)


def test_positive_angles_turn_counter_clockwise():
    images = torch.zeros(1, 1, 21, 21)
    images[..., 10, 18] = 1  # to the right of the centre

    turned = rotate(images, torch.tensor([90.0]))

    assert turned[0, 0].argmax() == 2 * 21 + 10  # above the centre


def test_turning_by_zero_changes_nothing():
    images = torch.rand(2, 1, 12, 12)

    torch.testing.assert_close(rotate(images, torch.zeros(2)), images, atol=1e-5, rtol=0)


def test_the_dataset_has_its_shapes_splits_and_labels(files):
    data = build_fashion_mnist(files, **SETTINGS)

    assert data.x.shape == (35, 1, 36, 36)
    assert data.x.dtype == data.y.dtype == torch.float32
    assert 0 <= data.x.min() <= data.x.max() <= 1
    assert [int((data.split == number).sum()) for number in range(3)] == [20, 6, 9]
    assert set(data.extra["label"].tolist()) <= {0, 1, 7}
    assert len(data.index.unique()) == 35
    assert ((data.index >= 100) == (data.split == 2)).all()
    assert data.y.abs().max() <= 45


def test_pictures_keep_their_label_and_their_grey(files):
    data = build_fashion_mnist(files, **SETTINGS)
    labels = torch.from_numpy(
        np.concatenate([read_idx(files["train_labels"]), read_idx(files["test_labels"])])
    )
    images = torch.from_numpy(
        np.concatenate([read_idx(files["train_images"]), read_idx(files["test_images"])])
    )
    before = images[data.index].float().sum((1, 2)) / 255

    assert (labels[data.index] == data.extra["label"]).all()
    torch.testing.assert_close(data.x.sum((1, 2, 3)), before, rtol=5e-3, atol=0)


def test_cutting_more_loses_grey(files):
    """The control: the grey sum does see what is cut off."""
    whole = build_fashion_mnist(files, **SETTINGS)
    cut = build_fashion_mnist(files, **SETTINGS | {"crop": 14})

    assert cut.x.sum() < 0.95 * whole.x.sum()
    assert cut.facts["cut_off"]["pictures"] == len(cut.x)
    assert cut.facts["cut_off"]["largest_share"] > 0.05
    assert whole.facts["cut_off"]["largest_share"] < 1e-3


def test_the_recorded_angle_turns_the_picture_back(files):
    data = build_fashion_mnist(files, **SETTINGS)

    back = rotate(data.x, -data.y) / data.x.amax((1, 2, 3), keepdim=True)
    wrong = rotate(data.x, data.y) / data.x.amax((1, 2, 3), keepdim=True)

    assert back.std(0).mean() < 0.5 * wrong.std(0).mean()


def test_the_same_seed_gives_the_same_and_sizes_do_not_change_angles(files):
    whole = build_fashion_mnist(files, **SETTINGS)
    again = build_fashion_mnist(files, **SETTINGS)
    small = build_fashion_mnist(files, **SETTINGS | {"train": 3})
    shared = torch.isin(whole.index, small.index)

    assert all(torch.equal(whole.tensors[name], again.tensors[name]) for name in whole.tensors)
    assert torch.equal(whole.y[shared], small.y)
    assert torch.equal(whole.split[shared], small.split)


def test_another_seed_gives_other_angles(files):
    first = build_fashion_mnist(files, **SETTINGS)
    second = build_fashion_mnist(files, **SETTINGS | {"seed": 2})

    assert not torch.equal(first.y, second.y)


def test_asking_for_more_pictures_than_there_are_is_refused(files):
    with pytest.raises(ValueError, match="31 in all, from 30 samples"):
        build_fashion_mnist(files, **SETTINGS | {"train": 25})


def test_shapes_are_checked_while_tests_run():
    with pytest.raises(jaxtyping.TypeCheckError, match="degrees"):
        rotate(torch.zeros(2, 1, 4, 4), torch.zeros(3))
