"""Other processes of Gunbai's own: the same Python, which finds the same packages; and files in memory to hand them."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, cast

PACKAGES = Path(__file__).resolve().parents[2]
"""The folder in which `companion` and the other rooms lie."""


def own_command(module: str, *arguments: str) -> list[str]:
    """Return the command line that runs a module in a process of its own."""
    return [sys.executable, "-P", "-m", module, *arguments]


def own_environment() -> dict[str, str]:
    """Return the environment for a process that has to find the same packages as this one."""
    path = os.pathsep.join(part for part in (str(PACKAGES), os.environ.get("PYTHONPATH", "")) if part)
    return {**os.environ, "PYTHONPATH": path}


def memory_file(name: str) -> BinaryIO:
    """Open a new file in memory for reading and writing; a temporary one on the disk if the system has none.

    name: only shown in lists of open files.
    """
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create(name), "r+b")
    return cast(BinaryIO, tempfile.TemporaryFile())
