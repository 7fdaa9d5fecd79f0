"""The benchmark runs, and both ways agree; its numbers are for a quiet machine."""

import re
import sys

from gicnn.levelset import benchmark

SMALL = "--rays 300 --reference-rays 5 --dim 3 --width 16 --depth 2 --threads 1"


def test_both_rates_and_their_ratio_are_printed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["benchmark", *SMALL.split()])
    benchmark.main()
    printed = capsys.readouterr().out

    assert "scipy brentq" in printed
    assert float(re.search(r"ratio: ([\d.]+)", printed)[1]) > 0
    assert "reached: 300" in printed
    assert float(re.search(r"difference of radii: (\S+)", printed)[1]) < 1e-8
