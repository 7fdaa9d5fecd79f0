"""Build .venv from requirements.lock when it is missing, stale or moved (standard library only)."""

import errno
import fcntl
import hashlib
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "envs" / "requirements.lock"
PROJECT = ROOT / "pyproject.toml"
VENV = ROOT / ".venv"
STAMP = VENV / "built-from"
LOCKFILE = ROOT / ".venv.lock"


def fingerprint() -> str:
    """What the environment depends on: the lock, the Python version and where it stands."""
    digests = (hashlib.sha256(path.read_bytes()).hexdigest() for path in (LOCK, PROJECT))
    return f"{' '.join(digests)} {sys.version_info[0]}.{sys.version_info[1]} {ROOT}"


def fits() -> bool:
    """Whether the environment is there and what it depends on is as it was."""
    return STAMP.exists() and STAMP.read_text() == fingerprint()


def pip(*arguments: str) -> None:
    """Run the new environment's own pip; its progress goes to the terminal."""
    command = [VENV / "bin" / "python", "-m", "pip", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait while another process builds the environment of this checkout."""
    with LOCKFILE.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP):
                raise
            print("This disk knows no locks: see that nobody else builds here.", file=sys.stderr)
        yield


def build() -> None:
    """Create the environment anew; the stamp comes last, so a killed build never counts."""
    print(f"Building {VENV} from {LOCK.name} (once; several minutes)", flush=True)
    if VENV.exists():
        shutil.rmtree(VENV)
    venv.create(VENV, with_pip=True)
    pip("install", "--no-deps", "--require-hashes", "-r", str(LOCK))
    pip("install", "--no-deps", "--no-build-isolation", "--quiet", "-e", str(ROOT))
    STAMP.write_text(fingerprint())


def main() -> None:
    """Leave a matching environment alone; otherwise build it or say what is missing."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 14):
        sys.exit(
            f"Python 3.11 to 3.14 is needed, this is {sys.version.split()[0]}. "
            "Name another one: make PYTHON=python3.12 ..."
        )
    try:
        if fits():  # also where another user may not write
            return
        with one_at_a_time():
            if not fits():
                build()
    except (subprocess.CalledProcessError, OSError) as error:
        sys.exit(
            f"The environment could not be built: {error}\nNothing else was changed; run again, or "
            "let the checkout's owner run `make venv`."
        )


if __name__ == "__main__":
    main()
