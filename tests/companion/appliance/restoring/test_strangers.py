"""Backups that are damaged, or that a stranger may have made."""

import gzip
import io
import random
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.appliance import copies, kinds, restoring
from intake.errors import Unreadable
from tests.companion.appliance.backup.conftest import NEW, PASS, put, state_of
from tests.companion.appliance.restoring.copies import (
    BOARD,
    DIGITS,
    JUNK,
    NESTED,
    ODD_NAMES,
    copy_of,
    digests,
    fates,
    manifest,
    member,
    packed,
    restored,
    survey,
)
from tests.companion.commands.terminal import Capture, fault
from tests.companion.sample_games import saved


def why_not(files: Mapping[str, bytes]) -> dict[str, str]:
    return dict(survey(copy_of(files)).left_out)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_that_gunbai_has_for_nothing_is_left_out(name: str, data: Path) -> None:
    found = restored(copy_of({name: NEW, "games/a.jsonl": NEW}))
    assert fates(found) == {"games/a.jsonl": "new"}
    assert found.left_out == ((name if len(name) < 240 else f"{name[:240]}…", "no file that Gunbai has there"),)
    assert state_of(data.parent) == {"data/games/a.jsonl": NEW}


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.DIRTYPE]
)
def test_what_is_no_plain_file_is_left_out(kind: bytes, data: Path) -> None:
    odd = member("games/b.jsonl", kind=kind)
    found = restored(copy_of({"games/a.jsonl": NEW}, odd, named={"games/b.jsonl": b""}))
    ((name, why),) = found.left_out
    assert name.startswith("games/b.jsonl")
    assert why in ("no plain file", "no file that Gunbai has there")
    assert state_of(data) == {"games/a.jsonl": NEW}


def test_of_two_files_of_one_name_the_first_counts(data: Path) -> None:
    found = restored(copy_of({"games/a.jsonl": NEW}, member("games/a.jsonl", PASS)))
    assert found.left_out == (("games/a.jsonl", "there twice"),)
    assert state_of(data) == {"games/a.jsonl": NEW}


def test_what_no_manifest_names_is_left_out(data: Path) -> None:
    found = restored(copy_of({"games/a.jsonl": NEW}, member("games/b.jsonl", NEW)))
    assert found.left_out == (("games/b.jsonl", "its manifest does not name it"),)


def test_names_that_differ_in_their_case_alone_are_two_files(data: Path) -> None:
    files = {"games/a.jsonl": NEW, "games/A.jsonl": NEW + PASS, "games/a.JSONL": NEW}
    assert set(fates(restored(copy_of(files)))) == {"games/a.jsonl", "games/A.jsonl"}
    assert state_of(data) == {"games/a.jsonl": NEW, "games/A.jsonl": NEW + PASS}


def test_what_is_not_what_its_name_says_is_left_out(data: Path) -> None:
    found = why_not({name: text for name, (text, _why) in JUNK.items()})
    assert found.keys() == JUNK.keys()
    for name, (_text, why) in JUNK.items():
        assert found[name].startswith(why), name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"a = " + DIGITS, "a number with too many digits"),
        (b"a = " + NESTED, "nested too deeply"),
        (b"\xff", "not a text file"),
        (b"volume = 3", "volume: no such key"),
        (b"[sound]\nvolume = 3000", "sound.volume: expected a whole number from 0 to 100"),
        (b'table = "/etc/passwd"', "table: not chosen in the app"),
        (b'camera = "/"', "camera: not chosen in the app"),
        (b"[pins]\nconfirm_one = 5", "pins: not chosen in the app"),
        (b'[desk]\ncontroller = "/home/pi/x"', "'/home/pi/x' is no device"),
        (b'[desk]\nreaders = ["/dev/../x"]', "'/dev/../x' is no device"),
    ],
)
def test_choices_that_could_lead_astray_are_left_out(text: bytes, why: str, data: Path) -> None:
    assert why_not({copies.CHOSEN: text})[copies.CHOSEN].startswith(why)


def png(width: int, height: int) -> bytes:
    """Build the head of a picture file."""
    sides = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + b"IHDR" + sides + b"\x08\x02\0\0\0"


