"""Other programs are watched, and stopped when they take too long."""

import os
import signal
import subprocess
import sys
import time

import pytest

from gicnn.data import processes
from gicnn.data.processes import ProgramError, run_program


def python(program):
    return [sys.executable, "-c", program]


def eventually(read):
    """What ``read`` gives, once it gives something."""
    stop = time.monotonic() + 20
    while time.monotonic() < stop:
        try:
            if found := read():
                return found
        except FileNotFoundError:
            pass
        time.sleep(0.05)
    raise TimeoutError


def test_a_program_runs_in_its_folder(tmp_path):
    run_program(python("open('made', 'w').write('here')"), tmp_path, 30)

    assert (tmp_path / "made").read_text() == "here"


def test_a_failing_program_is_quoted(tmp_path):
    with pytest.raises(ProgramError, match=r"ended with code 3: first / last"):
        run_program(python("print('first'); print('last'); raise SystemExit(3)"), tmp_path, 30)


def test_a_missing_program_is_named(tmp_path):
    with pytest.raises(ProgramError, match="no-such-program cannot be run"):
        run_program(["no-such-program"], tmp_path, 30)


def test_a_slow_program_is_stopped_with_what_it_started(tmp_path):
    program = (
        "import subprocess, sys, time; "
        "subprocess.Popen([sys.executable, '-c', "
        '\'import time; time.sleep(2); open("late", "w").close()\']); time.sleep(60)'
    )
    start = time.monotonic()

    with pytest.raises(ProgramError, match=r"took over 0\.5 s"):
        run_program(python(program), tmp_path, 0.5)

    assert time.monotonic() - start < 5
    time.sleep(2.5)
    assert not (tmp_path / "late").exists()


def test_a_program_does_not_outlive_a_job_that_is_told_to_stop(tmp_path):
    program = "import os, time; open('alive', 'w').write(str(os.getpid())); time.sleep(60)"
    job = (
        "import sys; from pathlib import Path; from gicnn.data.processes import run_program; "
        f"run_program([sys.executable, '-c', {program!r}], Path.cwd(), 30)"
    )
    running = subprocess.Popen(python(job), cwd=tmp_path)
    number = int(eventually(lambda: (tmp_path / "alive").read_text()))

    running.send_signal(signal.SIGTERM)

    assert running.wait(timeout=10) == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_signals_are_taken_as_before_once_a_program_has_ended(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    run_program(python(""), tmp_path, 30)
    assert signal.getsignal(signal.SIGTERM) is before


def test_progress_is_reported(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(processes, "_REPORT_EVERY", 0.05)
    program = "import time; open('part', 'wb').write(bytes(2_000_000)); time.sleep(0.5)"

    with caplog.at_level("INFO"):
        run_program(python(program), tmp_path, 30)

    assert "2.0 MB so far" in caplog.text
