"""One module a command. These import nothing big on top; `run` does, so that a command pays only for what it uses."""

import argparse
from typing import Protocol


class Command(Protocol):
    """What each of the modules has: its name, a line and a page of help (in English), its options, what it does."""

    @property
    def NAME(self) -> str:  # noqa: N802 - modules have it as a constant
        """The word on the command line."""

    @property
    def HELP(self) -> str:  # noqa: N802
        """What it does, in a line."""

    @property
    def DESCRIPTION(self) -> str:  # noqa: N802
        """What it does, with examples."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Give the parser its options."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; the exit status."""
