"""Two runs in one directory take no harm, and a killed one leaves no lock."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "workflow/exclusive.py"


def start(directory, program):
    command = [sys.executable, SCRIPT, directory, sys.executable, "-c", program]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def running(tmp_path):
    process = start(tmp_path, "print('at work', flush=True); import time; time.sleep(60)")
    assert process.stdout.readline() == "at work\n"
    yield process
    process.kill()
    process.communicate()


def test_second_run_is_refused_with_the_place(tmp_path, running):
    second = start(tmp_path, "print('done')")
    output, message = second.communicate(timeout=30)
    assert second.returncode != 0
    assert output == ""
    assert str(tmp_path) in message


def test_runs_in_other_directories_go_on(tmp_path, running):
    output, _ = start(tmp_path / "other", "print('done')").communicate(timeout=30)
    assert output == "done\n"


def test_killed_run_leaves_no_lock(tmp_path, running):
    running.kill()
    running.wait()
    time.sleep(0.1)
    output, _ = start(tmp_path, "print('done')").communicate(timeout=30)
    assert output == "done\n"


def test_exit_status_is_the_command_s(tmp_path):
    process = start(tmp_path, "import sys; sys.exit(7)")
    process.communicate(timeout=30)
    assert process.returncode == 7


def test_caches_go_into_the_directory(tmp_path):
    program = "import os; print(os.environ['XDG_CACHE_HOME'])"
    output, _ = start(tmp_path, program).communicate(timeout=30)
    assert output == f"{tmp_path / '.cache'}\n"


def test_a_directory_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    process = start(tmp_path / "file", "print('done')")
    output, message = process.communicate(timeout=30)
    assert (process.returncode, output) == (1, "")
    assert f"cannot run in {tmp_path / 'file'}" in message
    assert "RUN=" in message


def test_a_disk_without_locks_is_told_and_used(tmp_path):
    program = (
        "import errno, fcntl, runpy, sys\n"
        "def flock(*_):\n    raise OSError(errno.ENOLCK, 'No locks available')\n"
        "fcntl.flock = flock\n"
        f"sys.argv = ['', {str(tmp_path)!r}, sys.executable, '-c', 'print(1)']\n"
        f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert "no locks" in done.stderr
