"""What a backup holds, and what it says of what it can't read."""

import errno
import os
import socket
from pathlib import Path

import pytest

from companion.appliance import collecting, copies
from companion.settings import layers
from tests.companion.appliance.backup.copying import LATIN, NEW, PASS, copied, files_of
from tests.companion.appliance.household import put


def test_everything_that_counts_is_copied(data: Path, tmp_path: Path) -> None:
    put(data / "games/a.jsonl.evidence/turn.jpg", b"large")
    put(data / "games/a.jsonl.today", b"large")
    put(data / "tables/sengoku-rivers.table.today", b"large")
    put(data / "games/index.json", b"{}")
    put(data / "games/counted.json", b"{}")
    put(data / "games/a.jsonl.new-123", b"half")
    put(data / "games/.hidden", b"half")
    put(data / "demo/game.jsonl", NEW)
    made = copied(tmp_path / "stick")
    assert (made.files, made.made, made.left_out) == (12, True, ())
    assert made.path == tmp_path / "stick/gunbai-000001-2026-11-21.tar.gz"
    assert files_of(made.path) == {
        "games/a.jsonl": NEW + PASS,
        "games/a.jsonl.undone": b"{}\n",
        "games/a.jsonl.clock.json": b"{}",
        "games/trash/b.jsonl": NEW,
        "games/labels.json": b"{}",
        "boards/own.text": b"x",
        "decks/foxes.text": b"d",
        "decks/drafts/owls.json": b"{}",
        "scenarios/ford.text": b"s",
        "tables/sengoku-rivers.table": b"\x00table",
        "tags/sengoku.toml": b"",
        "settings/chosen.toml": b'language = "pt_BR"\n',
    }


@pytest.mark.parametrize(
    "name", [LATIN, "a\nb.jsonl", "\x1b[31mred.jsonl", "[a].jsonl", "-rf.jsonl", "x" * 249 + ".jsonl"]
)
def test_a_game_of_any_name_is_copied(name: str, data: Path, tmp_path: Path) -> None:
    put(data / "games" / name, NEW)
    put(data / "games" / f"{name[:240]}.undone", b"{}\n")
    made = copied(tmp_path / "stick")
    assert made.left_out == ()
    assert made.path is not None
    assert files_of(made.path)[f"games/{name}"] == NEW
    assert not copied(tmp_path / "stick").made


def test_what_is_no_file_is_named_and_holds_nobody_up(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = data / "games"
    os.mkfifo(games / "pipe.jsonl")
    with socket.socket(socket.AF_UNIX) as open_socket, monkeypatch.context() as there:
        there.chdir(games)  # a socket's whole path may be too long for the system
        open_socket.bind("socket.jsonl")
    (games / "link.jsonl").symlink_to("/etc/passwd")
    (games / "nowhere.jsonl").symlink_to("none")
    (games / "zero.jsonl").symlink_to("/dev/zero")
    (games / "folder.jsonl").mkdir()
    os.mkfifo(data / "boards/pipe.toml")
    layers.chosen_file().unlink()
    os.mkfifo(layers.chosen_file())
    made = copied(tmp_path / "stick")
    assert dict(made.left_out) == {
        "games/pipe.jsonl": "not a plain file",
        "games/socket.jsonl": "not a plain file",
        "games/link.jsonl": "a link",
        "games/nowhere.jsonl": "a link",
        "games/zero.jsonl": "a link",
        "boards/pipe.toml": "not a plain file",
        "settings/chosen.toml": "not a plain file",
    }
    assert made.files == 11


def refused(monkeypatch: pytest.MonkeyPatch, function: str, error: int, name: str) -> None:
    """Let a call to the system fail for files of this name."""
    real = getattr(os, function)

    def call(path: object, *more: object, **named: object) -> object:
        if str(path).endswith(name):
            raise OSError(error, os.strerror(error), path)
        return real(path, *more, **named)

    monkeypatch.setattr(os, function, call)


def test_what_cannot_be_read_is_named_and_the_rest_is_copied(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(monkeypatch, "open", errno.EACCES, "games/a.jsonl")
    refused(monkeypatch, "open", errno.EIO, "boards/own.text")
    refused(monkeypatch, "scandir", errno.EACCES, "/tags")
    made = copied(tmp_path / "stick")
    assert dict(made.left_out) == {
        "games/a.jsonl": "can't be read (Permission denied)",
        "boards/own.text": "can't be read (Input/output error)",
        "tags": "can't be listed (Permission denied)",
    }
    assert made.files == 9


def test_a_folder_too_deep_for_the_system_is_named(data: Path, tmp_path: Path) -> None:
    here = os.open(data / "games", os.O_RDONLY)
    for _depth in range(20):
        os.mkdir("n" * 255, dir_fd=here)
        here, above = os.open("n" * 255, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    os.close(here)
    ((name, why),) = copied(tmp_path / "stick").left_out
    assert name.startswith("games/nnn")
    assert why == "can't be listed (File name too long)"


def test_what_is_too_large_is_named(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (data / "games/large.jsonl").open("wb") as file:
        file.truncate(copies.MOST_FILE_BYTES + 1)
    assert copied(tmp_path / "stick").left_out == (("games/large.jsonl", "longer than 50 MB, the limit"),)
    monkeypatch.setattr(collecting, "MOST_FILES", 11)
    made = copied(tmp_path / "stick")
    assert made.files == 11
    assert {why for name, why in made.left_out if name != "games/large.jsonl"} == {
        "there is no room for it in one copy"
    }


def test_of_a_shelf_too_large_for_one_copy_games_are_left_out_first(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "MOST_BYTES", 9 * copies.HEAD_BYTES)
    left = [name for name, _why in copied(tmp_path / "stick").left_out]
    assert left
    assert all(name.startswith("games/") for name in left)


def test_a_manifest_never_gets_longer_than_is_read(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["games/" + "é" * 100 + f"{n}.jsonl" for n in range(20)]
    for name in names:
        put(data / name, NEW)
    monkeypatch.setattr(collecting, "MOST_MANIFEST_BYTES", 8_000)
    monkeypatch.setattr(copies, "MOST_MANIFEST_BYTES", 8_000)
    made = copied(tmp_path / "stick")
    assert made.made
    assert 0 < len(made.left_out) < 20


def test_a_folder_that_is_a_file_is_named(data: Path, tmp_path: Path) -> None:
    (data / "tags/sengoku.toml").unlink()
    (data / "tags").rmdir()
    put(data / "tags", b"")
    assert copied(tmp_path / "stick").left_out == (("tags", "can't be listed (Not a directory)"),)
