"""What every test starts from: checked types and shapes, fixed seeds and one thread."""

import os
import random
from pathlib import Path

import jaxtyping
import numpy as np
import pytest
import torch
from hypothesis import settings

# Before anything of the package is imported. Whole numbers may stand for floats, as in Python.
jaxtyping.install_import_hook(
    "gicnn", "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))"
)
torch.set_num_threads(1)
# A busy machine is no failure.
settings.register_profile("unhurried", settings(), deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def _seeds():
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)


@pytest.fixture
def unchecked(monkeypatch):
    """Types and shapes go unchecked, so that the package itself must refuse what is wrong."""
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)


@pytest.fixture(scope="session")
def qm9_wheel():
    """The file with all of QM9."""
    root = Path(__file__).resolve().parents[1]
    for place in ("downloads", "results/raw", "runs/*/results/raw"):
        for path in sorted(root.glob(f"{place}/qm9pack-1.0.3-py3-none-any.whl")):
            return path
    pytest.skip("needs QM9, fetched by any run or put into downloads/")


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    """In CI, which has fetched data, a run and a browser, only a GPU may be missing."""
    session = getattr(terminalreporter, "_session", None)
    if os.environ.get("CI") != "true" or session is None:
        return
    reasons = {str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", [])}
    missing = sorted(reason for reason in reasons if "there is no GPU" not in reason)
    if missing and session.exitstatus == pytest.ExitCode.OK:
        terminalreporter.write_line(f"skipped although this is CI: {'; '.join(missing)}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
