"""`gunbai restore`: all comes back, no newer game is overwritten, a stranger's copy brings nothing but what it may."""

import gzip
import io
import os
import random
import tarfile
import tracemalloc
import zipfile
import zlib
from collections import namedtuple
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.app.app import App
from companion.appliance import backing_up, copies, kinds, restoring
from companion.appliance.restoring import Survey
from companion.cli import main
from companion.core import storage
from companion.core.errors import ApplianceError
from companion.games import shelf, statistics
from companion.settings import layers
from intake.errors import Unreadable
from tests.companion.appliance import earlier
from tests.companion.appliance.household import SCENARIO, furnish, put, state_of
from tests.companion.appliance.strangers import Member, copy_of, manifest, member, packed
from tests.companion.games.test_power import Disk
from tests.companion.sample_games import saved
from tests.companion.tracing.photos import rivers

Capture = pytest.CaptureFixture[str]
NEW = b'{"do": "new", "board": "sengoku-rivers", "initiative": "red"}\n'
PASS = b'{"pass": true}\n'
LATIN = os.fsdecode(b"caf\xe9.jsonl")
NESTED = b"[" * 3000
Usage = namedtuple("Usage", "total used free")
DIGITS = b"9" * 5000


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for games and choices."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    return tmp_path / "data"


INDEXES = {f"games/{name}" for name in (shelf.INDEX, statistics.INDEX, f"{shelf.TRASH}/{shelf.INDEX}")}


def kept(folder: Path) -> dict[str, bytes]:
    """What lies there but for what is worked out anew."""
    return {name: text for name, text in state_of(folder).items() if name not in INDEXES}


def survey(packed_copy: bytes) -> Survey:
    return restoring.survey(io.BytesIO(packed_copy))


def restored(packed_copy: bytes) -> Survey:
    file = io.BytesIO(packed_copy)
    surveyed = restoring.survey(file)
    restoring.restore(file, surveyed)
    return surveyed


def fates(surveyed: Survey) -> dict[str, str]:
    return {plan.name: plan.fate for plan in surveyed.plans}


def why_not(files: Mapping[str, bytes]) -> dict[str, str]:
    return dict(survey(copy_of(files)).left_out)


# ---- all comes back -----------------------------------------------------------------------------------------------


def test_all_that_the_app_writes_comes_back(data: Path, tmp_path: Path) -> None:
    furnish()
    assert state_of(data).keys() >= INDEXES
    before, chosen = kept(data), layers.chosen_file().read_bytes()
    path = backing_up.back_up(tmp_path / "stick").path
    assert path is not None
    for name in before:
        (data / name).unlink()
    layers.chosen_file().unlink()
    whole = path.read_bytes()
    surveyed = restored(whole)
    assert (set(fates(surveyed).values()), surveyed.left_out) == ({"new"}, ())
    assert kept(data) == before
    assert layers.chosen_file().read_bytes() == chosen
    assert set(fates(restored(whole)).values()) == {"same"}
    assert kept(data) == before


def test_copies_of_the_version_before_are_restored_and_ours_by_it(data: Path, tmp_path: Path) -> None:
    furnish()
    put(data / "games" / LATIN, NEW)
    put(data / "games" / "a\nb.jsonl", NEW)
    put(data / "games" / ("x" * 200 + ".jsonl"), NEW)
    path = backing_up.back_up(tmp_path / "stick").path
    assert path is not None
    files = earlier.read(path.read_bytes())
    assert {name: files[name] for name in kept(data)} == kept(data)
    del files[f"games/{LATIN}"]  # over such a name the version before gave up
    old = earlier.written(files)
    before = kept(data)
    for name in before:
        (data / name).unlink()
    layers.chosen_file().unlink()
    assert set(fates(restored(old)).values()) == {"new"}
    assert {**kept(data), f"games/{LATIN}": NEW} == before
    assert set(fates(restored(path.read_bytes())).values()) == {"new", "same"}
    assert kept(data) == before


def test_the_same_files_make_the_same_bytes_as_before() -> None:
    files = {"games/a.jsonl": b"1" * 200_000, "games/b" * 30: os.urandom(3000), "tags/é.toml": b""}
    out = io.BytesIO()
    copies.write(out, earlier.digests(files), files.__getitem__)
    assert gzip.decompress(out.getvalue()) == gzip.decompress(earlier.written(files))


# ---- no newer game is overwritten ---------------------------------------------------------------------------------

GAMES = {"games/a.jsonl": NEW + PASS, "games/a.jsonl.undone": b"{}\n", "games/a-2.jsonl": NEW}


