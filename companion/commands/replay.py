"""`gunbai replay`: a saved game, step by step."""

import argparse
import json

NAME = "replay"
HELP = "go through a saved game, step by step"
DESCRIPTION = """\
Plays a saved game again and prints what happened at each step. A game that was cut off is played up to its
last whole step, and the command says so. Where the rules refuse a step, it stops there: exit status 1. A game of any
system will do.

example:
  gunbai replay game.jsonl"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """GAME [--json]."""
    parser.add_argument("game", metavar="GAME", help="a saved game (JSON lines)")
    parser.add_argument("--json", action="store_true", help="only the last position, as JSON")


def run(options: argparse.Namespace) -> int:
    """0, or 1 where the rules refuse a step."""
    from pathlib import Path

    from companion.games.journal import read_game
    from companion.games.match import remark
    from companion.terminal import reports
    from companion.text.columns import ruling_text

    journal = read_game(Path(options.game))
    if options.json:
        print(json.dumps(journal.system.written(journal.last), ensure_ascii=False))
    else:
        print(reports.any_game_text(journal))
    said, fault = remark(journal), journal.fault
    reports.notice(f"{options.game}: {said}" if said else None)
    if fault is None or fault.ruling is None:
        return 0
    if not options.json:
        print(ruling_text(fault.ruling))
    return 1
