"""Zip and tar files of strangers: few members, no longer than they say, nothing kept or followed for long."""

import gzip
import io
import os
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from typing import Literal

import pytest

from intake.errors import Unreadable
from intake.tar_file import MOST_HEAD, Member, open_tar, open_tar_gz
from intake.zip_file import open_zip
from tests.hostile import zips
from tests.hostile.zips import zipped

MOST = 1_000_000


def test_an_honest_zip_is_read() -> None:
    with open_zip(zipped(("a", b"1" * 500), ("b/c", b""))) as members:
        assert members.sizes == {"a": 500, "b/c": 0}
        assert members.read("a", 500) == b"1" * 500
        assert members.read("b/c", 0) == b""


BAD_ZIPS: dict[str, tuple[Callable[[], bytes], str]] = {
    "no zip": (lambda: b"no zip", "^not a zip file, or cut off$"),
    "its end alone": (lambda: b"PK\5\6", "^not a zip file, or cut off$"),
    "cut off": (lambda: zipped(("a", b"123"))[:-30], "^not a zip file, or cut off$"),
    "its middle gone": (lambda: zipped(("a", b"123"))[40:], "^not a zip file, or damaged"),
    "encrypted": (lambda: zips.encrypted(("a", b"123")), "^a is encrypted$"),
    "an unknown method": (
        lambda: zips.of_unknown_method(("a", b"123")),
        "^a is packed in a way Gunbai doesn't read$",
    ),
    "another method": (lambda: zipped(("a", b"1"), method=zipfile.ZIP_LZMA), "^a is packed in a way"),
    "damaged deflate": (
        lambda: zips.with_damaged_deflate(("a", bytes(range(256)) * 20)),
        "^not a zip file, or damaged",
    ),
    "longer than it says": (
        lambda: zips.longer_than_it_says(("a", b"1" * 600_000)),
        "^(a is not as long as|not a zip file, or damaged)",
    ),
    "too large": (lambda: zipped(("a", bytes(MOST + 1))), "^a is too large$"),
    "not there": (lambda: zipped(("b", b"")), "^a is missing$"),
    "many members": (zips.with_many_members, "^too many files in it$"),
    "a huge directory": (lambda: zips.with_a_huge_directory(("a", b"1")), "^too many files in it$"),
    "two ends": (zips.with_two_ends, "^too many files in it$"),
    "large for old zips": (lambda: zipped(("a", b"1"))[:-22] + b"PK\6\7" + bytes(16), "^not a zip file, or cut off$"),
}


@pytest.mark.parametrize("case", BAD_ZIPS)
def test_a_bad_zip_is_refused_in_a_sentence(case: str) -> None:
    make, why = BAD_ZIPS[case]
    data = make()
    with pytest.raises(Unreadable, match=why), open_zip(data) as members:
        members.read("a", MOST)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_refused() -> None:
    data = zipped(("a", b"1"), ("a", b"2"))
    with pytest.raises(Unreadable, match=r"^it holds two files with the same name$"), open_zip(data):
        pass


