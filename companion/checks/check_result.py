"""The result of a check, and access to the machine that is checked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

State = Literal["ok", "note", "bad"]
CheckResult = tuple[State, str, str]
"""The state, the facts, and what to do ("" if nothing)."""
PATIENCE_S = 5.0

Run = Callable[[Sequence[str]], str]
"""Runs a command and returns what it prints; "" if it is missing or fails."""


def run(command: Sequence[str]) -> str:
    """Return what a command prints; "" if it is missing, fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine's files below `root`, which stands for /, and its commands; absolute paths work, too."""

    root: Path = Path("/")
    run: Run = run

    def text(self, path: str | Path) -> str:
        """Read a small file's text, stripped of blanks and NULs; "" if it is unreadable."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0 \n\t")
        except OSError:
            return ""

    def find_paths(self, pattern: str) -> list[Path]:
        """Return the paths that match a glob pattern, sorted; [] if they can't be listed."""
        try:
            return sorted(self.root.glob(pattern))
        except OSError:
            return []

    def number(self, path: str | Path) -> int | None:
        """Read the whole number in a small file; None if there is none."""
        try:
            return int(self.text(path))
        except ValueError:
            return None

    def holders(self, device: Path) -> list[str]:
        """Return other programs that have a device open, as "name (pid)", as far as this user may see them."""
        own = {os.getpid(), os.getppid()}
        held = {int(pid) for pid, target in self._open() if target == device}
        return [f"{self.text(f'proc/{pid}/comm')} ({pid})" for pid in sorted(held - own)]

    def _open(self) -> Iterator[tuple[str, Path]]:
        for folder in self.find_paths("proc/[0-9]*/fd"):
            with suppress(OSError):  # the process ended meanwhile, or is another user's
                for link in folder.iterdir():
                    with suppress(OSError):  # it was closed meanwhile
                        yield folder.parts[-2], link.readlink()
