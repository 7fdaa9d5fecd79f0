"""A small conda for where there is none: just the calls that Snakemake makes, by py-rattler.

Channels are looked for where CONDA_CHANNEL_ALIAS says, as a real conda does, and packages are
kept in CONDA_PKGS_DIRS. Run by the Python of the tools; CONDA_ROOT is the folder of its command.
"""

import argparse
import asyncio
import json
import os
import shlex
import sys
from pathlib import Path

import yaml
from rattler import Channel, ChannelConfig, Platform, VirtualPackage, install, solve

VERSION = "24.7.1"
"""The oldest conda that Snakemake takes."""


def main(arguments: list[str]) -> None:
    """Answer one call."""
    match arguments:
        case ["--version"]:
            print("conda", VERSION)
        case ["info", "--json"]:
            # Snakemake puts it into a line of bash as it is.
            prefix = shlex.quote(os.environ["CONDA_ROOT"])
            place = {"conda_prefix": prefix, "conda_version": VERSION}
            print(json.dumps(place | {"platform": str(Platform.current())}))
        case ["config", "--get", "channel_priority", "--json"]:
            print(json.dumps({"get": {"channel_priority": "strict"}, "success": True}))
        case ["env", "create", *options]:
            create(options)
        case ["clean", *_]:
            pass  # packages are unpacked as they are read, and no archive is kept
        case _:
            sys.exit(f"this stand-in for conda does not know: conda {' '.join(arguments)}")


def create(options: list[str]) -> None:
    """Make an environment from its file."""
    parser = argparse.ArgumentParser(prog="conda env create")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--no-default-packages", action="store_true")
    parser.add_argument("--file", required=True, type=Path)
    parser.add_argument("--prefix", required=True)
    told = parser.parse_args(options)
    content = yaml.safe_load(told.file.read_text(encoding="utf-8"))
    names = [name for name in content["channels"] if name != "nodefaults"]
    asyncio.run(_install(names, content["dependencies"], told.prefix))


async def _install(channels: list[str], specs: list[str], prefix: str) -> None:
    places = ChannelConfig(os.environ["CONDA_CHANNEL_ALIAS"].rstrip("/") + "/")
    records = await solve(
        sources=[Channel(name, places) for name in channels],
        specs=specs,
        platforms=[str(Platform.current()), "noarch"],
        virtual_packages=VirtualPackage.detect(),
    )
    await install(
        records,
        target_prefix=prefix,
        cache_dir=os.environ["CONDA_PKGS_DIRS"],
        show_progress=False,
    )
    print(f"{len(records)} packages in {prefix}")


if __name__ == "__main__":
    main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # threads of py-rattler may crash an interpreter that ends around them
