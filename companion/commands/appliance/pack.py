"""`gunbai pack`: this tree and its packages as one file, for machines without network."""

import argparse

from companion.commands.parsing import InputFile, OutputFile
from companion.core.language import _, plural
from engine.words import mark

NAME = "pack"
HELP = mark("pack this tree and its packages into one file, for an update without network")
DESCRIPTION = mark("""\
Writes one file with the committed program and every package it needs, each with its check value, for `gunbai update`
on a machine without network. Packing needs the network, to download the packages.

examples:
  gunbai pack -o gunbai-0.3.0.update
  gunbai pack -o small.update --for "aarch64 3.13"       for Raspberry Pi OS 13 only
  gunbai pack -o signed.update --sign ~/.ssh/id_ed25519  see docs/appliance.md, Signed updates""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add -o FILE [--for "PROCESSOR PYTHON"]... [--sign KEY]."""
    parser.add_argument("-o", "--output", type=OutputFile, metavar="FILE", required=True, help=_("the file to write"))
    parser.add_argument(
        "--for",
        dest="runs_on",
        action="append",
        metavar='"PROCESSOR PYTHON"',
        help=_("where it will run; may be repeated (default: aarch64 and x86_64, Python 3.11 and 3.13)"),
    )
    parser.add_argument("--sign", type=InputFile, metavar="KEY", help=_("sign it with this private OpenSSH key"))


def run(options: argparse.Namespace) -> int:
    """Write the update, and return 0."""
    from pathlib import Path

    from companion.appliance.host import Host
    from companion.appliance.layout import Layout
    from companion.appliance.packing import RUNS_ON, pack
    from companion.appliance.running import ROOT

    key = Path(options.sign) if options.sign else None
    packed = pack(ROOT, Path(options.output), options.runs_on or RUNS_ON, Host(Layout()), key)
    facts = {"place": options.output, "release": packed.release, "size": packed.size // 1_000_000}
    told = plural(
        "{place}: Gunbai {release}, {n} package, {size} MB",
        "{place}: Gunbai {release}, {n} packages, {size} MB",
        packed.packages,
        **facts,
    )
    print(told)
    return 0
