"""Devices that are wished for and those that are there."""

import os

import pytest
import torch

from gicnn.training import device
from gicnn.training.device import (
    choose_device,
    compute_on,
    deterministic,
    is_shortage,
    products,
    take_faster_kernels,
)


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


CPU = torch.device("cpu")


def able(monkeypatch, *instructions, maker="Intel"):
    abilities = dict.fromkeys(instructions, True) | {"cpu_name": f"{maker} 9000"}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: abilities)


@pytest.mark.parametrize("instructions", ["avx512_bf16", "amx_bf16"])
def test_products_are_of_bfloat16_where_the_cpu_has_it(instructions, monkeypatch):
    able(monkeypatch, "avx2", instructions)
    with products("bfloat16", CPU):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.bfloat16
    with products("float32", CPU):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32
    assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32


def test_products_are_of_float32_where_the_cpu_has_no_other(monkeypatch):
    able(monkeypatch, "avx2", "avx512_f")
    with products("bfloat16", CPU):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32


@pytest.mark.parametrize(
    ("maker", "wished", "got"),
    [("AMD", None, "avx2"), ("AMD", "default", "default"), ("Intel", None, None)],
)
def test_amd_takes_avx2_unless_told_otherwise(maker, wished, got, monkeypatch):
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", wished or "")
    if wished is None:
        monkeypatch.delenv("ATEN_CPU_CAPABILITY")
    able(monkeypatch, "avx2", maker=maker)
    take_faster_kernels()
    assert os.environ.get("ATEN_CPU_CAPABILITY") == got


@pytest.fixture
def small_gpu(monkeypatch):
    """A GPU that torch finds usable, with 5 MB left."""
    monkeypatch.setattr(device, "choose_device", lambda wish: torch.device("cuda"))
    monkeypatch.setattr(device, "describe_device", lambda place: "Tiny 3000")
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda place: (5_000_000, 2_000_000_000))
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)


def greedy(place):
    if place.type == "cuda":
        raise torch.OutOfMemoryError("tried to allocate 8 GB")
    return place.type


def test_auto_goes_on_with_the_cpu_where_the_gpu_is_too_small(small_gpu, caplog):
    assert compute_on("auto", greedy) == "cpu"
    assert "Tiny 3000 has too little memory for this: 5 MB of 2000 MB are free" in caplog.text


def test_a_named_gpu_that_is_too_small_is_an_error(small_gpu):
    with pytest.raises(RuntimeError, match=r"5 MB of 2000 MB are free.*set device to 'cpu'"):
        compute_on("cuda", greedy)


def test_other_errors_are_not_taken_for_want_of_memory(small_gpu):
    with pytest.raises(ZeroDivisionError):
        compute_on("auto", lambda place: 1 / 0)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`"),
        RuntimeError("CUDA error: out of memory\nCUDA kernel errors might be"),
    ],
)
def test_every_library_s_word_for_too_little_memory_is_known(error):
    assert is_shortage(error)
    assert not is_shortage(RuntimeError("CUDA error: invalid argument"))


@pytest.fixture
def old_gpu(monkeypatch):
    """A GPU for which this torch has no kernels."""

    def refuse(*shape, device):
        raise RuntimeError("CUDA error: no kernel image is available\nCUDA kernel errors might")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda place: "Ancient 100")
    monkeypatch.setattr(torch, "ones", refuse)


def test_auto_passes_over_a_gpu_that_cannot_be_used(old_gpu, caplog):
    with caplog.at_level("INFO"):
        assert choose_device("auto").type == "cpu"
    assert "Ancient 100 cannot be used: CUDA error: no kernel image" in caplog.text


def test_a_named_gpu_that_cannot_be_used_is_an_error(old_gpu):
    with pytest.raises(ValueError, match="'cuda' was asked for, but Ancient 100 cannot be used"):
        choose_device("cuda")


def test_deterministic_algorithms_are_for_gpus_and_put_back(monkeypatch):
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    seen = []
    for kind in ("cpu", "cuda"):
        with deterministic(torch.device(kind)):
            seen.append(torch.are_deterministic_algorithms_enabled())
            assert not torch.backends.cudnn.allow_tf32
    assert [*seen, torch.are_deterministic_algorithms_enabled()] == [False, True, False]


def test_a_gpu_multiplies_in_float32():
    with products("bfloat16", torch.device("cuda")):
        assert not any(map(torch.is_autocast_enabled, ("cpu", "cuda")))
