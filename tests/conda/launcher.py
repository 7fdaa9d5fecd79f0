"""A Python with Snakemake and what Snakemake needs, and nothing else.

Jobs of Snakemake see, behind the packages of their own environment, all that Snakemake's own Python
sees. From the project's .venv it would lend them every package that their environment lacks.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from installed import closure, find_packages


def build_launcher(folder: Path, venv: Path) -> Path:
    """Make it anew of links to the packages in a virtual environment, and return its Python."""
    shutil.rmtree(folder, ignore_errors=True)
    python = venv / "bin/python"
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    packages = find_packages(venv)
    for name in closure(["snakemake"], packages):
        for top in {Path(file).parts[0] for file in packages[name].files or []}:
            source = Path(os.path.normpath(packages[name].locate_file(top)))
            if top != ".." and source.exists() and not (site / top).exists():
                (site / top).symlink_to(source)
    return folder / "bin/python"


if __name__ == "__main__":
    print(build_launcher(Path(sys.argv[1]), Path(sys.argv[2])))
