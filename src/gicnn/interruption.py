"""An orderly end when a job is told to stop (standard library only)."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

__all__ = ["interrupted_by_sigterm"]


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Leave by an exception when told to stop, so that what was started is ended on the way.

    Outside the main thread, which alone can catch signals, this changes nothing.

    Raises:
        SystemExit: SIGTERM came; the code is 143, as shells report it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
