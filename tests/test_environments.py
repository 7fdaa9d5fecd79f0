"""The environment is built once, and again when what it depends on has changed."""

import importlib.util
import re
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOCK = (ROOT / "envs/requirements.lock").read_text()
LOCKED = re.findall(r"^([a-z0-9-]+)==(\S+)", LOCK, re.MULTILINE)


@pytest.fixture
def builder(tmp_path, monkeypatch):
    path = ROOT / "envs/build_venv.py"
    specification = importlib.util.spec_from_file_location("build_venv", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    for name, file in (("LOCK", "lock"), ("PROJECT", "pyproject.toml")):
        (tmp_path / file).write_text("a==1")
        monkeypatch.setattr(module, name, tmp_path / file)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv/built-from")
    monkeypatch.setattr(module, "LOCKFILE", tmp_path / ".venv.lock")
    module.calls = []
    monkeypatch.setattr(module, "pip", lambda *arguments: module.calls.append(arguments))
    monkeypatch.setattr(module.venv, "create", lambda path, with_pip: path.mkdir())
    return module


def test_environment_is_built_once(builder):
    builder.main()
    built = len(builder.calls)
    builder.main()
    assert built > 0
    assert len(builder.calls) == built


@pytest.mark.parametrize("change", ["lock", "project", "place", "killed"])
def test_environment_is_built_again_when_it_no_longer_fits(builder, change, tmp_path, monkeypatch):
    builder.main()
    built = len(builder.calls)
    if change == "lock":
        builder.LOCK.write_text("a==2")
    elif change == "project":
        builder.PROJECT.write_text("other")
    elif change == "place":
        monkeypatch.setattr(builder, "ROOT", tmp_path / "elsewhere")
    else:
        builder.STAMP.unlink()
    builder.main()
    assert len(builder.calls) == 2 * built


def test_an_environment_that_fits_needs_no_right_to_write(builder, tmp_path):
    builder.main()
    (tmp_path / ".venv.lock").unlink()
    builder.main()
    assert not (tmp_path / ".venv.lock").exists()


def test_two_builds_at_once_take_turns(builder):
    order = []

    def slow(*arguments):
        order.append("in")
        time.sleep(0.1)
        order.append("out")

    builder.pip = slow
    builds = [threading.Thread(target=builder.main) for _ in range(2)]
    for build in builds:
        build.start()
    for build in builds:
        build.join()
    assert order == ["in", "out"] * (len(order) // 2)
    assert builder.STAMP.exists()


def test_failed_build_does_not_count(builder, monkeypatch):
    def fail(*arguments):
        raise OSError("no network")

    monkeypatch.setattr(builder, "pip", fail)
    with pytest.raises(SystemExit, match="no network"):
        builder.main()
    assert not builder.STAMP.exists()


def test_old_python_is_told_what_to_do(builder, monkeypatch):
    monkeypatch.setattr(builder.sys, "version_info", (3, 10, 1))
    with pytest.raises(SystemExit, match="make PYTHON="):
        builder.main()


def test_lock_has_hashes_and_no_addresses():
    assert "://" not in LOCK
    assert len(LOCKED) > 100
    assert LOCK.count("--hash=sha256:") >= len(LOCKED)
