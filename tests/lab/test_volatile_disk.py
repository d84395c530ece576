"""The lab's disk: what was flushed survives a cut, what wasn't may not; NBD's clients are served."""

from __future__ import annotations

import random
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.volatile_disk import CACHE_BYTES, SECTOR, Order, VolatileDisk, VolatileFile, serve

SECTORS = 64


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "disk.raw"
    path.write_bytes(bytes(SECTORS * SECTOR))
    return path


@pytest.fixture
def file(path: Path) -> Iterator[VolatileFile]:
    file = VolatileFile(path, random.Random(1))
    yield file
    file.close()


def sector(letter: bytes) -> bytes:
    return letter * SECTOR


def test_a_machine_reads_what_it_wrote_and_what_was_flushed_survives_a_cut(file: VolatileFile, path: Path) -> None:
    file.write(2 * SECTOR, sector(b"a") + sector(b"b"))
    file.write(3 * SECTOR, sector(b"c"))
    assert file.read(SECTOR, 4 * SECTOR) == sector(b"\0") + sector(b"a") + sector(b"c") + sector(b"\0")
    assert path.read_bytes() == bytes(SECTORS * SECTOR)
    file.write(0, sector(b"a"))
    file.flush()
    assert file.cut() == 0
    assert path.read_bytes()[:SECTOR] == sector(b"a")


def test_what_was_not_flushed_is_whole_torn_or_lost(path: Path) -> None:
    ends = set()
    for seed in range(30):
        path.write_bytes(bytes(SECTORS * SECTOR))
        file = VolatileFile(path, random.Random(seed))
        file.write(0, sector(b"a") * 4)
        spoiled = file.cut()
        file.close()
        arrived = path.read_bytes().count(b"a") / SECTOR
        assert spoiled == (arrived < 4)
        ends.add(arrived)
    assert {0, 4} < ends <= {0, 1, 2, 3, 4}


def test_a_later_write_may_arrive_without_an_earlier_one(path: Path) -> None:
    seen = set()
    for seed in range(30):
        path.write_bytes(bytes(SECTORS * SECTOR))
        file = VolatileFile(path, random.Random(seed))
        file.write(0, sector(b"a"))
        file.write(SECTOR, sector(b"b"))
        file.cut()
        file.close()
        data = path.read_bytes()
        seen.add((data[:1], data[SECTOR : SECTOR + 1]))
    assert (b"\0", b"b") in seen


def test_a_write_through_is_there_at_once_after_what_waited_for_its_place(file: VolatileFile, path: Path) -> None:
    file.write(0, sector(b"a") * 2)
    file.write(8 * SECTOR, sector(b"z"))
    file.through(SECTOR, sector(b"b"))
    assert path.read_bytes()[: 2 * SECTOR] == sector(b"a") + sector(b"b")
    assert path.read_bytes()[8 * SECTOR : 9 * SECTOR] == sector(b"\0")
    assert file.read(8 * SECTOR, SECTOR) == sector(b"z")


def test_a_full_cache_gives_its_oldest_to_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "disk.raw"
    path.write_bytes(bytes(2 * CACHE_BYTES))
    file = VolatileFile(path, random.Random(1))
    half = CACHE_BYTES // 2
    for at, letter in ((0, b"a"), (half, b"b"), (2 * half, b"c")):
        file.write(at, letter * half)
    data = path.read_bytes()
    file.close()
    assert (data[:1], data[half : half + 1], data[2 * half : 2 * half + 1]) == (b"a", b"\0", b"\0")


def request(kind: int, at: int, length: int, data: bytes = b"", flags: int = 0) -> bytes:
    return struct.pack(">IHHQQI", 0x25609513, flags, kind, 7, at, length) + data


