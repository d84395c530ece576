"""The form of a copy of the saved games: a tar.gz whose first member tells the check value of every other.

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
"""What a file takes at most in a copy beside its own bytes: its head, its name, what fills its last block up."""
RECORD = 20 * BLOCK  # tar pads an archive to whole records of 20 blocks


class Writable(Protocol):
    """Anything that takes bytes."""

    def write(self, data: bytes, /) -> int:
        """Take them all."""


# ---- writing ------------------------------------------------------------------------------------------------------


def digest_of(data: bytes) -> str:
    """Return a file's check value: sha256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write(out: Writable, digests: Mapping[str, str], content: Callable[[str], bytes]) -> None:
    """Write a copy of these files, {name such as games/a.jsonl: check value}; the same files make the same bytes.

    content: a file's bytes, asked for once each, in the order of their names.
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
    """Return how long a file's line in the manifest is at most, in bytes."""
    return len(json.dumps(name)) + 100


def _manifest(told: Mapping[str, object]) -> bytes:
    """Return the manifest as JSON; a name that is no UTF-8 has halves of surrogate pairs, which go as numbers alone."""
    text = json.dumps(told, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(told).encode()


# ---- reading ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Content:
    """A file in a copy: its name, its size in bytes, its check value; odd: why it is no file that a copy may hold."""

    name: str
    size: int
    digest: str
    odd: str
    member: Member

    def read(self) -> bytes:
        """Read the file's bytes, once; Unreadable where they are too many, or not what was copied."""
        data = self.member.read(MOST_FILE_BYTES)
        self.compare(digest_of(data))
        return data

    def compare(self, digest: str) -> None:
        """Compare the check value of what was read with the file's; Unreadable where it is another."""
        if digest != self.digest:
            raise Unreadable(f"damaged: {self.name!r} isn't what was copied")


@contextmanager
def open_copy(path: Path) -> Iterator[BinaryIO]:
    """Open a copy's file, for `contents` and `verified`.

    Whatever is wrong with it is an ApplianceError with its name.
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
    """Open, as `opened` does, what comes on standard input; an empty file where nothing comes."""
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
    """Yield the files of a copy, one after the other, from its beginning; Unreadable where it is none, or damaged.

    Each has to be read, if at all, before the next one is asked for. What the manifest names is there in the end.
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
    """Return {name: check value} of a copy that is whole and sound; Unreadable where it is not."""
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
