"""The command line: `gunbai COMMAND ...`.

Exit status: 0 done, 1 the answer is no, 2 bad input. Bad input ends as one line on standard error that
begins with `gunbai:`. Each command imports what it needs when it runs, so that the referee starts without
the screen and the eye.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from companion import __version__
from companion.commands import Command, shelves
from companion.commands.copies import Backup, Restore
from companion.commands.evidence import Bench, Bundle
from companion.commands.eye import Calibrate, Measure, Read, Score
from companion.commands.following import Bridge, Follow
from companion.commands.games import Check, Referee, Replay, Review
from companion.commands.health import Doctor, Drill
from companion.commands.installing import Card, Install, Pack, Uninstall, Update
from companion.commands.parsing import Parser, check_files
from companion.commands.playing import Demo, Play
from companion.commands.printing import Print
from companion.commands.shelves import Trace
from companion.core.errors import CompanionError, UsageError
from companion.core.language import _, language_of, speaking, tell_faults_by
from companion.core.log import tell
from companion.core.printable import discard_pending, fault_of, visible_output
from companion.crash import last_net
from engine.errors import EngineError
from engine.words import mark
from intake.files import STANDARD_INPUT
from vision.errors import VisionError

DONE, NO, BAD_INPUT = 0, 1, 2
INTERRUPTED = 130
COMMANDS: tuple[Command, ...] = (
    Play(),
    Demo(),
    Calibrate(),
    Read(),
    Measure(),
    Score(),
    Check(),
    Replay(),
    Review(),
    Referee(),
    Follow(),
    Bridge(),
    Print(),
    Trace(),
    shelves.BOARDS,
    shelves.BATTLES,
    shelves.DECKS,
    Bundle(),
    Bench(),
    Doctor(),
    Drill(),
    Install(),
    Uninstall(),
    Update(),
    Pack(),
    Card(),
    Backup(),
    Restore(),
)
SPEECHLESS = ("play", "referee", "bridge")
"""What they say has a language of its own: the settings', or that of programs."""
LINUX_ONLY = ("install", "uninstall", "update", "drill")
ALONE = ("install", "uninstall", "update", "pack")  # run by any Python, without the packages: see the launcher

ABOUT = mark(
    "A companion for General Orders, Sonae and Generals Order: it checks your moves, reads the board and keeps score."
)
LIST = mark("""\
commands:
{commands}

""")
FIRST_STEPS = mark("""\
first steps:
  gunbai demo                 watch a whole game play itself, with nothing to plug in
  gunbai play                 the touchscreen app
  gunbai COMMAND --help       a command's options, with examples
  ./gunbai test               in a clone: set up the test tools too, and run every check

exit status: 0 done, 1 the answer is no, 2 bad input
""")


def parser(listed: bool = True) -> Parser:
    """Return the parser of all commands, in the language in use; `run` in its result is the command's function.

    listed: the help lists the commands. Without it each has a line of its own, for the manual page and the completions,
    which list them themselves.
    """
    lines = "\n".join("  " + command.NAME.ljust(11) + _(command.HELP) for command in COMMANDS)
    last = _(LIST).format(commands=lines) + _(FIRST_STEPS) if listed else _(FIRST_STEPS)
    top = Parser(prog="gunbai", description=_(ABOUT), epilog=last)
    version = f"gunbai {__version__}"
    top.add_argument("--version", action="version", version=version, help=_("show the version and exit"))
    commands = top.add_subparsers(metavar="COMMAND", required=True, help=_("one of the commands below"))
    for command in COMMANDS:
        told: dict[str, Any] = {} if listed else {"help": _(command.HELP)}
        subparser = commands.add_parser(command.NAME, description=_(command.DESCRIPTION), **told)
        command.arguments(subparser)
        subparser.set_defaults(
            run=command.run, parser=subparser, alone=command.NAME in ALONE, spoken=command.NAME not in SPEECHLESS
        )
    return top


def _say(message: str) -> int:
    """Print a message on standard error as one line; return the exit status for bad input."""
    tell("error", message)
    return BAD_INPUT


def _refused(error: BaseException | str) -> int:
    """Print a fault as one line in the user's language; return the exit status for bad input."""
    with speaking(language_of(os.environ)):
        told = _fault_words(error)
        piped = told.startswith(f"{STANDARD_INPUT}: ")
        return _say(_("standard input") + told.removeprefix(STANDARD_INPUT) if piped else told)


def _fault_words(error: BaseException | str) -> str:
    """Return a fault in the language in use; the translation is loaded only if something is wrong."""
    from companion.text.faults import fault_words, message_of

    return fault_words(message_of(error))


def _own_boards() -> None:
    """Register the owners' boards, decks and battles; a broken file is reported and stops nothing.

    A system's rules are loaded only if the owner has something for it.
    """
    from companion.content.shelves import BOARDS
    from companion.core import storage

    broken = [*BOARDS.register().broken]
    if (storage.data_dir() / "decks").is_dir():
        from companion.content.decks import DECKS

        broken += DECKS.register().broken
    if (storage.data_dir() / "scenarios").is_dir():
        from companion.content.shelves import BATTLES

        broken += BATTLES.register().broken
    for _path, why in broken:
        _refused(why)


def _status(argv: Sequence[str]) -> int:
    """Run one command and return its exit status, reporting any fault in one line. Only SystemExit gets out."""
    tell_faults_by(_fault_words)
    try:
        with speaking(language_of(os.environ)):
            options = parser().parse_args(argv or ["--help"])
        if (name := _name_of(argv)) in LINUX_ONLY and not sys.platform.startswith("linux"):
            system = {"win32": "Windows", "darwin": "macOS"}.get(sys.platform, sys.platform)
            raise UsageError(f"gunbai {name} needs Linux, such as a Raspberry Pi's, and this is {system}")
        check_files(options)
        if not options.alone:
            _own_boards()
        for_people = options.spoken and not getattr(options, "json", False)  # JSON is for programs, and stays English
        with speaking(language_of(os.environ)) if for_people else nullcontext():
            return int(options.run(options))
    except (CompanionError, EngineError, VisionError) as error:
        return _refused(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if isinstance(fault_of(sys.stdout), BrokenPipeError):
            return DONE
        return _refused(error)
    except Exception as error:  # noqa: BLE001 - the last net
        return _say(last_net.report_line(error, f"gunbai {_name_of(argv)}".rstrip()))


def _name_of(argv: Sequence[str]) -> str:
    """Return the command's name without its arguments; "" for an unknown one."""
    return next((command.NAME for command in COMMANDS if argv and argv[0] == command.NAME), "")


def _exit_status(code: object) -> int:
    """Return the exit status of a command that raised SystemExit."""
    if code is None or isinstance(code, int):
        return code or DONE
    return _say(str(code))


def _flushed_status(status: int) -> int:
    """Return the final exit status, once everything printed has been written."""
    fault = fault_of(sys.stdout)
    if fault is None:
        return status
    discard_pending(sys.stdout)
    if isinstance(fault, BrokenPipeError) or status not in (DONE, NO):
        return status
    return _refused(fault)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status. `--help` and `--version` leave by SystemExit(0), as argparse does."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting would mix with our answers
    with visible_output(), last_net.hooks_for_now():
        try:
            status = _status(sys.argv[1:] if argv is None else argv)
        except SystemExit as left:
            raise SystemExit(_flushed_status(_exit_status(left.code))) from None
        return _flushed_status(status)


def entry() -> int:
    """Run `main` as a whole process, with the last-resort exception hooks installed; return its exit status."""
    last_net.install_hooks()
    return main()
