"""The parser of the command line: help in the user's language, and faults in one line that says what was meant."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from companion.core.errors import UsageError
from companion.core.language import _, code_of, language_of, languages, use_language
from intake.files import STANDARD_INPUT


class InputFile(str):
    """The path of a file or folder that a command reads, "-" for standard input."""

    __slots__ = ()


class OutputFile(str):
    """The path of a file that a command writes."""

    __slots__ = ()


class OutputFolder(str):
    """The path of a folder that a command writes files into."""

    __slots__ = ()


class FolderOrStream(OutputFolder):
    """The path of a folder that a command writes into, or "-" for standard output."""

    __slots__ = ()


def check_files(options: argparse.Namespace) -> None:
    """Raise OutputError if a command would overwrite a file that it reads, or anything but a plain file.

    UsageError if standard input is named for two inputs.
    """
    from companion.core.outputs import check_folder, check_outputs

    given = [item for value in vars(options).values() for item in (value if isinstance(value, list) else [value])]
    inputs = [item for item in given if isinstance(item, InputFile)]
    if inputs.count(InputFile(STANDARD_INPUT)) > 1:
        raise UsageError("standard input can only be one of the files")
    check_outputs([item for item in given if isinstance(item, OutputFile)], inputs)
    for folder in given:
        is_stream = isinstance(folder, FolderOrStream) and folder == STANDARD_INPUT
        if isinstance(folder, OutputFolder) and not is_stream:
            check_folder(folder)


class Format(argparse.RawDescriptionHelpFormatter):
    """A formatter of help, with a column wide enough for the longest command and option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=110)

    def add_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """Add the usage line, introduced by "usage" in the user's language."""
        super().add_usage(usage, actions, groups, _("usage: ") if prefix is None else prefix)

    def argument_text(self, action: argparse.Action) -> str:
        """Return an argument as the help writes it, such as `-o FILE, --output FILE`."""
        return self._format_action_invocation(action)


class Parser(argparse.ArgumentParser):
    """An argument parser that raises faults as UsageError, with the closest valid choice if there is one."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "add_help": False, "formatter_class": Format})
        self._positionals.title = _("arguments")
        self._optionals.title = _("options")
        self.add_argument("-h", "--help", action="help", help=_("show this help and exit"))

    def argument_rows(self) -> Iterator[tuple[str, str]]:
        """Yield each argument and option as the help writes it, and its help text."""
        formatter = Format(self.prog)
        for action in self._actions:
            if not isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - argparse names it nowhere else
                yield formatter.argument_text(action), action.help or ""

    def commands(self) -> Mapping[str, Parser]:
        """Return {command: its parser}; {} for a parser without commands."""
        found = [action.choices for action in self._actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
        return found[0] if found else {}

    def error(self, message: str) -> NoReturn:
        """Raise UsageError, where argparse would print the usage and exit."""
        meant = self._meant(message)
        told = message.partition(" (choose from ")[0] if meant else message
        raise UsageError(f"{told}{meant} (see {self.prog} --help)")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but let the command itself place the words left over; UsageError if it can't."""
        options, rest = self.parse_known_args(args, namespace)
        command = getattr(options, "parser", self)
        if rest and not command.place_words(options, rest):
            command.error(f"unrecognized arguments: {' '.join(rest)}")
        return options

    def place_words(self, options: argparse.Namespace, rest: Sequence[str]) -> bool:
        """Set the arguments from the words that argparse left over; return False if they don't fit.

        That is needed if an option stands between two words: argparse then leaves optional arguments empty.
        """
        actions = [action for action in self._actions if not action.option_strings]
        words = [word for action in actions if (word := getattr(options, action.dest, None)) is not None]
        if [*words, *rest] != [word for word in (*words, *rest) if isinstance(word, str) and not word.startswith("-")]:
            return False
        if len(words) + len(rest) != len(actions):
            return False
        for action, word in zip(actions, (*words, *rest), strict=True):
            kind = action.type if isinstance(action.type, type) else str
            setattr(options, action.dest, kind(word))
        return True

    def _meant(self, message: str) -> str:
        """Return "; did you mean …?" with the choice or option closest to what was given; "" if none is close."""
        what, _colon, given = message.partition(": ")
        if what == "unrecognized arguments":
            return _question(given.partition(" ")[0].partition("=")[0], self._option_string_actions)
        for action in self._actions:
            if action.choices and (found := re.search(r"invalid choice: '(.*?)' \(", message)):
                names = (*action.option_strings, action.metavar, action.dest)
                if what.removeprefix("argument ") in (*names, "/".join(action.option_strings)):
                    return _question(found[1], map(str, action.choices))
        return ""


def _question(given: str, known: Iterable[str]) -> str:
    near = get_close_matches(given, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


def number(text: str) -> float:
    """Parse an option's number; ArgumentTypeError if it is none."""
    try:
        return float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected a number, not {text!r}") from error


def whole(least: int) -> Callable[[str], int]:
    """Make a parser of whole numbers from `least` on; ArgumentTypeError for anything else."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected {least} or more, not {text!r}")
        return int(text)

    return read


def add_language(parser: argparse.ArgumentParser, told: str) -> None:
    """Add the option --language, by default the user's own; told: its help."""
    parser.add_argument("--language", metavar="CODE", default=language_of(os.environ), help=told)


def add_corners(parser: argparse.ArgumentParser, told: str) -> None:
    """Add the option --corners, the board's corners in a picture; told: its help."""
    parser.add_argument("--corners", metavar='"x,y x,y x,y x,y"', help=told)


def speak_as_asked(options: argparse.Namespace) -> None:
    """Switch to the language that --language names; UsageError if it is unknown."""
    code = code_of(options.language)
    if code is None:
        raise UsageError(f"--language: {options.language!r} is none of {', '.join(languages())}")
    use_language(code)
