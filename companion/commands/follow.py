"""`gunbai follow`: the game at the table as a stream of events, for other programs."""

import argparse

from companion.commands.parsing import InputFile
from companion.core.language import _
from engine.words import mark

NAME = "follow"
HELP = mark("tell other programs what happens at the table, one JSON event per line")
DESCRIPTION = mark("""\
Follows the game at the table and prints an event per line as it happens: the game, each step, undo, round, whose turn
it is, dice and answers owed, the score, the end, and what the camera does. First it prints how things are now. For
lamps, stream overlays and home automation; docs/following.md has every event. It only reads, and listens to nothing.

Without GAME it follows whichever game is being played, through new games and restarts of the app.

examples:
  gunbai follow --json
  gunbai follow --json --once
  gunbai follow --json game.jsonl | jq --unbuffered 'select(.event == "turn") | .to_move'""")
EVERY_S = 0.25


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add [GAME] [--json] [--once]."""
    parser.add_argument("game", nargs="?", type=InputFile, metavar="GAME", help=_("follow this saved game only"))
    parser.add_argument("--json", action="store_true", help=_("events as JSON (default: in words)"))
    parser.add_argument("--once", action="store_true", help=_("only print how things are now"))


def run(options: argparse.Namespace) -> int:
    """Print events until interrupted or nobody reads them any more; with --once return 0 after the first look."""
    import json
    import time
    from pathlib import Path

    from companion.core.errors import InputError
    from companion.core.storage import data_dir
    from companion.following.follower import Follower
    from companion.following.words import in_words
    from companion.games.live_note import place

    only = Path(options.game) if options.game else None
    if only is not None and not only.is_file():
        raise InputError(f"{only}: no such saved game")
    follower = Follower(data_dir() / "games", place(), only)
    while True:
        for event in follower.look():
            print(json.dumps(event, ensure_ascii=False) if options.json else in_words(event), flush=True)
        if options.once:
            return 0
        time.sleep(EVERY_S)
