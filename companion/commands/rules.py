"""`gunbai check` and `referee`: whether a step may be taken and why not, for people and for other programs."""

import argparse
import json
import sys

from companion.commands.parsing import InputFile
from companion.core.language import _
from engine.words import mark
from intake.files import STANDARD_INPUT


def _steps(given: str) -> str:
    """Tell the steps on standard input, which the position may not be too, from a step as it is written."""
    return InputFile(given) if given == STANDARD_INPUT else given


class Check:
    """Whether a step may be taken, and why not."""

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
        """Judge the steps; return 0 where every step is legal, 1 at the first that is not."""
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
    """The rules for other programs."""

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
        """Serve until the input ends; always 0."""
        from engine.referee import serve

        serve(sys.stdin.buffer, sys.stdout)
        return 0
