"""Run a command while no other one runs in the same directory (standard library only).

Usage: exclusive.py DIRECTORY COMMAND...

Snakemake's own lock outlives a killed run and must then be removed by hand. This one is the
operating system's: it goes when the process goes, however that ends. Caches of the command go
into the directory too, since a home may not be writable.
"""

import errno
import fcntl
import os
import platform
import sys
from pathlib import Path
from typing import NoReturn


def refuse(lock: int, directory: Path) -> NoReturn:
    """Say who is at work there."""
    process, _, machine = os.pread(lock, 300, 0).decode().partition(" ")
    sys.exit(
        f"another run is at work in {directory.resolve()}, process {process or 'unknown'} on "
        f"{machine or 'some machine'}; wait for it or stop it there first (kill {process})"
    )


def main() -> None:
    """Take the lock and become the command."""
    directory, command = Path(sys.argv[1]), sys.argv[2:]
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock = os.open(directory / ".run.lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        sys.exit(
            f"cannot run in {directory.resolve()}: {error}; name a folder of your own, such as "
            "make reproduce RUN=/scratch/me/gicnn"
        )
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        refuse(lock, directory)
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP):
            raise
        print(f"this disk has no locks ({error}): start no second run here", file=sys.stderr)
    os.ftruncate(lock, 0)
    # The command keeps the number.
    os.pwrite(lock, f"{os.getpid()} {platform.node()}".encode(), 0)
    os.environ["XDG_CACHE_HOME"] = str(directory.resolve() / ".cache")
    os.set_inheritable(lock, True)  # held for as long as the command lives
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
