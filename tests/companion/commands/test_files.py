"""No command writes over what it reads, nor over anything but a plain file; "-" is standard input."""

from __future__ import annotations

import argparse
import io
import os
import sys
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from companion import cli
from companion.cli import main
from companion.commands.parsing import FolderOrStream, InputFile, OutputFile, OutputFolder
from companion.core.errors import OutputError
from companion.core.outputs import check_output, make_folder, open_output, write_output
from companion.demo.game_demo import DemoOptions
from companion.games.journal import read_game
from companion.games.match import Match
from companion.terminal.inputs import load_game
from tests.companion.commands.terminal import START, Capture, fault, printed, written
from tests.companion.sample_games import BOARD, game_file, played

USED = "{}: this command uses that file already: name another one to write"
NOT_PLAIN = "{}: not a plain file: nothing is written there"
NAMELESS = "name the file or folder to write: it can't be - or empty"
WRITING = {
    "replay": [["game.jsonl", "--html"], ["game.jsonl", "--gif"]],
    "bundle": [
        ["game.jsonl", "--table", "game.table", "-o"],
        ["photo.jpg", "--table", "game.table", "--truth", "game.jsonl", "-o"],
    ],
    "calibrate": [["game.jsonl", "--board", BOARD, "-o"], ["e.jpg", "--start", "game.jsonl", "--board", BOARD, "-o"]],
    "trace": [["game.jsonl", "--board", BOARD, "--headless", "-o"]],
    "pack": [["--sign", "game.jsonl", "-o"]],
    "card": [["game.jsonl", "--zip"]],
}
"""The commands that read a file and write one, up to the name of what they write."""
ONLY_WRITING = {
    "print": [[BOARD, "-o"]],
    "boards": [["--share", "own", "-o"]],
    "decks": [["--share", "own", "-o"]],
    "battles": [["--share", "own", "-o"]],
}
INTO_FOLDERS = {
    "print": [BOARD, "--parts", "yes", "--svg"],
    "demo": ["--headless", "--pictures"],
    "doctor": ["--pictures"],
    "backup": ["--to"],
    "card": ["{}", "game.jsonl"],
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a saved game, and everything that leads to the game by another name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    game_file(tmp_path, 2)
    (tmp_path / "link").symlink_to("game.jsonl")
    (tmp_path / "far").symlink_to(tmp_path / "link")
    os.link("game.jsonl", "hard")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder-link").symlink_to("folder")
    os.mkfifo("pipe")
    return tmp_path


def actions() -> list[tuple[str, argparse.Action]]:
    """Every argument of every command."""
    return [(name, action) for name, command in cli.parser().commands().items() for action in command._actions]


def test_every_file_that_a_command_takes_says_what_it_is_for() -> None:
    files = {"FILE", "GAME", "FRAME", "GAME|FRAME", "POSITION|FRAME", "PHOTO", "TABLE", "REFERENCE", "START", "BUNDLE"}
    files |= {"FOLDER", "DIR", "UPDATE", "CARD", "STATE", "POSITION", "SETTINGS", "KEY"}
    roots = ("install", "uninstall", "update")
    for name, action in actions():
        if action.metavar in files and not (name in roots and "--root" in action.option_strings):
            assert action.type in (InputFile, OutputFile, OutputFolder, FolderOrStream), (name, action)


def test_every_command_that_writes_is_tried_here() -> None:
    assert {name for name, action in actions() if action.type is OutputFile} == WRITING.keys() | ONLY_WRITING.keys()
    folders = {name for name, action in actions() if action.type in (OutputFolder, FolderOrStream)}
    assert folders == INTO_FOLDERS.keys()


@pytest.mark.parametrize("output", ["game.jsonl", "link", "far", "hard", "./folder/../game.jsonl"])
@pytest.mark.parametrize(("command", "n"), [(name, n) for name, ways in WRITING.items() for n in range(len(ways))])
def test_no_command_writes_over_what_it_reads(command: str, n: int, output: str, place: Path, capsys: Capture) -> None:
    before = (place / "game.jsonl").read_bytes()
    assert fault(capsys, command, *WRITING[command][n], output) == USED.format(output)
    assert (place / "game.jsonl").read_bytes() == before
    assert (place / "link").is_symlink()


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("output", ["/dev/full", "/dev/null", "folder", "folder-link", "pipe"])
@pytest.mark.parametrize("command", [*WRITING, *ONLY_WRITING])
def test_no_command_writes_over_anything_but_a_plain_file(command: str, output: str, capsys: Capture) -> None:
    arguments = (WRITING | ONLY_WRITING)[command][0]
    before = Path(output).stat()
    assert fault(capsys, command, *arguments, output) == NOT_PLAIN.format(output)
    assert os.path.samestat(before, Path(output).stat())


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("command", INTO_FOLDERS)
def test_what_is_to_be_a_folder_is_none(command: str, capsys: Capture) -> None:
    for name in ("hard", "pipe", "/dev/null"):
        arguments = INTO_FOLDERS[command]
        given = [word.format(name) for word in arguments] if "{}" in arguments else [*arguments, name]
        assert fault(capsys, command, *given) == f"{name}: not a folder"


@pytest.mark.usefixtures("place")
def test_two_outputs_are_two_files(capsys: Capture) -> None:
    assert fault(capsys, "replay", "game.jsonl", "--html", "new", "--gif", "./new") == USED.format("./new")
    assert not Path("new").exists()


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("name", ["-", ""])
def test_an_output_needs_a_name(name: str, capsys: Capture) -> None:
    assert fault(capsys, "replay", "game.jsonl", "--html", name) == NAMELESS
    assert fault(capsys, "print", BOARD, "-o", name) == NAMELESS
    assert fault(capsys, "print", BOARD, "--svg", name) == NAMELESS
    assert {path.name for path in Path().iterdir()}.isdisjoint({"-", f"{BOARD}.pdf"})


def test_a_file_on_standard_input_is_an_input_too(place: Path, capsys: Capture) -> None:
    with (place / "game.jsonl").open() as given:
        kept = os.dup(0)
        os.dup2(given.fileno(), 0)
        try:
            assert fault(capsys, "replay", "-", "--html", "hard") == USED.format("hard")
        finally:
            os.dup2(kept, 0)
            os.close(kept)


# ---- writing ------------------------------------------------------------------------------------


def test_a_link_is_followed_and_rights_are_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o600)
    link.symlink_to("real")
    write_output(link, b"new")
    assert (real.read_bytes(), real.stat().st_mode & 0o777, link.is_symlink()) == (b"new", 0o600, True)
    (tmp_path / "nowhere").symlink_to("later")
    write_output(tmp_path / "nowhere", b"x")
    assert (tmp_path / "later").read_bytes() == b"x"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["later", "link", "nowhere", "real"]