def tarred(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


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


def _with_field(at: int, field: bytes) -> bytes:
    block = bytearray(head())
    block[at : at + len(field)] = field
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def read_all(data: bytes, most_members: int = 10) -> dict[str, bytes]:
    with open_tar(io.BytesIO(data), MOST, most_members) as members:
        return {member.name: member.read(MOST) for member in members}


def test_an_honest_tar_is_read() -> None:
    files = {"a": b"1" * 200_000, "é/" + "b" * 150: b"", "c": b"3"}
    assert read_all(tarred(*files.items())) == files
    packed = gzip.compress(tarred(*files.items()))
    with open_tar_gz(io.BytesIO(packed), MOST, 3) as members:
        assert {member.name: member.read(MOST) for member in members} == files


def test_members_that_nobody_reads_are_passed_over_and_so_is_what_stands_behind_the_end() -> None:
    data = gzip.compress(tarred(("a", b"1" * 70_000), ("b", b"2")))
    with open_tar_gz(io.BytesIO(data), MOST, 3) as members:
        assert [(member.name, member.size, member.plain) for member in members] == [("a", 70_000, True), ("b", 1, True)]
    with open_tar_gz(io.BytesIO(gzip.compress(head() + bytes(1024)) + b"more"), FIFTY_MB, 1) as found:
        assert [member.name for member in found] == ["a"]


DAMAGED = "^cut off or damaged$"
BAD_TARS = {
    "another check value": (b"b" + head()[1:], DAMAGED),
    "no number": (_with_field(124, b"9" * 11 + b"\0"), DAMAGED),
    "its last block is cut off": (head("a", 3) + b"123", DAMAGED),
    "a head that is cut off": (head("a") + head("b")[:500], DAMAGED),
    "a record without a length": (beside(b"x", b" path=b\n") + head(), DAMAGED),
    "a record of no length": (beside(b"x", b"0 path=b\n") + head(), DAMAGED),
    "a record beyond the end": (beside(b"x", b"99 path=b\n") + head(), DAMAGED),
    "a record without a value": (beside(b"x", b"7 path\n") + head(), DAMAGED),
    "a length of many digits": (beside(b"x", b"1" * MOST_HEAD) + head(), DAMAGED),
    "a size that is none": (beside(b"x", record("size", "-1")) + head(), DAMAGED),
    "a size of many digits": (beside(b"x", record("size", "9" * 5000)) + head(), DAMAGED),
    "no tar": (b"no tar" * 1000, DAMAGED),
    "nothing": (b"", DAMAGED),
    "cut off": (tarred(("a", b"1" * 9000))[:2000], DAMAGED),
    "a huge size": (head(size=2**62), "^larger than 1 MB once unpacked$|^'a' is too large$"),
    "a size below nothing": (_with_field(124, b"\xff" * 12), "^a negative size in it$"),
    "an endless name": (head(size=2**40, kind=tarfile.GNUTYPE_LONGNAME) + bytes(1000), "^a header in it is too long$"),
    "endless particulars": (head(size=2**33, kind=tarfile.XHDTYPE) + bytes(1000), "^a header in it is too long$"),
    "heads before heads": (beside(tarfile.XHDTYPE, b"10 a=bcde\n") * 2000 + head(), "^too many headers before"),
    "names before names": (beside(tarfile.GNUTYPE_LONGNAME, b"a") * 2000 + head(), "^too many headers before"),
    "many members": (b"".join(head(str(n)) for n in range(20)), "^more than 10 files in it$"),
}


@pytest.mark.parametrize("case", BAD_TARS)
def test_a_bad_tar_is_refused_in_a_sentence(case: str) -> None:
    data, why = BAD_TARS[case]
    with pytest.raises(Unreadable, match=why):
        read_all(data)


BAD_GZIPS = {
    "no gzip": (b"no gzip", DAMAGED),
    "cut off": (gzip.compress(tarred(("a", b"1")))[:-12], "^cut off"),
    "damaged": (gzip.compress(tarred(("a", bytes(9000))))[:40] + bytes(60), DAMAGED),
    "its check value is not its own": (gzip.compress(tarred(("a", b"1")))[:-8] + bytes(8), DAMAGED),
    "a bomb behind the end": (gzip.compress(tarred(("a", b"1")) + bytes(3_000_000)), "^larger than 1 MB"),
    "a bomb": (gzip.compress(head(size=2**30) + bytes(3_000_000)), "^larger than 1 MB once unpacked$"),
}


@pytest.mark.parametrize("case", BAD_GZIPS)
def test_a_bad_gzip_is_refused_in_a_sentence(case: str) -> None:
    data, why = BAD_GZIPS[case]
    with pytest.raises(Unreadable, match=why), open_tar_gz(io.BytesIO(data), MOST, 10) as members:
        list(members)


FIFTY_MB = 50_000_000


def members(data: bytes, most: int = FIFTY_MB) -> list[Member]:
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
    with open_tar(io.BytesIO(data), FIFTY_MB, 2) as found:
        assert [(member.name, member.read(3)) for member in found] == [(name, b"123"), ("z", b"")]


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_long_name_stands_beside_its_head(form: Form) -> None:
    name = "/".join(["n" * 255] * 15)
    assert names(head(name, form=form) + head("z")) == [name, "z"]


def test_what_stands_before_a_head_describes_it() -> None:
    assert names(bytes(10240)) == []
    assert names(beside(b"g", record("path", "../evil")) + head()) == ["a"], "what is said of all is passed over"
    assert names(beside(b"x", record("path", "b")) * 4 + head()) == ["b"]
    sized = beside(b"x", record("size", "3")) + head("a", 0) + b"123" + bytes(509) + head("z")
    assert [member.size for member in members(sized)] == [3, 0]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE])
def test_what_has_no_data_claims_none(kind: bytes) -> None:
    found = members(head("a", 2**40, kind) + head("z"))
    assert [(member.size, member.plain) for member in found] == [(0, False), (0, True)]


@pytest.mark.parametrize(
    "data",
    [
        head("a/", kind=tarfile.AREGTYPE),
        head(kind=b"S"),
        beside(b"x", record("GNU.sparse.major", "1")) + head(),
    ],
)
def test_folders_and_files_with_holes_are_not_plain(data: bytes) -> None:
    assert [member.plain for member in members(data)] == [False]


def test_a_member_longer_than_is_wanted_is_refused() -> None:
    with (
        open_tar(io.BytesIO(head("a", 9) + bytes(512)), FIFTY_MB, 1) as found,
        pytest.raises(Unreadable, match=r"^'a' is too large$"),
    ):
        next(found).read(8)


def test_no_head_is_kept() -> None:
    """What strangers say of members takes the memory of one head, however many there are."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    many = [b"".join(record(f"key-{n}-{i}", "value") for i in range(2000)) for n in range(30)]
    heads = (beside(kind, records) + head(str(n)) for n, records in enumerate(many) for kind in (b"x", b"g"))
    data = b"".join(map(packer.compress, heads)) + packer.flush()
    tracemalloc.start()
    with open_tar_gz(io.BytesIO(data), FIFTY_MB, 60) as found:
        assert sum(1 for _member in found) == 60
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


def test_more_packed_bytes_than_unpacked_ones_may_be_are_refused() -> None:
    """Empty parts of a gzip file unpack to nothing, however many there are."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    data = packer.compress(b"a") + b"".join(packer.flush(zlib.Z_FULL_FLUSH) + b"\0\0\0\xff\xff" for _n in range(40_000))
    with (
        pytest.raises(Unreadable, match=r"^larger than is read$"),
        open_tar_gz(io.BytesIO(data), 100_000, 10) as found,
    ):
        list(found)
