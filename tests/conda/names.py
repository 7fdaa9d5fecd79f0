"""What packages are called in the pip lock and in conda's channels (standard library only)."""

import re

CONDA_NAMES = {
    "torch": "pytorch",
    "matplotlib": "matplotlib-base",
    "nbconvert": "nbconvert-core",
    "jupyter-client": "jupyter_client",
}
"""conda's name of a package, where it is not that of the lock."""

LOCKED_NAMES = {conda: locked for locked, conda in CONDA_NAMES.items()}


def conda_name(name: str) -> str:
    """What conda calls a package, whatever its spelling: ``Torch`` is ``pytorch``."""
    plain = re.sub(r"[-_.]+", "-", name).lower()
    return CONDA_NAMES.get(plain, plain)


def locked_name(name: str) -> str:
    """What the lock calls a package that an environment file names."""
    return LOCKED_NAMES.get(name, name)
