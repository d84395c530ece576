"""No newer game is overwritten by a backup."""

import io
import os
import random
from collections import namedtuple
from pathlib import Path

import pytest

from companion.appliance import backing_up, copies, restoring
from companion.core import storage
from companion.core.errors import ApplianceError
from companion.settings import layers
from intake.errors import Unreadable
from tests.companion.appliance.household import put, state_of
from tests.companion.appliance.restoring.copies import GAMES, NEW, PASS, fates, restored, survey
from tests.companion.appliance.strangers import copy_of, member
from tests.companion.games.test_power import Disk
from tests.companion.sample_games import saved
from tests.companion.tracing.photos import rivers

Usage = namedtuple("Usage", "total used free")


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