def test_a_client_is_served(file: VolatileFile, path: Path) -> None:
    here, there = socket.socketpair()
    recorded: list[Order] = []
    server = threading.Thread(target=serve, args=(there, file, recorded.append))
    server.start()
    with here, here.makefile("rb") as answers:
        assert answers.read(18) == b"NBDMAGICIHAVEOPT\0\3"
        here.sendall(struct.pack(">I8sII", 3, b"IHAVEOPT", 8, 0))  # structured replies: not here
        assert struct.unpack(">QIII", answers.read(20)) == (0x3E889045565A9, 8, 0x80000001, 0)
        here.sendall(struct.pack(">8sII", b"IHAVEOPT", 7, 6) + bytes(6))
        assert struct.unpack(">QIII", answers.read(20)) == (0x3E889045565A9, 7, 3, 12)
        assert struct.unpack(">HQH", answers.read(12)) == (0, SECTORS * SECTOR, 13)
        assert struct.unpack(">QIII", answers.read(20)) == (0x3E889045565A9, 7, 1, 0)
        answer = struct.pack(">IIQ", 0x67446698, 0, 7)
        here.sendall(request(1, SECTOR, SECTOR, sector(b"a")))
        assert answers.read(16) == answer
        here.sendall(request(0, SECTOR, SECTOR))
        assert answers.read(16 + SECTOR) == answer + sector(b"a")
        here.sendall(request(3, 0, 0))
        assert answers.read(16) == answer
        assert path.read_bytes()[SECTOR : 2 * SECTOR] == sector(b"a")
        here.sendall(request(9, 0, 0))
        assert answers.read(16) == struct.pack(">IIQ", 0x67446698, 22, 7)
        here.sendall(request(2, 0, 0))
    server.join()
    there.close()
    assert recorded == [Order(1, SECTOR, sector(b"a"), through=False), Order(3, 0, b"", through=False)]


def test_the_disk_is_made_again_as_a_cut_at_any_moment_leaves_it(path: Path, tmp_path: Path) -> None:
    heard = b""
    with VolatileDisk(path, tmp_path / "disk", lambda: len(heard)) as disk:
        with client_of(disk) as client:
            for order, told in (
                (write(b"a"), b""),
                (request(3, 0, 0), b"a is safe"),
                (write(b"b"), b""),
                (write(b"c"), b""),
            ):
                client.sendall(order)
                client.recv(16)
                heard += told
        ends = {moment: ends_at(disk, moment, tmp_path) for moment in range(5)}
        assert disk.marks == [0, 0, 9, 9]
    assert ends == {0: {b"\0"}, 1: {b"\0", b"a"}, 2: {b"a"}, 3: {b"a", b"b"}, 4: {b"a", b"b", b"c"}}


def test_whoever_still_has_a_cut_disk_open_has_that_one_alone(tmp_path: Path) -> None:
    base, cut = tmp_path / "base.raw", tmp_path / "cut.raw"
    base.write_bytes(bytes(SECTOR))
    with VolatileDisk(base, tmp_path / "served", lambda: 0) as disk:
        disk.after_cut(0, cut, random.Random(0))
        with cut.open("r+b") as held:
            disk.after_cut(0, cut, random.Random(0))
            held.write(b"a")
            held.flush()
            assert cut.read_bytes() == bytes(SECTOR)


def write(letter: bytes) -> bytes:
    return request(1, 0, SECTOR, sector(letter))


def client_of(disk: VolatileDisk) -> socket.socket:
    """One that has shaken hands."""
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.connect(disk.words.partition("socket=")[2].partition(",")[0])
    client.sendall(struct.pack(">I8sII", 3, b"IHAVEOPT", 7, 6) + bytes(6))
    wanted = 18 + 20 + 12 + 20
    while wanted:
        wanted -= len(client.recv(wanted))
    return client


def ends_at(disk: VolatileDisk, moment: int, folder: Path) -> set[bytes]:
    """Return how the first sector may begin after a cut at that moment, by chance."""
    ends = set()
    for seed in range(20):
        disk.after_cut(moment, folder / "cut.raw", random.Random(seed))
        ends.add((folder / "cut.raw").read_bytes()[:1])
    return ends
