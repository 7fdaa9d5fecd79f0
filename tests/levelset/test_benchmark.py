"""The benchmark runs, and all ways agree; its numbers are for a quiet machine."""

import re
import sys

from gicnn.levelset import benchmark

SMALL = "--rays 300 --reference-rays 5 --dim 3 --width 16 --depth 2 --threads 1"


def test_rates_and_their_ratios_are_printed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["benchmark", *SMALL.split()])
    benchmark.main()
    printed = capsys.readouterr().out

    assert "scipy brentq" in printed
    assert len(re.findall(r"ratio: [\d.]+", printed)) == 2
    assert max(map(float, re.findall(r"\|level\|\): ([\d.]+)", printed))) <= 1
    assert printed.count("reached: 300") == 2
    assert max(map(float, re.findall(r"difference of radii: (\S+)", printed))) < 1e-8
