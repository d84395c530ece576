"""`gunbai replay`, `review`, `check` and `referee`: what was played, how well, and whether a step may be taken."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.commands.parsing import InputFile, OutputFile, add_language, speak_as_asked
from companion.core.errors import InputError, MatchError, UsageError
from companion.core.language import _
from engine.words import mark
from intake.files import STANDARD_INPUT
from intake.text import one_line


def _print_link(options: argparse.Namespace) -> int:
    """Print the link that logs the game in BG Stats, and return 0; InputError if nobody has won."""
    from companion.replays.story import Story
    from companion.scenes.table.ending import bg_stats_link

    if options.json or options.html or options.gif:
        raise UsageError("--bg-stats prints a link: it doesn't go with --json, --html or --gif")
    story = Story(Path(options.game))
    if story.presenter.winner(story.match.position) is None:
        raise InputError(f"{options.game}: nobody has won yet")
    print(bg_stats_link(story.match, story.presenter, story.log.people))
    return 0


def _write(options: argparse.Namespace) -> int:
    """Write the game as a page, an animation or both, and return 0."""
    from companion.replays.animation import write_gif
    from companion.replays.page import write_page

    if options.json:
        raise UsageError("--json prints the last position: it doesn't go with --html or --gif")
    speak_as_asked(options)
    for write, path in ((write_page, options.html), (write_gif, options.gif)):
        if path is not None:
            write(Path(options.game), Path(path))
            print(one_line(path))
    return 0


class Replay:
    """The command `gunbai replay`: prints a saved game step by step, or writes it as a web page or GIF."""

    NAME = "replay"
    HELP = mark("print a saved game, step by step")
    DESCRIPTION = mark("""\
Replays a saved game of any system and prints what happened at each step. A truncated game is replayed up to its last
complete step, and the command says so. It stops at the first step that the rules refuse, with exit status 1.
--bg-stats prints the link that logs a finished game in the app BG Stats.
With --html or --gif it writes the game to a file instead: a page that any browser replays offline, or an animated
picture of up to 300 turns.

examples:
  gunbai replay game.jsonl
  gunbai replay game.jsonl --html game.html --gif game.gif""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add GAME [--json | --bg-stats | [--html FILE] [--gif FILE] [--language CODE]]."""
        parser.add_argument(
            "game", type=InputFile, metavar="GAME", help=_("a saved game (JSON lines), or - for standard input")
        )
        parser.add_argument("--json", action="store_true", help=_("only the last position, as JSON"))
        parser.add_argument(
            "--html", metavar="FILE", type=OutputFile, help=_("write a page that replays the game in any browser")
        )
        parser.add_argument("--gif", metavar="FILE", type=OutputFile, help=_("write the game as an animated picture"))
        parser.add_argument(
            "--bg-stats", action="store_true", help=_("only the link that logs the finished game in the app BG Stats")
        )
        add_language(parser, _("of the page and the picture: en or pt_BR"))

    def run(self, options: argparse.Namespace) -> int:
        """Replay the game; return 0, or 1 if the rules refuse a step."""
        if options.bg_stats:
            return _print_link(options)
        if options.html or options.gif:
            return _write(options)
        from companion.games.match import remark
        from companion.terminal import reports
        from companion.terminal.inputs import load_game
        from companion.text.columns import ruling_text

        journal = load_game(options.game)
        if options.json:
            print(json.dumps(journal.system.write_position(journal.last), ensure_ascii=False))
        else:
            print(reports.REPORTS.of(journal.system.name).game_text(journal))
        said, fault = remark(journal), journal.fault
        reports.notice(f"{options.game}: {said}" if said else None)
        if fault is None or fault.ruling is None:
            return 0
        if not options.json:
            print(ruling_text(fault.ruling))
        return 1


class Review:
    """The command `gunbai review`: prints the chances, turning points, luck and choices of a saved game."""

    NAME = "review"
    HELP = mark("where a saved game was won: chances by turn, turning points, luck and choice")
    DESCRIPTION = mark("""\
Goes through a saved game of General Orders turn by turn: each side's chance to win, the three turns that changed it
most with what was better, and what each side won and lost by its choices, its dice and its cards. Each choice is
judged by what that player could know. It takes about half a second a turn, unless the app has kept a review.

examples:
  gunbai review game.jsonl
  gunbai review game.jsonl --json""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add GAME [--json | --language CODE]."""
        parser.add_argument(
            "game", type=InputFile, metavar="GAME", help=_("a saved game of General Orders (JSON lines)")
        )
        parser.add_argument("--json", action="store_true", help=_("one JSON object"))
        add_language(parser, _("of the text: en or pt_BR"))

    def run(self, options: argparse.Namespace) -> int:
        """Print the review and return 0; MatchError for a game of another system, or without turns."""
        from companion.core.printable import progress
        from companion.games.journal import mark_of, of_orders
        from companion.games.match import remark
        from companion.games.reviews import read_review
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


def _steps(given: str) -> str:
    """Return "-" as an InputFile, so that it is counted as standard input; anything else as it is."""
    return InputFile(given) if given == STANDARD_INPUT else given


class Check:
    """The command `gunbai check`: judges steps, with the rules behind each verdict."""

    NAME = "check"
    HELP = mark("judge a step, with the rules behind the verdict")
    DESCRIPTION = mark("""\
Judges steps one after the other, starting from a position. Prints every criterion with its rule and its place in the
book. Stops at the first illegal step, with exit status 1.

The position or game may be of any system; steps of Sonae and Generals Order must be JSON.

examples:
  gunbai check game.jsonl steps.json
  gunbai check game.jsonl "advance:c4 from d5=2t"
  gunbai check game.jsonl '{"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}}'
  gunbai check battle.jsonl '{"fire": "maru_guns", "target": "shikaku_foot"}'""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add POSITION STEPS [--json]."""
        parser.add_argument(
            "position",
            type=InputFile,
            metavar="POSITION",
            help=_("a position or a saved game, or - for standard input"),
        )
        parser.add_argument("steps", type=_steps, metavar="STEPS", help=_("a file of steps (JSON), or one step"))
        parser.add_argument("--json", action="store_true", help=_("one JSON object per step"))

    def run(self, options: argparse.Namespace) -> int:
        """Print the ruling on each step; return 0 if all are legal, 1 at the first that is not."""
        from companion.terminal import inputs, reports

        loaded = inputs.load_any(options.position)
        reports.notice(loaded.notice)
        system, position = loaded.system, loaded.position
        for number, step in enumerate(inputs.load_steps(options.steps, system), 1):
            ruling = system.examine(position, step)
            sentence = reports.REPORTS.of(system.name).step_text(step, position)
            if options.json:
                print(json.dumps(reports.ruling_json(number, ruling), ensure_ascii=False))
            else:
                print(reports.judged_text(number, sentence, ruling))
            if not ruling.legal:
                return 1
            position = system.apply(position, step)
        return 0


class Referee:
    """The command `gunbai referee`: answers JSON requests of other programs."""

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

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add nothing, as the referee takes no arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Answer requests until the input ends, and return 0."""
        from engine.referee import serve

        serve(sys.stdin.buffer, sys.stdout)
        return 0
