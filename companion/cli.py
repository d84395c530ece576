"""The command line: `gunbai COMMAND ...`.

Exit status: 0 done, 1 the answer is no, 2 bad input. Bad input ends as one line on standard error that
begins with `gunbai:`. Each command imports what it needs when it runs, so that the referee starts without
the screen and the eye.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from companion import __version__
from companion.commands import (
    Command,
    backup,
    bench,
    bundle,
    calibrate,
    card,
    check,
    demo,
    doctor,
    drill,
    install,
    measure,
    pack,
    play,
    printing,
    read,
    referee,
    replay,
    restore,
    score,
    shelves,
    trace,
    uninstall,
    update,
)
from companion.core.errors import CompanionError, UsageError
from companion.core.log import tell
from companion.core.printable import fault_of, let_go, visible_output
from companion.crash import last_net
from engine.errors import EngineError
from vision.errors import VisionError

DONE, NO, BAD_INPUT = 0, 1, 2
INTERRUPTED = 130
APPLIANCE = (install, uninstall, update, pack, card, backup, restore)
COMMANDS: tuple[Command, ...] = (
    play,
    demo,
    calibrate,
    read,
    measure,
    score,
    check,
    replay,
    referee,
    printing,
    trace,
    shelves.BOARDS,
    shelves.BATTLES,
    shelves.DECKS,
    bundle,
    bench,
    doctor,
    drill,
    *APPLIANCE,
)
ALONE = ("install", "uninstall", "update", "pack")  # run by any Python, without the packages: see the launcher

ABOUT = (
    "A companion for General Orders, Sonae and Generals Order: it checks your moves, reads the board and keeps score."
)
COMMAND_LIST = "\n".join(f"  {command.NAME:<11}{command.HELP}" for command in COMMANDS)
FIRST_STEPS = f"""\
commands:
{COMMAND_LIST}

first steps:
  gunbai demo                 watch a whole game play itself, with nothing to plug in
  gunbai play                 the touchscreen app
  gunbai COMMAND --help       a command's options, with examples
  ./gunbai test               in a clone: set up the test tools too, and run every check

exit status: 0 done, 1 the answer is no, 2 bad input
"""


class Format(argparse.RawDescriptionHelpFormatter):
    """Help with room for the longest command and option beside its text."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=110)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports faults in one line, as all other faults are."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError instead of printing the usage."""
        raise UsageError(f"{message} (see {self.prog} --help)")


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; `run` in what it returns is the command's function."""
    top = Parser(prog="gunbai", description=ABOUT, epilog=FIRST_STEPS, formatter_class=Format)
    top.add_argument("--version", action="version", version=f"gunbai {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, help="one of the commands below")
    for command in COMMANDS:
        one = commands.add_parser(
            command.NAME,
            description=command.DESCRIPTION,
            formatter_class=Format,
        )
        command.arguments(one)
        one.set_defaults(run=command.run, alone=command.NAME in ALONE)
    return top


def _say(message: str) -> int:
    """Print a message on standard error as one line."""
    tell("error", message)
    return BAD_INPUT


def _os_error_text(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename is not None else what


def _own_boards() -> None:
    """Register the owners' boards, decks and battles; a broken file is reported and stops nothing.

    A system's rules are loaded only if the owner has something for it.
    """
    from companion.content.boards import BOARDS
    from companion.core import storage

    broken = [*BOARDS.register().broken]
    if (storage.data_dir() / "decks").is_dir():
        from companion.content.decks import DECKS

        broken += DECKS.register().broken
    if (storage.data_dir() / "scenarios").is_dir():
        from companion.content.battles import BATTLES

        broken += BATTLES.register().broken
    for _path, why in broken:
        _say(why)


def _status(argv: Sequence[str]) -> int:
    """Run one command and report any fault in one line. Only here is every exception caught."""
    try:
        options = parser().parse_args(argv or ["--help"])
        if not options.alone:
            _own_boards()
        return int(options.run(options))
    except (CompanionError, EngineError, VisionError) as error:
        return _say(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if isinstance(fault_of(sys.stdout), BrokenPipeError):
            return DONE
        return _say(_os_error_text(error))
    except Exception as error:  # noqa: BLE001 - the last net
        return _say(last_net.report_line(error, f"gunbai {_name_of(argv)}".rstrip()))


def _name_of(argv: Sequence[str]) -> str:
    """The command's name, without its arguments."""
    return next((command.NAME for command in COMMANDS if argv and argv[0] == command.NAME), "")


def _exit_status(code: object) -> int:
    """The exit status of a command that raised SystemExit."""
    if code is None or isinstance(code, int):
        return code or DONE
    return _say(str(code))


def _flushed_status(status: int) -> int:
    """The final exit status, once everything printed has been written."""
    fault = fault_of(sys.stdout)
    if fault is None:
        return status
    let_go(sys.stdout)
    if isinstance(fault, BrokenPipeError) or status not in (DONE, NO):
        return status
    return _say(_os_error_text(fault))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status. `--help` and `--version` leave by SystemExit(0), as argparse does."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting would mix with our answers
    with visible_output(), last_net.hooks_for_now():
        try:
            status = _status(sys.argv[1:] if argv is None else argv)
        except SystemExit as left:
            raise SystemExit(_flushed_status(_exit_status(left.code))) from None
        return _flushed_status(status)


def entry() -> int:
    """Run `main` as a whole process, with the last net under it."""
    last_net.install_hooks()
    return main()
