"""`gunbai referee`: the rules for other programs."""

import argparse
import sys

from engine.words import mark

NAME = "referee"
HELP = mark("answer JSON requests, one per line, for other programs")
DESCRIPTION = mark("""\
Reads one JSON request per line on standard input and writes one JSON answer per line on standard output, until the
input ends. "system" names the rules: "orders" (the default), "sonae" or "generals". docs/referee.md shows every request
with its answer.

examples:
  echo '{"do": "new", "system": "sonae", "scenario": "maru-shikaku"}' | gunbai referee
  echo '{"do": "new", "board": "sengoku-rivers", "initiative": "red",
         "bonuses": {"sun": "barracks", "moon": "war_room", "star": "shipyard"}}' | tr -d '\\n' | gunbai referee""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing, as the referee takes no arguments."""


def run(options: argparse.Namespace) -> int:
    """Serve until the input ends; always 0."""
    from engine.referee import serve

    serve(sys.stdin.buffer, sys.stdout)
    return 0