@pytest.mark.parametrize(
    ("here", "fate", "after"),
    [
        (NEW + PASS + PASS, "newer here", {"a.jsonl": NEW + PASS + PASS}),
        (NEW, "longer in the copy", {"a.jsonl": NEW + PASS, "a.jsonl.broken-1": NEW}),
        (b"", "longer in the copy", {"a.jsonl": NEW + PASS, "a.jsonl.broken-1": b""}),
        (
            NEW + b'{"accept": true}\n',
            "both",
            {"a.jsonl": NEW + b'{"accept": true}\n', "a-3.jsonl": NEW + PASS, "a-3.jsonl.undone": b"{}\n"},
        ),
        (NEW + PASS, "same", {"a.jsonl": NEW + PASS, "a.jsonl.undone": b"{}\n"}),
    ],
)
def test_no_newer_game_is_overwritten(data: Path, here: bytes, fate: str, after: dict[str, bytes]) -> None:
    put(data / "games/a.jsonl", here)
    assert fates(restored(copy_of(GAMES)))["games/a.jsonl"] == fate
    assert state_of(data / "games") == {**after, "a-2.jsonl": NEW}


def test_a_game_that_goes_on_otherwise_gets_a_name_that_nobody_has(data: Path) -> None:
    put(data / "games/a.jsonl", NEW + b'{"accept": true}\n')
    put(data / "games/a-3.jsonl", NEW)
    restored(copy_of(GAMES))
    assert (data / "games/a-4.jsonl").read_bytes() == NEW + PASS


def test_what_lies_beside_a_game_here_stays(data: Path) -> None:
    put(data / "games/a.jsonl", NEW + PASS)
    put(data / "games/a.jsonl.undone", b"mine\n")
    assert fates(restored(copy_of(GAMES)))["games/a.jsonl.undone"] == "kept"
    assert (data / "games/a.jsonl.undone").read_bytes() == b"mine\n"


def test_other_things_that_differ_stay(data: Path) -> None:
    put(data / "boards/sengoku-rivers-ana.toml", b"mine")
    os.mkfifo(data / "boards/pipe.toml")
    (data / "games").mkdir()
    (data / "games/a.jsonl").symlink_to("nowhere")
    put(layers.chosen_file(), b'language = "en"\n')
    files = {
        **GAMES,
        "boards/sengoku-rivers-ana.toml": rivers().text().encode(),
        copies.CHOSEN: b'language = "pt_BR"\n',
    }
    found = fates(restored(copy_of(files)))
    assert {name for name, fate in found.items() if fate == "kept"} == files.keys() - {"games/a-2.jsonl"}
    assert (data / "boards/sengoku-rivers-ana.toml").read_bytes() == b"mine"
    assert (data / "games/a.jsonl").is_symlink()
    assert layers.chosen_file().read_bytes() == b'language = "en"\n'


def test_a_game_that_is_being_played_is_not_replaced_and_nothing_else_is_begun(data: Path) -> None:
    put(data / "games/a.jsonl", NEW)
    with (data / "games/a.jsonl").open("rb") as file:
        assert storage.lock(file.fileno())
        with pytest.raises(ApplianceError, match="is being played"):
            restored(copy_of(GAMES))
    assert state_of(data) == {"games/a.jsonl": NEW}


def test_where_there_is_no_room_for_all_nothing_is_begun(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: Usage(10**9, 0, backing_up.SPARE_BYTES + 100))
    with pytest.raises(ApplianceError, match=r"the disk has 100 MB free, .* takes 0 MB: nothing was restored$"):
        restored(copy_of(GAMES))
    assert not data.exists()


