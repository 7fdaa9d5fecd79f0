"""Logging of one job: to its log file and to the terminal, tracebacks included (standard library only)."""

import logging
import sys
import warnings
from pathlib import Path
from types import TracebackType

__all__ = ["log_to"]

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_to(path: str | Path) -> None:
    """Send log records, warnings and the traceback of a crash to a file and to standard error.

    Args:
        path: The log file; it is overwritten and its folder is made.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    handlers = [logging.FileHandler(path, mode="w", encoding="utf-8"), logging.StreamHandler()]
    logging.basicConfig(level=logging.INFO, format=_FORMAT, handlers=handlers, force=True)
    logging.captureWarnings(True)
    warnings.simplefilter("default")
    sys.excepthook = _log_crash


def _log_crash(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    logging.getLogger("gicnn").critical("stopped by %s: %s", kind.__name__, error)
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.FileHandler):
            record = logging.LogRecord(
                "gicnn", logging.ERROR, "", 0, "traceback", None, (kind, error, trace)
            )
            handler.emit(record)
