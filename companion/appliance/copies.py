"""The format of a copy of the saved games: a tar.gz whose first member lists the check values of all others.

A copy is written and read file by file, and never held as a whole. It is read as a stranger's: what becomes of each
file in it is for `companion.appliance.kinds` to say.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from companion import __version__
from companion.core.errors import ApplianceError
from intake.errors import Unreadable
from intake.files import open_file
from intake.json_text import parse_object
from intake.tar_file import BLOCK, CHUNK, Member, open_tar_gz

WHAT, FORMAT = "gunbai backup", 1
MANIFEST = "manifest.json"
FOLDERS = ("games", "boards", "decks", "scenarios", "tables", "tags")
CHOSEN = "settings/chosen.toml"
MOST_BYTES, MOST_FILES = 1_000_000_000, 100_000
MOST_FILE_BYTES = 50_000_000
MOST_MANIFEST_BYTES = 16_000_000
HEAD_BYTES = 3_000
"""The most bytes that a file adds to a copy beside its own: its header, its name, the padding of its last block."""
RECORD = 20 * BLOCK  # tar pads an archive to whole records of 20 blocks


class Writable(Protocol):
    """Anything that bytes can be written to."""

    def write(self, data: bytes, /) -> int:
        """Write all of the bytes."""


# ---- writing ------------------------------------------------------------------------------------------------------


def digest_of(data: bytes) -> str:
    """Return a file's check value: sha256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write(out: Writable, digests: Mapping[str, str], content: Callable[[str], bytes]) -> None:
    """Write a copy of these files, {name such as games/a.jsonl: check value}; equal files make equal bytes.

    content: returns a file's bytes; called once for each, in the order of their names.
    """
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)  # gzip, without a time in its head
    told = {"what": WHAT, "format": FORMAT, "version": __version__, "files": dict(sorted(digests.items()))}
    size = 0
    for name in (MANIFEST, *sorted(digests)):
        data = _manifest(told) if name == MANIFEST else content(name)
        info = tarfile.TarInfo(name)
        info.size = len(data)
        for part in (info.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape"), data, bytes(-len(data) % BLOCK)):
            out.write(packer.compress(part))
            size += len(part)
    out.write(packer.compress(bytes(2 * BLOCK + -(size + 2 * BLOCK) % RECORD)) + packer.flush())


def told_bytes(name: str) -> int:
    """Return the most bytes that a file's line in the manifest can take."""
    return len(json.dumps(name)) + 100


def _manifest(told: Mapping[str, object]) -> bytes:
    """Return the manifest as JSON: in UTF-8, or in ASCII if a file's name isn't valid UTF-8."""
    text = json.dumps(told, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(told).encode()


# ---- reading ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Content:
    """A file in a copy.

    size: in bytes; digest: the one listed for it, "" if none is; odd: why a copy must not hold it, "" if it may.
    """

    name: str
    size: int
    digest: str
    odd: str
    member: Member

    def read(self) -> bytes:
        """Read the file's bytes; call it once only. Unreadable if they are too many, or not those that were copied."""
        data = self.member.read(MOST_FILE_BYTES)
        self.compare(digest_of(data))
        return data

    def compare(self, digest: str) -> None:
        """Raise Unreadable if the digest of what was read isn't the one listed for this file."""
        if digest != self.digest:
            raise Unreadable(f"damaged: {self.name!r} isn't what was copied")


@contextmanager
def open_copy(path: Path) -> Iterator[BinaryIO]:
    """Open a copy's file, for `contents` and `verify_copy`.

    A failure to open it, or Unreadable while it is open, becomes an ApplianceError that names the file.
    """
    with _blamed(str(path)):
        try:
            file = open_file(path)
        except OSError as error:
            raise Unreadable(f"can't be read ({error.strerror})") from error
        with file:
            yield file


@contextmanager
def open_piped_copy(given: BinaryIO) -> Iterator[BinaryIO]:
    """Open a copy from standard input, as `open_copy` does; the file is empty if nothing comes."""
    with _blamed("standard input"), tempfile.TemporaryFile() as file:
        while chunk := given.read(CHUNK):
            if file.tell() + len(chunk) > MOST_BYTES:
                raise Unreadable("too large for a copy of saved games")
            file.write(chunk)
        yield file


@contextmanager
def _blamed(name: str) -> Iterator[None]:
    try:
        yield
    except Unreadable as error:
        told = "cut off, damaged, or not a copy of saved games" if str(error) == "cut off or damaged" else str(error)
        raise ApplianceError(f"{name}: {told}") from error


def contents(file: BinaryIO) -> Iterator[Content]:
    """Yield the files of a copy, from its beginning; Unreadable if it is no copy, or damaged.

    Read each before taking the next. A file of the manifest that is missing raises Unreadable at the end.
    """
    file.seek(0)
    with open_tar_gz(file, MOST_BYTES, MOST_FILES + 1) as members:
        wanted = _digests_of(next(members, None))
        missing = set(wanted)
        for member in members:
            odd = "" if member.plain else "no plain file"
            if member.name not in missing:
                odd = odd or ("there twice" if member.name in wanted else "its manifest does not name it")
            missing.discard(member.name)
            yield Content(member.name, member.size, wanted.get(member.name, ""), odd, member)
    if missing:
        raise Unreadable(f"cut off: {min(missing)!r} is missing ({len(missing)} in all)")


def _digests_of(member: Member | None) -> dict[str, str]:
    """Read {name: check value} from the manifest."""
    if member is None or member.name != MANIFEST or not member.plain:
        raise Unreadable("not a copy of saved games")
    try:
        told = parse_object(member.read(MOST_MANIFEST_BYTES), MOST_MANIFEST_BYTES, halves=True)
    except Unreadable as error:
        raise Unreadable(f"not a copy of saved games: {MANIFEST}: {error}") from error
    match told:
        case {"what": what, "format": form, "files": dict(files)} if what == WHAT and form == FORMAT:
            return {name: str(digest) for name, digest in files.items()}
    raise Unreadable("not a copy of saved games")


def verify_copy(file: BinaryIO) -> dict[str, str]:
    """Read all of a copy and return {name: check value}; Unreadable if anything in it is damaged or odd."""
    found = {}
    for content in contents(file):
        if content.odd:
            raise Unreadable(
                f"holds something that doesn't belong in a copy of saved games: {content.name!r} ({content.odd})"
            )
        value = hashlib.sha256()
        for chunk in content.member.chunks:
            value.update(chunk)
        content.compare(value.hexdigest())
        found[content.name] = content.digest
    return found
