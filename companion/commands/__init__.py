"""The commands, a class each. On top they import nothing big; `run` does, so that a command pays for what it uses."""

import argparse
from typing import Protocol


class Command(Protocol):
    """What each of them has: its name, a line and a page of help (in English), its options, what it does."""

    NAME: str
    HELP: str

    @property
    def DESCRIPTION(self) -> str:  # noqa: N802 - a constant of most
        """What it does, with examples."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Give the parser its options."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; the exit status."""
