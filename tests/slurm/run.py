"""The smoke recipe on SLURM, with a training killed on the way, beside a run without SLURM.

Usage: run.py LOCAL_RUN PROFILE, the folder of a finished smoke run of the same commit, and the profile.

Takes the cluster that there is; where there is none, starts one on this machine (root, Debian).
The run's folder is ``runs/slurm``; what it left over from the last time goes.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cluster import ClusterError, answers, install, one_node

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / "runs/slurm"
# One of the longest trainings of the recipe: ten seconds or so, not counting what comes before.
VICTIM = "qm9_gicnn_approximate_seed-0"
COMMENT = "rule_train_model_wildcards_qm9_gicnn_approximate_0"
LOG = RUN / f"results/logs/train_model/{VICTIM}.log"
SECONDS_OF_TRAINING = 2


def main() -> None:
    """Run, kill, wait and compare.

    Raises:
        SystemExit: Something is not as it should be; the message says what.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is ended, too
    local = Path(sys.argv[1]).resolve()
    with _cluster() as options:
        shutil.rmtree(RUN, ignore_errors=True)
        workflow = subprocess.Popen(_command(options), cwd=ROOT)
        try:
            killed = _kill_a_training(workflow)
            if workflow.wait():
                sys.exit("the run on SLURM failed; what went wrong is above")
        finally:
            _end(workflow)
    _check_resumed(killed)
    compared = [sys.executable, "-m", "gicnn.record", "compare"]
    subprocess.run([*compared, RUN / "results", local / "results"], check=True)
    print(f"{RUN} equals {local}, although job {killed} was killed while it trained")


@contextmanager
def _cluster() -> Iterator[list[str]]:
    """Options for the cluster that there is, or for one that is started."""
    if answers():
        print("Using the cluster that is there", flush=True)
        yield []
        return
    try:
        install()
        with one_node(Path(os.environ.get("TMPDIR", "/tmp")) / "gicnn-slurm"):
            print("Started a cluster of one node", flush=True)
            # It has no accounting, which the program sacct would ask.
            yield ["--slurm-status-command", "squeue"]
    except ClusterError as error:
        sys.exit(str(error))


def _command(options: list[str]) -> list[str]:
    recipe = ["--configfile", "workflow/recipes/smoke.yaml", "--config", "recipe=smoke"]
    profile = ["--workflow-profile", sys.argv[2]]
    often = ["--seconds-between-status-checks", "5"]
    often += ["--slurm-init-seconds-before-status-checks", "5"]
    snakemake = [sys.executable, "-m", "snakemake", "--directory", str(RUN), "--nolock"]
    return [*snakemake, *recipe, *profile, *often, *options]


def _end(workflow: subprocess.Popen) -> None:
    """Have it cancel its jobs, as Ctrl-C does."""
    workflow.send_signal(signal.SIGINT)
    try:
        workflow.wait(60)
    except subprocess.TimeoutExpired:
        workflow.kill()


def _kill_a_training(workflow: subprocess.Popen) -> str:
    """Cancel the job of the training once it has made its first steps, and tell its number."""
    while workflow.poll() is None:
        if _begun() and (running := _jobs(COMMENT)):
            time.sleep(SECONDS_OF_TRAINING)
            subprocess.run(["scancel", running[0]], check=True)
            print(f"Cancelled job {running[0]}, which trained {VICTIM}", flush=True)
            return running[0]
        time.sleep(0.2)
    sys.exit(f"the run on SLURM ended before it trained {VICTIM}; what went wrong is above")


def _begun() -> bool:
    return LOG.exists() and "training from step 0 to" in LOG.read_text(encoding="utf-8")


def _jobs(comment: str) -> list[str]:
    """Numbers of the running jobs with this comment."""
    queue = ["squeue", "--me", "--noheader", "--states=RUNNING", "--format=%i %k"]
    lines = subprocess.run(queue, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[0] for line in lines if line.split()[1:] == [comment]]


def _check_resumed(killed: str) -> None:
    log = LOG.read_text(encoding="utf-8")
    if "going on from step" not in log:
        sys.exit(f"after job {killed} was killed, training began anew; {LOG} says:\n{log}")
    print(next(line for line in log.splitlines() if "going on from step" in line))


if __name__ == "__main__":
    main()
