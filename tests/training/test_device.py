"""Devices that are wished for and those that are there."""

import pytest
import torch

from gicnn.training.device import choose_device, matmul_precision


def test_auto_falls_back_on_the_cpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device("auto").type == "cpu"


def test_missing_gpu_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match=r"'cuda:1' was asked for.*sees 0 GPUs"):
        choose_device("cuda:1")


def test_unknown_device_is_named():
    with pytest.raises(ValueError, match="'tpu'"):
        choose_device("tpu")


def test_matmul_precision_is_set_and_put_back():
    before = torch.get_float32_matmul_precision()
    with matmul_precision("medium"):
        within = torch.get_float32_matmul_precision()
    assert [within, torch.get_float32_matmul_precision()] == ["medium", before]
