"""`gunbai replay`: a saved game, step by step."""

import argparse
import json

NAME = "replay"
HELP = "print a saved game, step by step"
DESCRIPTION = """\
Replays a saved game of any system and prints what happened at each step. A truncated game is replayed up to its last
complete step, and the command says so. It stops at the first step that the rules refuse, with exit status 1.

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
        print(reports.report_of(journal.system.name).game_text(journal))
    said, fault = remark(journal), journal.fault
    reports.notice(f"{options.game}: {said}" if said else None)
    if fault is None or fault.ruling is None:
        return 0
    if not options.json:
        print(ruling_text(fault.ruling))
    return 1
