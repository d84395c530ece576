"""The commands, a class each. On top they import nothing big; `run` does, so that a command pays for what it uses."""

import argparse
from typing import Protocol


class Command(Protocol):
    """One command of `gunbai`: its name, a line and a page of help (in English), its options, and how it runs."""

    NAME: str
    HELP: str

    @property
    def DESCRIPTION(self) -> str:  # noqa: N802 - a constant of most
        """The page of help: what the command does, with examples."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments and options to its parser."""

    def run(self, options: argparse.Namespace) -> int:
        """Run the command and return its exit status; CompanionError, VisionError or EngineError if it can't."""
