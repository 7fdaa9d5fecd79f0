"""A SLURM cluster of one node, this machine, for as long as a test lasts (standard library only).

No systemd, accounting or database. All but one link lies in a folder of its own.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["ClusterError", "answers", "install", "one_node"]

_PACKAGES = ("slurm-wlm", "munge")
_DAEMONS = ("slurmd", "slurmctld", "munged")  # in the order in which they are stopped
# Jobs run without the variable SLURM_CONF, so only the default place tells them of the cluster.
_DEFAULT_PLACE = Path("/etc/slurm/slurm.conf")
_WORKING = ("idle", "mix", "alloc", "comp")
_PORTS = {"SlurmctldPort": 16817, "SlurmdPort": 16818}
_CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
{ports}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
JobAcctGatherType=jobacct_gather/linux
AccountingStorageType=accounting_storage/none
ReturnToService=2
MinJobAge=300
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class ClusterError(RuntimeError):
    """There is no cluster, and none could be started; the message says why."""


def answers() -> bool:
    """Whether there is a cluster that this machine can send jobs to."""
    if shutil.which("sinfo") is None:
        return False
    found = subprocess.run(
        ["sinfo", "--noheader", "--format=%T"], capture_output=True, text=True, check=False
    )
    return found.returncode == 0 and any(state in found.stdout for state in _WORKING)


def install() -> None:
    """Have Debian's packages, as root.

    Raises:
        ClusterError: They are not there and cannot be installed.
    """
    if all(shutil.which(program) for program in _DAEMONS):
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise ClusterError(
            f"a cluster needs the packages {' and '.join(_PACKAGES)}, and starting one needs "
            "root on Debian; or run this where sinfo shows a cluster"
        )
    subprocess.run(["apt-get", "update", "-qq"], check=False)
    subprocess.run(["apt-get", "install", "-y", "-qq", *_PACKAGES], check=True)


@contextmanager
def one_node(folder: Path) -> Iterator[None]:
    """A cluster whose state and logs lie in ``folder``, which is made anew.

    Raises:
        ClusterError: It does not come up, or another one's configuration is in its place.
    """
    _stop(folder)  # what a killed test has left
    if os.path.lexists(_DEFAULT_PLACE):
        raise ClusterError(
            f"{_DEFAULT_PLACE} is of a cluster that does not answer; start it, or move the file"
        )
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("state", "spool"):
        (folder / part).mkdir(parents=True)
    try:
        _start(folder)
        yield
    finally:
        _stop(folder)


def _start(folder: Path) -> None:
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    munge = {"key-file": key.name, "socket": "munge.socket", "pid-file": "munged.pid"}
    munge |= {"log-file": "munged.log", "seed-file": "munge.seed"}
    options = [f"--{option}={folder / name}" for option, name in munge.items()]
    subprocess.run(["munged", "--force", *options], check=True)  # forced, since root runs it
    conf = folder / "slurm.conf"
    conf.write_text(
        _CONF.format(
            folder=folder,
            host=socket.gethostname().split(".")[0],
            ports="\n".join(f"{name}={port}" for name, port in _PORTS.items()),
            cores=os.cpu_count(),
            memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20 - 512,
        )
    )
    _DEFAULT_PLACE.parent.mkdir(exist_ok=True)
    _DEFAULT_PLACE.symlink_to(conf)
    for command in (["slurmctld", "-c"], ["slurmd"]):
        subprocess.run(command, check=True)
    for _ in range(100):
        if answers():
            return
        time.sleep(0.2)
    raise ClusterError(f"the cluster does not come up; its logs are in {folder}")


def _stop(folder: Path) -> None:
    """End the daemons and take the link away, as far as they are this folder's."""
    for daemon in _DAEMONS:
        number = folder / f"{daemon}.pid"
        try:
            process = int(number.read_text())
            if daemon in Path(f"/proc/{process}/cmdline").read_text():
                os.kill(process, signal.SIGTERM)
        except (OSError, ValueError):  # never started, or gone
            continue
    if _DEFAULT_PLACE.is_symlink() and _DEFAULT_PLACE.readlink() == folder / "slurm.conf":
        _DEFAULT_PLACE.unlink()
