"""One module a command. These import nothing big on top; `run` does, so that a command pays only for what it uses."""

import argparse
from typing import Protocol


class Command(Protocol):
    """What each of the modules has: its name, a line and a page of help, its options and what it does."""

    NAME: str
    HELP: str
    DESCRIPTION: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Give the parser its options."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; the exit status."""
