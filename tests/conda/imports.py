"""Import modules one by one, and tell as JSON which cannot be, and why (standard library only).

Usage: imports.py MODULE..., by the Python of the environment that is asked about.
"""

import contextlib
import importlib
import json
import sys


def failures(names: list[str]) -> dict[str, str]:
    """Why each of these modules that cannot be imported cannot."""
    found = {}
    for name in names:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                importlib.import_module(name)
        except ImportError as error:
            found[name] = f"{type(error).__name__}: {error}"
    return found


if __name__ == "__main__":
    print(json.dumps(failures(sys.argv[1:])))
