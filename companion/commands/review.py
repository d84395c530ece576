"""`gunbai review`: a saved game of General Orders looked back on: chances, turning points, luck and choice."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion.commands.parsing import InputFile, add_language, speak_as_asked
from companion.core.errors import MatchError
from companion.core.language import _
from engine.words import mark

NAME = "review"
HELP = mark("where a saved game was won: chances by turn, turning points, luck and choice")
DESCRIPTION = mark("""\
Goes through a saved game of General Orders turn by turn: each side's chance to win, the three turns that changed it
most with what was better, and what each side won and lost by its choices, its dice and its cards. Each choice is
judged by what that player could know. It takes about half a second a turn, unless the app has kept a review.

examples:
  gunbai review game.jsonl
  gunbai review game.jsonl --json""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add GAME [--json | --language CODE]."""
    parser.add_argument("game", type=InputFile, metavar="GAME", help=_("a saved game of General Orders (JSON lines)"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object"))
    add_language(parser, _("of the text: en or pt_BR"))


def run(options: argparse.Namespace) -> int:
    """Print the review and return 0; MatchError for a game that has no review."""
    from companion.core.progress import progress
    from companion.games.journal import mark_of, of_orders
    from companion.games.match import remark
    from companion.games.review_file import read_review
    from companion.systems.game_system import game_system
    from companion.terminal import reports
    from companion.terminal import review as printed
    from companion.terminal.inputs import load_game
    from engine.orders.player.review import review, turn_count

    journal = load_game(options.game)
    system = game_system(journal.system.name)
    if not system.has_board:
        told = f"{system.title} is reviewed in the app; this command is for games of General Orders"
        raise MatchError(f"{options.game}: {told}")
    game = of_orders(journal, options.game)
    said, total = remark(journal), turn_count(game.steps)
    reports.notice(f"{options.game}: {said}" if said else None)
    if not total:
        raise MatchError(f"{options.game}: no turn has been played yet, so there is nothing to review")
    speak_as_asked(options)
    kept = read_review(Path(options.game), mark_of(game.lines), game.positions, game.steps)
    turns = list(kept or ())
    with progress(options.game, total - len(turns)) as step:
        for turn in review(game.positions, game.steps) if kept is None else ():
            turns.append(turn)
            step()
    found = printed.review_json(game, turns) if options.json else None
    print(printed.review_text(game, turns) if found is None else json.dumps(found, ensure_ascii=False))
    return 0