def test_what_fails_halfway_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def write_and_break() -> None:
        with open_output(path) as out:
            out.write(b"half")
            raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match=r"can't be written \(No space left on device\)"):
        write_and_break()
    assert [(found.name, found.read_bytes()) for found in tmp_path.iterdir()] == [("file", b"old")]


@pytest.mark.parametrize("name", ["/nowhere/at/all", "a\0b", "x" * 256])
def test_a_place_that_cannot_be_is_named(name: str) -> None:
    with pytest.raises(OutputError, match="can't be written"):
        write_output(Path(name), b"")
    check_output(name)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"can't be made"):
        make_folder(Path("/proc/nothing/here"))
    assert make_folder(tmp_path / "a/b").is_dir()


def test_the_demo_leaves_a_game_that_is_not_its_own(place: Path) -> None:
    (place / "folder/game.jsonl").write_bytes((place / "game.jsonl").read_bytes())
    options = DemoOptions("", 1, pictures=place / "folder")
    with pytest.raises(OutputError, match="not the game of a demo"):
        options.game_path()
    (place / "folder/turn-01-screen.png").write_bytes(b"")
    assert options.game_path() == place / "folder/game.jsonl"


def test_the_demo_leaves_photographs_that_are_not_its_own(place: Path) -> None:
    """A folder as docs/photographs.md has it, which bench reads from the one above."""
    (place / "folder/photos").mkdir()
    options = DemoOptions("", 1, pictures=place / "folder", practice=True)
    assert options.game_path() == place / "folder/game.jsonl"
    (place / "folder/photos/frame-01.jpg").write_bytes(b"mine")
    with pytest.raises(OutputError, match="not the photographs of a demo"):
        options.game_path()
    (place / "folder/demo.table").write_bytes(b"")
    assert options.game_path() == place / "folder/game.jsonl"


# ---- reading ------------------------------------------------------------------------------------


def given(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Replace standard input by these bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    "words",
    [["replay", "-"], ["replay", "-", "--html", "page"], ["review", "-"], ["score", "-"], ["check", "-", "pass"]],
)
def test_a_game_comes_on_standard_input(
    words: list[str], place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    given(monkeypatch, (place / "game.jsonl").read_bytes())
    main(words)
    told = capsys.readouterr()
    assert told.out
    assert told.err == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bench", "-"], "standard input: "),
        (["bundle", "--check", "-"], "standard input: "),
        (["boards", "--check", "-"], "standard input: "),
        (["decks", "--check", "-"], "standard input: "),
        (["bridge", "-"], "standard input: "),
        (["measure", "-"], "standard input: "),
        (["calibrate", "-", "--board", BOARD, "-o", "new"], "standard input: "),
        (["trace", "-", "--board", BOARD], "standard input: "),
        (["decks", "--add", "-"], "--add: name a file"),
        (["score", "-", "--table", "-"], "standard input can only be one of the files"),
        (["check", "-", "-"], "standard input can only be one of the files"),
    ],
)
@pytest.mark.usefixtures("place")
def test_anything_else_there_is_told_so(
    words: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    given(monkeypatch, b"what is this?")
    assert fault(capsys, *words).startswith(told)


def test_a_board_comes_on_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    board = Path(__file__).parents[2] / "boards/atoll.toml"
    given(monkeypatch, board.read_bytes().replace(b'"practice"', b'"owner"'))
    assert ": sound. practice-atoll" in printed(capsys, "boards", "--check", "-")


def test_a_byte_order_mark_before_a_game_is_no_damage(place: Path, capsys: Capture) -> None:
    path = place / "game.jsonl"
    whole = read_game(path)
    path.write_bytes(BOM_UTF8 + path.read_bytes())
    marked = read_game(path)
    assert (marked.lines, marked.fault, marked.mended) == (whole.lines, None, ())
    assert marked.whole == path.stat().st_size
    assert load_game(str(path)).last == whole.last
    assert main(["replay", "game.jsonl"]) == 0
    assert capsys.readouterr().err == ""
    match = Match.open(path)
    assert match.notice is None
    assert match.offer(played()[0][2]).legal
    match.close()
    assert path.read_bytes().startswith(BOM_UTF8)
    assert read_game(path).fault is None
    assert not list(place.glob("*.broken-*"))


def test_a_byte_order_mark_before_a_position_is_none_of_it(place: Path, capsys: Capture) -> None:
    Path(written(place / "p.json", START)).write_bytes(BOM_UTF8 + (place / "p.json").read_bytes())
    assert main(["score", "p.json"]) == 0
    assert capsys.readouterr().err == ""
