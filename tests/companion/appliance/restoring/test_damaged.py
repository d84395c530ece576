"""Backups that are damaged or large."""

import gzip
import io
import random
import tarfile
import tracemalloc
import zlib
from pathlib import Path

import pytest

from companion.appliance import copies
from companion.cli import main
from intake.errors import Unreadable
from tests.companion.appliance import earlier
from tests.companion.appliance.household import put
from tests.companion.appliance.restoring.copies import (
    DIGITS,
    NEW,
    PASS,
    Capture,
    restored,
    survey,
)
from tests.companion.appliance.strangers import copy_of, manifest, member, packed
from tests.companion.sample_games import saved


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[" * 100_000,
        b'{"what": "gunbai backup", "format": 2, "files": {}}',
        b'{"what": ' + DIGITS + b"}",
    ],
)
def test_a_copy_without_a_sound_manifest_is_none(text: bytes) -> None:
    with pytest.raises(Unreadable, match=r"^not a copy of saved games"):
        survey(packed([member(copies.MANIFEST, text)]))


def test_a_copy_that_begins_with_something_else_is_none() -> None:
    with pytest.raises(Unreadable, match=r"^not a copy of saved games$"):
        survey(packed([member("games/a.jsonl", NEW), member(copies.MANIFEST, manifest({"games/a.jsonl": NEW}))]))


def test_a_file_that_is_missing_is_told(data: Path) -> None:
    with pytest.raises(Unreadable, match=r"^cut off: 'games/b.jsonl' is missing \(2 in all\)$"):
        survey(copy_of({"games/a.jsonl": NEW}, named={"games/c.jsonl": b"", "games/b.jsonl": b""}))


def test_a_file_that_is_not_what_was_copied_is_told_and_nothing_is_written(data: Path) -> None:
    twisted = packed([member(copies.MANIFEST, manifest({"games/a.jsonl": PASS})), member("games/a.jsonl", NEW)])
    with pytest.raises(Unreadable, match=r"^damaged: 'games/a.jsonl' isn't what was copied$"):
        restored(twisted)
    assert not data.exists()


def test_whatever_is_cut_or_changed_is_refused(data: Path) -> None:
    files = {f"games/{n}.jsonl": saved(steps=n) for n in range(8)}
    whole = copy_of(files)
    chance = random.Random(6)
    for number in range(200):
        broken = bytearray(whole)
        if number % 2:
            broken = broken[: chance.randrange(len(broken))]
        else:
            broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        try:
            found = copies.verify_copy(io.BytesIO(broken))
        except Unreadable:
            continue
        assert found == earlier.digests(files)  # a byte of gzip's head that nothing depends on


def bomb(head: tarfile.TarInfo, size: int) -> bytes:
    """Build a copy of one file that claims to be as its head says, with `size` bytes behind it."""
    first = packed([member(copies.MANIFEST, manifest({head.name: b""}))])
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    start = gzip.decompress(first).rstrip(b"\0")
    start += bytes(-len(start) % 512) + head.tobuf(tarfile.GNU_FORMAT)
    data = packer.compress(start) + b"".join(packer.compress(bytes(1_000_000)) for _n in range(size // 1_000_000))
    return data + packer.flush()


@pytest.mark.parametrize("size", [2**30, 2**40, 2**62])
def test_a_bomb_takes_no_memory_and_one_sentence(size: int, data: Path, tmp_path: Path, capsys: Capture) -> None:
    head = tarfile.TarInfo("games/a.jsonl")
    head.size = size
    put(tmp_path / "bomb.tar.gz", bomb(head, 60_000_000))
    tracemalloc.start()
    assert main(["restore", str(tmp_path / "bomb.tar.gz")]) == 2
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err == f"gunbai: {tmp_path / 'bomb.tar.gz'}: larger than 1000 MB once unpacked\n"


def test_a_copy_of_more_than_any_holds_is_refused(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = copy_of({f"games/{n}.jsonl": NEW for n in range(4)})
    monkeypatch.setattr(copies, "MOST_FILES", 3)
    with pytest.raises(Unreadable, match=r"^more than 4 files in it$"):
        survey(whole)
    monkeypatch.setattr(copies, "MOST_BYTES", 2_000)
    with pytest.raises(Unreadable, match=r"^larger than 0 MB once unpacked$"):
        survey(whole)


def test_a_file_larger_than_any_is_left_out_and_not_kept_in_memory(data: Path) -> None:
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    text = bytes(copies.MOST_FILE_BYTES + 1)
    files = {"games/a.jsonl": text, "games/b.jsonl": NEW}
    digests = earlier.digests(files)
    out = io.BytesIO()
    copies.write(out, digests, files.__getitem__)
    del packer, text, files
    tracemalloc.start()
    found = survey(out.getvalue())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.left_out == (("games/a.jsonl", "too large"),)
    assert peak < 10_000_000
