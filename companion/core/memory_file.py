"""A file in memory, without a name: what is in it needs no disk."""

from __future__ import annotations

import os
import tempfile
from typing import BinaryIO, cast


def memory_file(name: str) -> BinaryIO:
    """Open a new file in memory for reading and writing; on the disk where the system has no such files.

    name: for whoever looks at what the process has open.
    """
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create(name), "r+b")
    return cast(BinaryIO, tempfile.TemporaryFile())
