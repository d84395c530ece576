"""The commands, a module or a class each. On top they import nothing big; `run` does, so that each pays for its own."""

import argparse
from typing import Protocol


class Command(Protocol):
    """What each of them has: its name, a line and a page of help (in English), its options, what it does."""

    @property
    def NAME(self) -> str:  # noqa: N802 - it is a constant
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
