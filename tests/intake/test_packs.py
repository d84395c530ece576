"""Zip and tar files of strangers: few members, no longer than they say, none that takes the memory."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from intake.errors import Unreadable
from intake.tar_file import open_tar, open_tar_gz
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


def head(name: str = "a", size: int = 0, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


def read_all(data: bytes, most_members: int = 10) -> dict[str, bytes]:
    with open_tar(io.BytesIO(data), MOST, most_members) as members:
        return {member.name: member.read(MOST) for member in members}


def test_an_honest_tar_is_read() -> None:
    files = {"a": b"1" * 200_000, "é/" + "b" * 150: b"", "c": b"3"}
    assert read_all(tarred(*files.items())) == files
    packed = gzip.compress(tarred(*files.items()))
    with open_tar_gz(io.BytesIO(packed), MOST, 3) as members:
        assert {member.name: member.read(MOST) for member in members} == files


def test_members_that_nobody_reads_are_passed_over() -> None:
    data = gzip.compress(tarred(("a", b"1" * 70_000), ("b", b"2")))
    with open_tar_gz(io.BytesIO(data), MOST, 3) as members:
        assert [(member.name, member.size, member.plain) for member in members] == [("a", 70_000, True), ("b", 1, True)]


def before_it(kind: bytes, text: bytes) -> bytes:
    """Return a record that may stand before a member's head: its long name, or particulars of it."""
    return head(size=len(text), kind=kind) + text + bytes(-len(text) % 512)


BAD_TARS = {
    "no tar": (b"no tar" * 1000, "^cut off or damaged$"),
    "nothing": (b"", "^cut off or damaged$"),
    "cut off": (tarred(("a", b"1" * 9000))[:2000], "^cut off or damaged$"),
    "a huge size": (head(size=2**62), "^larger than 1 MB once unpacked$|^'a' is too large$"),
    "a size below nothing": (
        head()[:124] + b"\xff" * 12 + head()[136:],
        "^(a negative size in it|cut off or damaged)$",
    ),
    "an endless name": (head(size=2**40, kind=tarfile.GNUTYPE_LONGNAME) + bytes(1000), "^a header in it is too long$"),
    "endless particulars": (head(size=2**33, kind=tarfile.XHDTYPE) + bytes(1000), "^a header in it is too long$"),
    "heads before heads": (before_it(tarfile.XHDTYPE, b"10 a=bcde\n") * 2000 + head(), "^too many headers before"),
    "names before names": (before_it(tarfile.GNUTYPE_LONGNAME, b"a") * 2000 + head(), "^too many headers before"),
    "many members": (b"".join(head(str(n)) for n in range(20)), "^more than 10 files in it$"),
}


@pytest.mark.parametrize("case", BAD_TARS)
def test_a_bad_tar_is_refused_in_a_sentence(case: str) -> None:
    data, why = BAD_TARS[case]
    with pytest.raises(Unreadable, match=why):
        read_all(data)


BAD_GZIPS = {
    "no gzip": (b"no gzip", "^cut off or damaged$"),
    "cut off": (gzip.compress(tarred(("a", b"1")))[:-12], "^cut off"),
    "damaged": (gzip.compress(tarred(("a", bytes(9000))))[:40] + bytes(60), "^cut off or damaged$"),
    "its check value is not its own": (gzip.compress(tarred(("a", b"1")))[:-8] + bytes(8), "^cut off or damaged$"),
    "a bomb behind the end": (gzip.compress(tarred(("a", b"1")) + bytes(3_000_000)), "^larger than 1 MB"),
    "a bomb": (gzip.compress(head(size=2**30) + bytes(3_000_000)), "^larger than 1 MB once unpacked$"),
}


def passed_over(packed: bytes) -> list[str]:
    with open_tar_gz(io.BytesIO(packed), MOST, 10) as members:
        return [member.name for member in members]


@pytest.mark.parametrize("case", BAD_GZIPS)
def test_a_bad_gzip_is_refused_in_a_sentence(case: str) -> None:
    data, why = BAD_GZIPS[case]
    with pytest.raises(Unreadable, match=why):
        passed_over(data)


def test_links_and_devices_are_not_plain() -> None:
    data = head("a", kind=tarfile.SYMTYPE) + head("b", kind=tarfile.CHRTYPE) + bytes(1024)
    with open_tar(io.BytesIO(data), MOST, 10) as members:
        assert [member.plain for member in members] == [False, False]
