"""A disk with a cache that a power cut empties: what wasn't flushed is there, torn or lost, as chance decides.

QEMU speaks to it over NBD (its fixed newstyle handshake and simple replies, as in NBD's doc/proto.md). A memory card or
SSD may forget or reorder whatever was written since the last flush; `cache=none` alone would lose nothing of that.
Every order is recorded, so that the disk can be made again as a cut at any moment would have left it, as often as
wanted (what dm-log-writes does in a kernel).
"""

from __future__ import annotations

import os
import random
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

SECTOR = 512
CACHE_BYTES = 32 << 20  # of unflushed writes; beyond, the oldest reach the disk
OPTION_MAGIC, REPLY_MAGIC = b"IHAVEOPT", 0x0003E889045565A9
REQUEST_MAGIC, ANSWER_MAGIC = 0x25609513, 0x67446698
FIXED_NEWSTYLE, NO_ZEROES = 1, 2
HAS_FLAGS, SEND_FLUSH, SEND_FUA = 1, 4, 8
GO, INFO_EXPORT = 7, 0
ACK, INFO, UNKNOWN = 1, 3, (1 << 31) + 1
READ, WRITE, LEAVE, FLUSH = 0, 1, 2, 3
FUA = 1
EINVAL = 22


@dataclass(frozen=True, slots=True)
class Order:
    """A write, maybe through the cache (FUA), or a flush."""

    kind: int
    at: int
    data: bytes
    through: bool


class VolatileFile:
    """A file of whole sectors, and the writes it hasn't got yet."""

    def __init__(self, path: Path, rng: random.Random) -> None:
        self._handle = os.open(path, os.O_RDWR)
        self.size = os.fstat(self._handle).st_size
        self._rng = rng
        self._waiting: list[tuple[int, bytes]] = []
        self._held = 0

    def read(self, at: int, length: int) -> bytes:
        """Return what the machine has written, flushed or not."""
        data = bytearray(os.pread(self._handle, length, at))
        for begin, written in self._waiting:
            first, last = max(begin, at), min(begin + len(written), at + length)
            if first < last:
                data[first - at : last - at] = written[first - begin : last - begin]
        return bytes(data)

    def write(self, at: int, data: bytes) -> None:
        """Into the cache."""
        self._waiting.append((at, data))
        self._held += len(data)
        while self._held > CACHE_BYTES:
            self._put(*self._waiting.pop(0))

    def through(self, at: int, data: bytes) -> None:
        """Past the cache (FUA): what waits for the same place came before."""
        for begin, written in [
            write for write in self._waiting if write[0] < at + len(data) and at < write[0] + len(write[1])
        ]:
            self._waiting.remove((begin, written))
            self._put(begin, written)
        self._held += len(data)
        self._put(at, data)

    def flush(self) -> None:
        """Everything to the disk."""
        for at, data in self._waiting:
            self._put(at, data)
        self._waiting = []

    def cut(self) -> int:
        """Cut the power and return how many of the waiting writes didn't wholly arrive.

        Of each write that waits all, some sectors or nothing arrives.
        """
        spoiled = 0
        for at, data in self._waiting:
            sectors = len(data) // SECTOR
            kept = self._rng.choice((0, sectors, sectors, self._rng.randint(0, sectors)))
            spoiled += kept < sectors
            self._held -= len(data) - kept * SECTOR
            self._put(at, data[: kept * SECTOR])
        self._waiting = []
        return spoiled

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)

    def _put(self, at: int, data: bytes) -> None:
        os.pwrite(self._handle, data, at)
        self._held -= len(data)


class VolatileDisk:
    """A copy of `base` in `folder`, served to one machine; `words` is what QEMU's `-drive` is told.

    orders: all that changed it, as they came; marks: what `clock` said of each when it came, before it was carried out.
    """

    def __init__(self, base: Path, folder: Path, clock: Callable[[], int]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path, self._at = folder / "served.raw", folder / "nbd"
        self._base = base
        copy(base, self.path)
        self._file = VolatileFile(self.path, random.Random(0))
        self.orders: list[Order] = []
        self.marks: list[int] = []
        self._clock = clock
        self._at.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(self._at))
        self._listener.listen(1)
        self._served = threading.Lock()
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def words(self) -> str:
        """QEMU's words for it."""
        return f"file=nbd+unix:///?socket={self._at},format=raw,cache=none"

    def after_cut(self, moment: int, path: Path, rng: random.Random) -> int:
        """Make the disk as it is when the power goes after so many orders: how many writes didn't wholly arrive.

        Called once the machine is gone. A file of its own each time: who still has the last one mounted has that alone.
        """
        path.unlink(missing_ok=True)
        copy(self._base, path)
        file = VolatileFile(path, rng)
        with self._served:
            carry_out(self.orders[:moment], file)
        spoiled = file.cut()
        file.close()
        return spoiled

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close and delete the disk, which isn't needed any more."""
        self._listener.close()
        with self._served:
            self._file.close()
        self.path.unlink(missing_ok=True)

    def _serve(self) -> None:
        with suppress(OSError):  # it was closed
            while True:
                client, _ = self._listener.accept()
                with self._served, client, suppress(ConnectionError):
                    serve(client, self._file, self._record)

    def _record(self, order: Order) -> None:
        self.marks.append(self._clock())
        self.orders.append(order)


def copy(base: Path, path: Path) -> None:
    """Copy a disk, and its holes as holes."""
    subprocess.run(["cp", "--sparse=auto", "--reflink=auto", str(base), str(path)], check=True)


def carry_out(orders: Sequence[Order], file: VolatileFile) -> None:
    """Carry out a machine's orders to its disk."""
    for order in orders:
        if order.kind == FLUSH:
            file.flush()
        else:
            (file.through if order.through else file.write)(order.at, order.data)


def serve(client: socket.socket, file: VolatileFile, record: Callable[[Order], None]) -> None:
    """Answer one client until it leaves; ConnectionError where it goes without a word."""
    _shake_hands(client, file.size)
    while True:
        magic, flags, kind, mark, at, length = struct.unpack(">IHHQQI", _take(client, 28))
        if magic != REQUEST_MAGIC or kind == LEAVE:
            return
        data, error = b"", 0
        if kind == READ:
            data = file.read(at, length)
        elif kind in (WRITE, FLUSH):
            order = Order(kind, at, _take(client, length), bool(flags & FUA))
            record(order)
            carry_out((order,), file)
        else:
            error = EINVAL
        client.sendall(struct.pack(">IIQ", ANSWER_MAGIC, error, mark) + data)


def _shake_hands(client: socket.socket, size: int) -> None:
    client.sendall(b"NBDMAGIC" + OPTION_MAGIC + struct.pack(">H", FIXED_NEWSTYLE | NO_ZEROES))
    _take(client, 4)
    option = 0
    while option != GO:
        _magic, option, length = struct.unpack(">8sII", _take(client, 16))
        _take(client, length)
        if option == GO:
            _reply(client, option, INFO, struct.pack(">HQH", INFO_EXPORT, size, HAS_FLAGS | SEND_FLUSH | SEND_FUA))
        _reply(client, option, ACK if option == GO else UNKNOWN)


def _reply(client: socket.socket, option: int, kind: int, data: bytes = b"") -> None:
    client.sendall(struct.pack(">QIII", REPLY_MAGIC, option, kind, len(data)) + data)


def _take(client: socket.socket, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        part = client.recv(length - len(data))
        if not part:
            raise ConnectionError("the machine is gone")
        data += part
    return bytes(data)
