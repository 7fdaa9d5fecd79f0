"""What happens when a signal comes in the middle of work."""

import os
import signal
import threading

import pytest

from gicnn.interruption import interrupted_by_sigterm, postponed_interruption


@pytest.fixture
def caught(monkeypatch):
    """Signals have handlers of their own, also where the tests run in the background."""
    handlers = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        handlers[number] = signal.signal(number, signal.default_int_handler)
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("number", "error"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_work_is_finished_before_it_is_left(caught, number, error):
    done = []
    with postponed_interruption() as interruption:
        os.kill(os.getpid(), number)
        done.append("the rest of a step")
        assert interruption.asked == number
        with pytest.raises(error):
            interruption.leave()
    assert done


def test_the_first_signal_counts(caught):
    with postponed_interruption() as interruption:
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
        assert interruption.asked == signal.SIGTERM


def test_handlers_are_put_back(caught):
    with postponed_interruption(), interrupted_by_sigterm():
        pass
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)


def test_ignored_interrupts_stay_ignored(caught):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with postponed_interruption() as interruption:
        os.kill(os.getpid(), signal.SIGINT)
        assert interruption.asked is None


def test_other_threads_are_never_asked():
    found = []

    def work():
        with postponed_interruption() as interruption, interrupted_by_sigterm():
            found.append(interruption.asked)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [None]


def test_sigterm_ends_by_an_exception(caught):
    with pytest.raises(SystemExit) as left, interrupted_by_sigterm():
        os.kill(os.getpid(), signal.SIGTERM)
    assert left.value.code == 143