def test_tables_with_large_pictures_or_much_behind_little_are_left_out(data: Path) -> None:
    def table(method: int, **members: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as pack:
            for name, text in members.items():
                pack.writestr(name.replace("_", "."), text)
        return out.getvalue()

    head, large = b'{"kind": "gunbai-table"}', png(30_000, 30_000)
    files = {
        "tables/a.table": table(zipfile.ZIP_STORED, table_json=head, reference_png=large),
        "tables/b.table": table(zipfile.ZIP_STORED, table_json=head, reference_png=png(9, 9), start_png=large),
        "tables/c.table": table(zipfile.ZIP_DEFLATED, table_json=head, reference_png=png(9, 9) + bytes(9_000_000)),
        "tables/d.table": table(zipfile.ZIP_STORED, table_json=b"{}", reference_png=png(9, 9)),
        "tables/e.table": table(zipfile.ZIP_STORED, table_json=head, reference_png=png(9, 9)),
    }
    assert why_not(files) == {
        "tables/a.table": "30000x30000 pixels are too many; at most 6000 across",
        "tables/b.table": "30000x30000 pixels are too many; at most 6000 across",
        "tables/c.table": "not a table: it unpacks to more than any",
        "tables/d.table": "not a table",
    }


def test_what_lies_beside_a_game_that_is_left_out_is_too(data: Path) -> None:
    found = restored(
        copy_of({"games/a.jsonl.undone": b"{}\n", "games/a.jsonl": b"junk", "games/b.jsonl.undone": b"{}\n"})
    )
    assert found.left_out[1:] == (("games/a.jsonl.undone", "so is its game"),)
    assert state_of(data) == {"games/b.jsonl.undone": b"{}\n"}


def test_a_game_whose_first_line_can_be_put_right_is_restored(data: Path) -> None:
    game = b'{"do": "new", "board": "sengoku-rivers", "sum": "00000000"}\n'
    assert fates(survey(copy_of({"games/a.jsonl": game.replace(b'"do"', b'"do\xff')}))) == {"games/a.jsonl": "new"}


def test_a_game_that_is_damaged_later_on_is_restored_as_it_is(data: Path) -> None:
    text = saved(steps=3) + b'{"deploy": ' + DIGITS + b"}\n" + NESTED
    assert fates(restored(copy_of({"games/a.jsonl": text}))) == {"games/a.jsonl": "new"}
    assert (data / "games/a.jsonl").read_bytes() == text


def test_more_than_anybody_has_is_not_read(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoring, "MOST_JUDGED", kinds.TOML * len(BOARD) + 10)
    found = why_not({"boards/sengoku-rivers-ana.toml": BOARD, "boards/b.toml": BOARD, "games/a.jsonl": NEW})
    assert found == {"boards/b.toml": "too much to read in one copy", "games/a.jsonl": "too much to read in one copy"}


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
        assert found == digests(files)  # a byte of gzip's head that nothing depends on


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
    told = fault(capsys, "restore", str(tmp_path / "bomb.tar.gz"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000
    assert told == f"{tmp_path / 'bomb.tar.gz'}: larger than 1000 MB once unpacked"


def test_a_copy_of_more_than_any_holds_is_refused(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = copy_of({f"games/{n}.jsonl": NEW for n in range(4)})
    monkeypatch.setattr(copies, "MOST_FILES", 3)
    with pytest.raises(Unreadable, match=r"^more than 4 files in it$"):
        survey(whole)
    monkeypatch.setattr(copies, "MOST_BYTES", 2_000)
    with pytest.raises(Unreadable, match=r"^larger than 0 MB once unpacked$"):
        survey(whole)


def test_a_file_larger_than_any_is_left_out_and_not_kept_in_memory(data: Path) -> None:
    text = bytes(copies.MOST_FILE_BYTES + 1)
    files = {"games/a.jsonl": text, "games/b.jsonl": NEW}
    out = io.BytesIO()
    copies.write(out, digests(files), files.__getitem__)
    del text, files
    tracemalloc.start()
    found = survey(out.getvalue())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.left_out == (("games/a.jsonl", "too large"),)
    assert peak < 10_000_000
