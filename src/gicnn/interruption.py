"""An orderly end when a job is told to stop (standard library only)."""

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

__all__ = [
    "PostponedInterruption",
    "interrupted_by_sigterm",
    "postponed_interruption",
    "was_interrupted",
]

_INTERRUPTED = threading.Event()


class PostponedInterruption:
    """What has been asked for meanwhile: ``asked`` is None or the signal that came first."""

    def __init__(self) -> None:
        self.asked: int | None = None

    def note(self, number: int, frame: FrameType | None) -> None:
        """Remember the signal."""
        self.asked = self.asked or number

    def leave(self) -> NoReturn:
        """End as the signal would have: by an exception."""
        _INTERRUPTED.set()
        if self.asked == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + (self.asked or 0))


@contextmanager
def postponed_interruption() -> Iterator[PostponedInterruption]:
    """Let work that must not be cut in two look between its steps whether it is to stop.

    Ctrl-C and SIGTERM do no more than set ``asked``, as often as they come; whoever finds it set
    puts things in order and calls ``leave``. Ctrl-C stays ignored where it was. Outside the main
    thread, which alone can catch signals, nothing is ever asked for.
    """
    interruption = PostponedInterruption()
    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        numbers.append(signal.SIGINT)
    with _handled(dict.fromkeys(numbers, interruption.note)):
        yield interruption


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Leave by an exception when told to stop, so that what was started is ended on the way.

    Outside the main thread, which alone can catch signals, this changes nothing.

    Raises:
        SystemExit: SIGTERM came; the code is 143, as shells report it.
    """
    with _handled({signal.SIGTERM: _leave}):
        yield


@contextmanager
def _handled(handlers: Mapping[int, Any]) -> Iterator[None]:
    """Handle signals so, and afterwards as before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def was_interrupted() -> bool:
    """Whether this process is ending, or has ended some work, because it was told to stop."""
    return _INTERRUPTED.is_set()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    _INTERRUPTED.set()
    raise SystemExit(128 + number)
