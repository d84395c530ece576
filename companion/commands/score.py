"""`gunbai score`: supply, points and the winner, of a position or of a photo."""

import argparse

from companion.commands.parsing import InputFile, add_corners
from companion.core.errors import UsageError
from companion.core.language import _
from engine.words import mark

NAME = "score"
HELP = mark("supply, victory points and the winner, from a position or a photo")
DESCRIPTION = mark("""\
Scores a board as if the game ended now. For a battle of Sonae or a game of Generals Order it prints the state of both
sides, and who has won.

examples:
  gunbai score game.jsonl
  gunbai score --table kitchen.table photo.jpg
  gunbai score --table kitchen.table photo.jpg --game game.jsonl
  gunbai score --table kitchen.table photo.jpg --corners "210,95 1050,88 1190,860 70,871\"""")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add POSITION, or --table TABLE FRAME [--game GAME] [--corners C]; [--json]."""
    parser.add_argument(
        "what", type=InputFile, metavar="POSITION|FRAME", help=_("a position or saved game, or with --table a picture")
    )
    parser.add_argument("--table", type=InputFile, metavar="TABLE", help=_("score a picture of this table"))
    parser.add_argument(
        "--game",
        type=InputFile,
        metavar="GAME",
        help=_("with --table: the game it belongs to, for round and initiative"),
    )
    add_corners(parser, _("with --table: where the board lies in the picture, if it isn't found"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object"))


def run(options: argparse.Namespace) -> int:
    """Print the score, and return 0."""
    from companion.terminal import scoring

    if options.game and not options.table:
        raise UsageError("--game goes with --table: a saved game is scored by itself (gunbai score GAME)")
    if options.corners is not None and not options.table:
        raise UsageError("--corners goes with --table: it is the board's place in a picture")
    if options.table:
        return scoring.score_photo(options.table, options.what, options.game, options.corners, options.json)
    return scoring.score_position(options.what, options.json)
