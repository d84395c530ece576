"""Zip files within limits: few members, packed in the two usual ways, none encrypted, none longer than it says."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from intake.errors import Unreadable

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1
END, END_BYTES = b"PK\5\6", 22
LARGE, LARGE_BYTES = b"PK\6\7", 20  # ahead of the end record: says where another one is, whose numbers hold instead
MOST_COMMENT = 0xFFFF
MOST_DIRECTORY = 65_536  # bytes: the list of a few hundred members; each would take half a kilobyte of memory


class Members:
    """The members of an open zip file."""

    def __init__(self, pack: zipfile.ZipFile) -> None:
        self._pack = pack
        self._infos = {info.filename: info for info in pack.infolist()}
        if len(self._infos) < len(pack.infolist()):
            raise Unreadable("it holds two files with the same name")

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes that the members claim to have unpacked, {name: bytes}."""
        return {name: info.file_size for name, info in self._infos.items()}

    def read(self, name: str, most_bytes: int) -> bytes:
        """Unpack a member; raise Unreadable if it is missing, can't be unpacked, or is longer than `most_bytes`."""
        info = self._infos.get(name)
        if info is None:
            raise Unreadable(f"{name} is missing")
        if info.flag_bits & ENCRYPTED:
            raise Unreadable(f"{name} is encrypted")
        if info.compress_type not in METHODS:
            raise Unreadable(f"{name} is packed in a way Gunbai doesn't read")
        if info.file_size > most_bytes:
            raise Unreadable(f"{name} is too large")
        with self._pack.open(info) as member:
            content = member.read(info.file_size + 1)
        if len(content) != info.file_size:
            raise Unreadable(f"{name} isn't as long as the zip says")
        return content


@contextmanager
def open_zip(data: bytes) -> Iterator[Members]:
    """Provide a context with the members of a zip file, given as bytes.

    Unreadable for whatever is wrong with the file, also while it is open.
    """
    _refuse_many(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            yield Members(pack)
    except Unreadable:
        raise
    except (
        *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
        *(NotImplementedError, RuntimeError, ValueError, OverflowError),
    ) as error:
        raise Unreadable(f"not a zip file, or damaged ({error})") from error


def _refuse_many(data: bytes) -> None:
    """Look at the end record before anything else: the whole directory is read into memory when a zip is opened."""
    at = data.rfind(END, max(0, len(data) - END_BYTES - MOST_COMMENT))
    if at < 0 or len(data) < at + END_BYTES:
        raise Unreadable("not a zip file, or cut off")
    (size,) = struct.unpack_from("<L", data, at + 12)
    if size > MOST_DIRECTORY or data[max(0, at - LARGE_BYTES) :].startswith(LARGE):
        raise Unreadable("too many files in it")
