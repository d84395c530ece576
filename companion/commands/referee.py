"""`gunbai referee`: the rules for other programs."""

import argparse
import sys

NAME = "referee"
HELP = "answer JSON requests, one a line, for other programs"
DESCRIPTION = """\
Reads one JSON request a line on standard input and writes one JSON answer a line on standard output,
until the input ends. "system" names the rules: "orders" (as without it), "sonae" or "generals"; docs/referee.md has
every request, shown with its answer.

examples:
  echo '{"do": "new", "system": "sonae", "scenario": "maru-shikaku"}' | gunbai referee
  echo '{"do": "new", "board": "sengoku-rivers", "initiative": "red",
         "bonuses": {"sun": "barracks", "moon": "war_room", "star": "shipyard"}}' | tr -d '\\n' | gunbai referee"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(options: argparse.Namespace) -> int:
    """Serve until the input ends; always 0."""
    from engine.referee import serve

    serve(sys.stdin.buffer, sys.stdout)
    return 0
