"""Tar files of strangers, head by head: nothing is kept, nothing is followed for long."""

import gzip
import io
import os
import tarfile
import tracemalloc
import zlib
from collections.abc import Callable
from typing import Literal

import pytest

from intake.errors import Unreadable
from intake.tar_file import MOST_HEAD, Member, open_tar, open_tar_gz

MOST = 50_000_000
Form = Literal[0, 1, 2]


def head(name: str = "a", size: int = 0, kind: bytes = tarfile.REGTYPE, form: Form = tarfile.GNU_FORMAT) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(form, "utf-8", "surrogateescape")


def beside(kind: bytes, data: bytes) -> bytes:
    """Return a head that describes the one after it."""
    return head("x", len(data), kind) + data + bytes(-len(data) % 512)


def record(key: str, value: str) -> bytes:
    rest = f" {key}={value}\n"
    length = next(n for n in range(len(rest), len(rest) + 9) if n == len(str(n)) + len(rest))
    return f"{length}{rest}".encode()


def members(data: bytes, most: int = MOST) -> list[Member]:
    with open_tar(io.BytesIO(data), most, 10) as found:
        return list(found)


def names(data: bytes) -> list[str]:
    return [member.name for member in members(data)]


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize(
    "name",
    ["a", "b" * 99, "c" * 90 + "/" + "d" * 99, "caf\u00e9", os.fsdecode(b"caf\xe9.jsonl"), "a\nb", "\x1b[31m"],
)
def test_names_are_read_as_they_were_written(name: str, form: Form) -> None:
    data = head(name, 3, form=form) + b"123" + bytes(509) + head("z")
    with open_tar(io.BytesIO(data), MOST, 2) as found:
        assert [(member.name, member.read(3)) for member in found] == [(name, b"123"), ("z", b"")]


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_long_name_stands_beside_its_head(form: Form) -> None:
    name = "/".join(["n" * 255] * 15)
    assert names(head(name, form=form) + head("z")) == [name, "z"]


def test_an_empty_tar_holds_nothing() -> None:
    assert names(bytes(10240)) == []


def test_what_is_said_of_all_members_is_passed_over() -> None:
    assert names(beside(b"g", record("path", "../evil")) + head()) == ["a"]


def test_a_few_heads_may_stand_before_another() -> None:
    assert names(beside(b"x", record("path", "b")) * 4 + head()) == ["b"]


def test_a_size_beyond_a_head_stands_beside_it() -> None:
    data = beside(b"x", record("size", "3")) + head("a", 0) + b"123" + bytes(509) + head("z")
    assert [member.size for member in members(data)] == [3, 0]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE])
def test_what_has_no_data_claims_none(kind: bytes) -> None:
    found = members(head("a", 2**40, kind) + head("z"))
    assert [(member.size, member.plain) for member in found] == [(0, False), (0, True)]


@pytest.mark.parametrize(
    "data",
    [head("a/", kind=tarfile.AREGTYPE), head(kind=b"S"), beside(b"x", record("GNU.sparse.major", "1")) + head()],
)
def test_folders_and_files_with_holes_are_not_plain(data: bytes) -> None:
    assert [member.plain for member in members(data)] == [False]


DAMAGED: dict[str, Callable[[], bytes]] = {
    "another check value": lambda: b"b" + head()[1:],
    "no number": lambda: _with_field(124, b"9" * 11 + b"\0"),
    "its last block is cut off": lambda: head("a", 3) + b"123",
    "a head that is cut off": lambda: head("a") + head("b")[:500],
    "a record without a length": lambda: beside(b"x", b" path=b\n") + head(),
    "a record of no length": lambda: beside(b"x", b"0 path=b\n") + head(),
    "a record beyond the end": lambda: beside(b"x", b"99 path=b\n") + head(),
    "a record without a value": lambda: beside(b"x", b"7 path\n") + head(),
    "a length of many digits": lambda: beside(b"x", b"1" * MOST_HEAD) + head(),
    "a size that is none": lambda: beside(b"x", record("size", "-1")) + head(),
    "a size of many digits": lambda: beside(b"x", record("size", "9" * 5000)) + head(),
}


def _with_field(at: int, field: bytes) -> bytes:
    block = bytearray(head())
    block[at : at + len(field)] = field
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_head_is_refused(case: str) -> None:
    with pytest.raises(Unreadable, match=r"^cut off or damaged$"):
        members(DAMAGED[case]())


def test_a_size_below_nothing_is_refused() -> None:
    with pytest.raises(Unreadable, match=r"^a negative size in it$"):
        members(_with_field(124, b"\xff" * 12))


def test_a_head_that_is_too_long_is_refused() -> None:
    with pytest.raises(Unreadable, match=r"^a header in it is too long$"):
        members(head("x", MOST_HEAD + 1, b"x") + bytes(MOST_HEAD + 512))


def test_a_member_longer_than_is_wanted_is_refused() -> None:
    with (
        open_tar(io.BytesIO(head("a", 9) + bytes(512)), MOST, 1) as found,
        pytest.raises(Unreadable, match=r"^'a' is too large$"),
    ):
        next(found).read(8)


def test_no_head_is_kept() -> None:
    """What strangers say of members takes the memory of one head, however many there are."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    heads = (beside(kind, _many_records(n)) + head(str(n)) for n in range(30) for kind in (b"x", b"g"))
    data = b"".join(map(packer.compress, heads)) + packer.flush()
    tracemalloc.start()
    with open_tar_gz(io.BytesIO(data), MOST, 60) as found:
        assert sum(1 for _member in found) == 60
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


def _many_records(n: int) -> bytes:
    return b"".join(record(f"key-{n}-{i}", "value") for i in range(2000))


def test_more_packed_bytes_than_unpacked_ones_may_be_are_refused() -> None:
    """Empty parts of a gzip file unpack to nothing, however many there are."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    data = packer.compress(b"a") + b"".join(packer.flush(zlib.Z_FULL_FLUSH) + b"\0\0\0\xff\xff" for _n in range(40_000))
    with (
        pytest.raises(Unreadable, match=r"^larger than is read$"),
        open_tar_gz(io.BytesIO(data), 100_000, 10) as found,
    ):
        list(found)


def test_what_stands_behind_a_gzip_file_does_not_count() -> None:
    with open_tar_gz(io.BytesIO(gzip.compress(head() + bytes(1024)) + b"more"), MOST, 1) as found:
        assert [member.name for member in found] == ["a"]