def test_what_comes_between_the_look_and_the_writing_stays(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(data / "games/a.jsonl", NEW)
    file = io.BytesIO(copy_of(GAMES))
    surveyed = restoring.survey(file)
    put(data / "games/a.jsonl", NEW + b'{"accept": true}\n')
    put(data / "games/a-2.jsonl", b"mine")
    restoring.restore(file, surveyed)
    assert state_of(data / "games") == {"a.jsonl": NEW + b'{"accept": true}\n', "a-2.jsonl": b"mine"}


def test_many_files_are_written_some_at_a_time(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoring, "BATCH_FILES", 3)
    files = {f"games/{n}.jsonl": saved(steps=n) for n in range(10)}
    restored(copy_of(files, member("games/0.jsonl", PASS)))
    assert state_of(data) == files


def test_a_copy_that_is_another_when_it_is_written_is_refused(data: Path) -> None:
    surveyed = survey(copy_of(GAMES))
    with pytest.raises(Unreadable, match=r"^damaged: 'games/a.jsonl' isn't what was copied$"):
        restoring.restore(io.BytesIO(copy_of({**GAMES, "games/a.jsonl": NEW})), surveyed)
    assert state_of(data) == {}


def test_the_power_goes_amid_it_and_what_is_there_is_whole(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the moment: a name has all of its file, or is not there, or is that of a file on its way."""
    files = {f"games/{n}.jsonl": saved(steps=n) for n in range(6)}
    whole = copy_of(files)
    (data / "games").mkdir(parents=True)
    rng = random.Random(7)
    disk, cuts = Disk(data / "games"), 0

    def cut() -> None:
        nonlocal cuts
        cuts += 1
        left = tmp_path / f"left-{cuts}"
        disk.after_power_cut(left, rng)
        for name, there in state_of(left).items():
            assert ".new-" in name or there == files[f"games/{name}"]

    with monkeypatch.context() as patched:
        patched.setattr(restoring, "AT_ONCE", 1)
        disk.patch(patched)
        disk.after_call = cut
        restored(whole)
        disk.after_call = lambda: None
    assert cuts > 20
    assert set(fates(restored(whole)).values()) == {"same"}
    assert state_of(tmp_path / f"left-{cuts}") == state_of(data / "games")


# ---- copies of strangers ------------------------------------------------------------------------------------------

DEEP = "games/" + "/".join(["n" * 255] * 20) + ".jsonl"
ODD_NAMES = (
    "games/x.new-\u00b2",
    "games/y.jsonl.new-99999999999999999999",
    "games/x.jsonl.new-1",
    "games/.hidden.jsonl",
    "games/index.json",
    "games/a.jsonl.evidence/turn-0001-3f9a01c2d4e5.jpg",
    "games/sub/a.jsonl",
    "games/Labels.json",
    "games",
    "../evil.jsonl",
    "games/../../evil.jsonl",
    "/etc/evil.jsonl",
    "games//a.jsonl",
    "else/a.toml",
    "boards/Board.toml",
    "boards/a.text",
    "boards/drafts/../a.toml",
    "settings/settings.toml",
    "settings/../chosen.toml",
    "tables/other",
    "games/" + "n" * 240 + ".jsonl",
    DEEP,
)


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


BOARD = rivers().text().encode()
JUNK: dict[str, tuple[bytes, str]] = {
    "games/a.jsonl": (b"junk", "not JSON"),
    "games/b.jsonl": (b"", "not JSON"),
    "games/c.jsonl": (b'{"do": "odds"}\n', "a saved game starts with"),
    "games/d.jsonl": (b'{"do": ' + DIGITS + b"}\n", "a number beyond 64 bits"),
    "games/e.jsonl": (b'{"do": ' + NESTED, "nested too deeply"),
    "games/f.jsonl": (b"\xff\xfe", "not a text file"),
    "games/g.jsonl": (b'{"do": "new", "a": "' + b"a" * 1_000_000 + b'"}', "longer than"),
    "games/h.jsonl": (b'{"do": [' + b"[]," * 20_000 + b"1]}", "more than 20000 objects and lists on a line"),
    "games/x.jsonl.undone": (b"\x00", "not JSON"),
    "games/x.jsonl.clock.json": (b'{"spent_s": {"red": 1e400}}', "too large a number"),
    "games/y.jsonl.clock.json": (b'{"spent_s": {"red": "a"}}', "not the time that players have used"),
    "games/z.jsonl.clock.json": (b"{}", "not the time that players have used"),
    "games/labels.json": (b'{"a.jsonl": ' + DIGITS + b"}", "a number beyond 64 bits"),
    "games/trash/labels.json": (b'{"a.jsonl": 1}', "not a list of game names"),
    "boards/a.toml": (b"a = " + NESTED, "the board: nested too deeply"),
    "boards/b.toml": (b"a = " + DIGITS, "the board: a number with too many digits"),
    "boards/c.toml": (b"a = 1", "the board: "),
    "boards/d.toml": (BOARD, "a file for the board sengoku-rivers-ana must be named sengoku-rivers-ana.toml"),
    "boards/e.toml": (b"a" * 900_000, "too large"),
    "boards/drafts/a/draft.toml": (b"a = 1", "the draft: "),
    "boards/drafts/a/photo.jpg": (b"GIF89a", "not a JPEG file"),
    "boards/drafts/b/photo.jpg": (
        b"\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00",
        "65535x65535 pixels",
    ),
    "decks/a.toml": (b"\xff\xfe", "not a text file"),
    "decks/b.toml": (b"a = 1", "the deck: "),
    "decks/drafts/a.json": (NESTED, "nested too deeply"),
    "decks/drafts/b.json": (b"{}", "not a deck draft"),
    "scenarios/a.toml": (SCENARIO.replace("owner", "practice").encode(), "the battle: known: "),
    "tables/a.table": (b"PK", "not a zip file"),
    "tables/a.table.experience.json": (b"{}", "not a table's experience"),
    "tables/b.table.experience.json": (b'{"table": "a", "experience": "["}', "not JSON"),
    "tables/camera": (b"/etc/passwd", "not a camera number or device"),
    "tags/a.toml": (b"[tags]\na = " + DIGITS, "a number with too many digits"),
    "tags/b.toml": (b"[other]", "not a list of card tags"),
    "tags/c.toml": (b"[tags]\na = 1", "not a list of card tags"),
}


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
    """The head of a picture file."""
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


# ---- the app starts afterwards --------------------------------------------------------------------------------------


def hostile() -> bytes:
    """All of the above in one copy."""
    files = {name: text for name, (text, _why) in JUNK.items()}
    files |= dict.fromkeys(ODD_NAMES, NEW)
    files |= {
        copies.CHOSEN: b"a = " + DIGITS,
        "games/a\n\x1b[31m.jsonl": NEW,
        f"games/{LATIN}": NEW,
        "games/A.jsonl": NEW,
    }
    files |= {"games/later.jsonl": saved(steps=3) + b'{"deploy": ' + DIGITS + b"}\n", "games/-rf.jsonl": NEW + NESTED}
    odd = {f"games/odd-{kind.decode()}.jsonl": kind for kind in (b"1", b"2", b"3", b"4", b"5", b"6")}
    more: list[Member] = [member(name, kind=kind) for name, kind in odd.items()]
    return copy_of(files, *more, member("games/-rf.jsonl", PASS), named=dict.fromkeys(odd, b""))


def test_after_a_hostile_copy_the_app_starts_and_copies_again(
    data: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "copy.tar.gz", hostile())
    assert main(["restore", str(tmp_path / "copy.tar.gz")]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "games/a \\u001b[31m.jsonl: put back" in out.splitlines()
    assert "games/caf\\udce9.jsonl: put back" in out.splitlines()
    assert "left out: games/x.new-\u00b2 (no file that Gunbai has there)" in out.splitlines()
    put_back = {"a\n\x1b[31m.jsonl", LATIN, "A.jsonl", "later.jsonl", "-rf.jsonl"}
    assert state_of(data).keys() == {f"games/{name}" for name in put_back}
    seen: list[str] = []

    def show(app: App, _size: object) -> int:
        app.tick(0.0)
        seen.append(type(app.scene).__name__)
        return 0

    monkeypatch.setattr("companion.view.window.window.run_window", show)
    assert main(["play"]) == 0
    assert len(seen) == 1
    assert main(["backup"]) == 0


# ---- damaged and large ones ---------------------------------------------------------------------------------------


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
    with pytest.raises(Unreadable, match=r"^cut off: 2 files are missing, 'games/b.jsonl' for one$"):
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
            found = copies.verified(io.BytesIO(broken))
        except Unreadable:
            continue
        assert found == earlier.digests(files)  # a byte of gzip's head that nothing depends on


def bomb(head: tarfile.TarInfo, size: int) -> bytes:
    """A copy of one file that claims to be as its head says, with so many bytes behind it."""
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


# ---- the command --------------------------------------------------------------------------------------------------


def test_the_command(data: Path, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "copy.tar.gz"
    put(path, copy_of(GAMES))
    assert main(["restore", str(path), "--dry-run"]) == 0
    assert capsys.readouterr().out == "games/a.jsonl: put back\ngames/a-2.jsonl: put back\n"
    assert not data.exists()
    assert main(["restore", str(path)]) == 0
    assert (data / "games/a.jsonl").read_bytes() == NEW + PASS


@pytest.mark.parametrize("name", ["no-such-file", "/bin/ls", "/dev/zero", "pipe", "."])
def test_bad_input_is_one_line(name: str, data: Path, tmp_path: Path, capsys: Capture) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main(["restore", str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"gunbai: {tmp_path / name}: ")
    assert err.count("\n") == 1
