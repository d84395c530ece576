"""All of a backup comes back over no newer game, and the app starts afterwards."""

import gzip
import io
import os
import random
from pathlib import Path

import pytest

from companion.app.app import App
from companion.appliance import backing_up, copies, restoring
from companion.cli import main
from companion.content.shelves import BATTLES
from companion.core import storage
from companion.core.errors import ApplianceError
from companion.desk.tags import file_of
from companion.games.saved import shelf, statistics
from companion.perception.cameras import remember_camera
from companion.settings import layers
from intake.errors import Unreadable
from tests.companion.appliance.backup.conftest import LATIN, NEW, PASS, Usage, copy, put, state_of
from tests.companion.appliance.restoring.copies import (
    DIGITS,
    GAMES,
    INDEXES,
    JUNK,
    NESTED,
    ODD_NAMES,
    SCENARIO,
    Member,
    copy_of,
    digests,
    fates,
    kept,
    member,
    read_by_0_2,
    restored,
    survey,
    written_by_0_2,
)
from tests.companion.commands.terminal import Capture, fault, printed
from tests.companion.games.test_power import Disk
from tests.companion.hostile.house import MODE, furnished
from tests.companion.owned import shelves
from tests.companion.sample_games import saved
from tests.companion.tracing.photos import rivers


@pytest.fixture
def household(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder with one of everything, and with what was deleted or set aside."""
    with shelves():
        furnished(tmp_path / "home", monkeypatch)
        BATTLES.save("gone", SCENARIO)
        BATTLES.delete("gone")
    remember_camera("csi:0")
    storage.keep_aside(storage.games_dir() / "game.jsonl", b"\x00damaged")
    storage.keep_aside(file_of(MODE), b"\xff")
    statistics.gather(storage.games_dir())
    for games in (storage.games_dir(), storage.games_dir() / shelf.TRASH):
        shelf.GameShelf(games).finish()
    return storage.data_dir()


def test_all_that_the_app_writes_comes_back(household: Path, tmp_path: Path) -> None:
    data = household
    assert state_of(data).keys() >= INDEXES
    before, chosen = kept(data), layers.chosen_file().read_bytes()
    path = copy(tmp_path / "stick")
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


def test_copies_of_the_version_before_are_restored_and_ours_by_it(household: Path, tmp_path: Path) -> None:
    data = household
    put(data / "games" / LATIN, NEW)
    put(data / "games" / "a\nb.jsonl", NEW)
    put(data / "games" / ("x" * 200 + ".jsonl"), NEW)
    path = copy(tmp_path / "stick")
    files = read_by_0_2(path.read_bytes())
    assert {name: files[name] for name in kept(data)} == kept(data)
    del files[f"games/{LATIN}"]  # over such a name the version before gave up
    old = written_by_0_2(files)
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
    copies.write(out, digests(files), files.__getitem__)
    assert gzip.decompress(out.getvalue()) == gzip.decompress(written_by_0_2(files))


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


def test_the_command(data: Path, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "copy.tar.gz"
    put(path, copy_of(GAMES))
    assert printed(capsys, "restore", str(path), "--dry-run") == "games/a.jsonl: put back\ngames/a-2.jsonl: put back\n"
    assert not data.exists()
    assert main(["restore", str(path)]) == 0
    assert (data / "games/a.jsonl").read_bytes() == NEW + PASS


@pytest.mark.parametrize("name", ["no-such-file", "/bin/ls", "/dev/zero", "pipe", "."])
def test_bad_input_is_one_line(name: str, data: Path, tmp_path: Path, capsys: Capture) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert fault(capsys, "restore", str(tmp_path / name)).startswith(f"{tmp_path / name}: ")


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
