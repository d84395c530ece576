"""What a child tells its parent, in memory that both have: what it reads now, and how it went so far.

It outlives the child, however that ends.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import astuple, dataclass
from pathlib import Path

from tests.fuzz.spoil import MOST_BYTES

_HEAD = struct.Struct("<qQQQQQdQQ")
HEAD_BYTES = 128
NOBODY = -(2**62)


@dataclass(slots=True)
class Notes:
    """A child's counts, kept where its parent can read them.

    number: of the input that is read now, those of the seeds below 0; length: its bytes; inputs: how many there
    were with it; read, refused, passed: how many ended so; slowest_s: CPU time of the slowest; peak_kb: the most memory
    that the process has had; digest: a check value of all inputs.
    """

    number: int = NOBODY
    length: int = 0
    inputs: int = 0
    read: int = 0
    refused: int = 0
    passed: int = 0
    slowest_s: float = 0.0
    peak_kb: int = 0
    digest: int = 0


class Slate:
    """The shared memory: a file that parent and child have mapped."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            with path.open("wb") as file:
                file.truncate(HEAD_BYTES + MOST_BYTES)
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), HEAD_BYTES + MOST_BYTES)

    def write(self, notes: Notes, data: bytes | None = None) -> None:
        """Put the notes down, and the input that is about to be read."""
        if data is not None:
            self._memory[HEAD_BYTES : HEAD_BYTES + len(data)] = data
        _HEAD.pack_into(self._memory, 0, *astuple(notes))

    def notes(self) -> Notes:
        """Return the counts as they stand now."""
        return Notes(*_HEAD.unpack_from(self._memory, 0))

    def data(self) -> bytes:
        """Return the input that was read last."""
        return self._memory[HEAD_BYTES : HEAD_BYTES + self.notes().length]

    def close(self) -> None:
        """Let go of the memory; the file stays."""
        self._memory.close()
