"""The newest picture of a camera in memory that two processes share, so that none has to be sent.

The memory of a process and its child has no name: it is handed on as an open file, and is gone when both are. Three
slots take turns, so that the one being read is not written to before two newer pictures have come; a number says which
is the newest.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path

import numpy as np

from vision.frame import WORK_PX, shrink_to_work
from vision.geometry import Picture

SLOTS = 3
HEAD_BYTES = 4096
SLOT_BYTES = WORK_PX * WORK_PX * 3
TRIES = 3
FILE_BYTES = HEAD_BYTES + SLOTS * SLOT_BYTES


def shared_file() -> int:
    """Open a file of memory, large enough and without a name; return its descriptor. OSError without room."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("gunbai-live")
    else:  # pragma: no cover - not on Linux
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, FILE_BYTES)
    return descriptor


def named_file(path: Path) -> int:
    """Open a file of memory in a folder (such as one of /run), for processes that are started apart.

    Made where needed. Return its descriptor; what else lies there is removed. OSError where the folder takes no file.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.unlink()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    os.ftruncate(descriptor, FILE_BYTES)
    return descriptor


class SharedPicture:
    """The newest picture; one process shows, the other looks.

    Takes over the descriptor of `shared_file` or `named_file`; one that is open for reading alone will do for
    whoever only `looks`.
    """

    def __init__(self, descriptor: int, *, looks: bool = False) -> None:
        self._descriptor = descriptor
        self._memory = mmap.mmap(descriptor, FILE_BYTES, access=mmap.ACCESS_READ if looks else mmap.ACCESS_WRITE)
        self._seen = 0
        self._latest: Picture | None = None

    @property
    def descriptor(self) -> int:
        """The open file, to be handed to another process."""
        return self._descriptor

    def show(self, picture_bgr: Picture) -> None:
        """Put a picture (H, W, 3) uint8 BGR in the place of the last one, no larger than WORK_PX."""
        picture = np.ascontiguousarray(shrink_to_work(picture_bgr)[0])
        number = self._head()[0] + 1
        slot = number % SLOTS
        at = HEAD_BYTES + slot * SLOT_BYTES
        self._memory[at : at + picture.size] = picture.data.cast("B")
        self._head()[1 + 2 * slot : 3 + 2 * slot] = picture.shape[:2]
        self._head()[0] = number

    def latest(self) -> Picture | None:
        """Return the newest picture, the same object until there is a newer one; None before the first."""
        for _ in range(TRIES):
            number = int(self._head()[0])
            if number == self._seen:
                break
            picture = self._taken(number % SLOTS)
            if picture is not None and int(self._head()[0]) < number + SLOTS - 1:
                self._seen, self._latest = number, picture
                break
        return self._latest

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
        os.close(self._descriptor)

    def _taken(self, slot: int) -> Picture | None:
        """Return the picture in a slot; None where what is written there makes none."""
        height, width = (int(side) for side in self._head()[1 + 2 * slot : 3 + 2 * slot])
        if not (0 < height <= WORK_PX and 0 < width <= WORK_PX):
            return None
        at = HEAD_BYTES + slot * SLOT_BYTES
        flat = np.frombuffer(self._memory[at : at + height * width * 3], np.uint8)
        return flat.reshape(height, width, 3)

    def _head(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.frombuffer(self._memory, np.int64, 1 + 2 * SLOTS)
