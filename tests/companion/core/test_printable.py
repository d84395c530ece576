"""What reaches a terminal: nothing of a stranger's file steers it, and nothing looks like another line of ours."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import cli
from companion.cli import main
from companion.content.decks import deck_toml
from companion.core.printable import EscapedStream, fault_of, visible_output
from hardware.notify import Notifier
from intake.text import STEERING, escape_controls, one_line
from tests.companion.appliance.some_card import make_card
from tests.companion.commands.terminal import START, written
from tests.companion.content.test_decks import owned
from tests.companion.other_games import file_of
from tests.companion.sample_games import REQUEST, lines_of
from tests.patience import PATIENCE_S

ROOT = Path(cli.__file__).resolve().parent.parent
CONTROLS = "".join(map(chr, (*range(1, 9), *range(0x0B, 0x20), *range(0x7F, 0xA0))))
DIRECTIONS = "".join(map(chr, (0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
HOSTILE = f"{CONTROLS}{DIRECTIONS}\x1b]0;owned\x07\x1b[2J\r"
NAME = os.fsdecode(f"x{HOSTILE}\n<3>gunbai: all is well\t".encode() + b"caf\xe9")
FORGED = "all is well"

Bytes = pytest.CaptureFixture[bytes]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hostile(folder: Path, suffix: str, content: bytes) -> str:
    """Write a file with a hostile name and this content."""
    path = folder / f"{NAME}{suffix}"
    path.write_bytes(content)
    return str(path)


def said(capfdbinary: Bytes, *argv: str) -> tuple[str, str]:
    """Return what a command prints, checked byte for byte."""
    status = main(argv)
    assert status in (0, 1, 2)
    out, err = (text.decode() for text in capfdbinary.readouterr())
    for text in (out, err):
        assert STEERING.search(text) is None, text
        for line in text.splitlines():
            assert not line.startswith(("<3>", FORGED)), "a line of ours that is none"
    assert all(line.startswith("gunbai: ") for line in err.splitlines()), err
    return out, err


# ---- every command that prints something of a file ----------------------------------------------------

NOTE = {"agreed": {}, "note": f"n{HOSTILE}\n<3>gunbai: {FORGED}"}
PLAYERS = {"red": HOSTILE, "black": f"\n{FORGED}"}
GAME = lines_of({**REQUEST, "players": PLAYERS}, NOTE)
DECK = deck_toml(owned()).replace('title = "', 'title = "T\u202e\x9b1m', 1).encode()
BROKEN = f'title = "{HOSTILE}"\n["{DIRECTIONS}\x9b"]\n'.encode()


def table_zip(folder: Path) -> str:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        pack.writestr("table.json", json.dumps({"kind": HOSTILE, "version": HOSTILE}))
        pack.writestr("reference.png", b"")
    return hostile(folder, ".table", out.getvalue())


def copy_tar(folder: Path) -> str:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as pack:
        pack.addfile(tarfile.TarInfo(NAME), io.BytesIO())
    return hostile(folder, ".tar.gz", out.getvalue())


def shelf(folder: Path, kind: str, content: bytes) -> str:
    """Write a file on a shelf of the data folder."""
    (folder / "data" / kind).mkdir(parents=True, exist_ok=True)
    return hostile(folder / "data" / kind, ".toml", content)


def start(folder: Path) -> str:
    return written(folder / "start.json", START)


Words = Callable[[Path], list[str]]
CASES: dict[str, list[Words]] = {
    "play": [lambda folder: ["play", "--game", hostile(folder, ".jsonl", b"")]],
    "demo": [lambda folder: ["demo", "--headless", "--board", NAME]],
    "calibrate": [
        lambda folder: ["calibrate", hostile(folder, ".jpg", b""), "--board", "sengoku-rivers", "-o", NAME],
        lambda folder: ["calibrate", NAME, "--board", NAME, "--corners", NAME, "-o", NAME],
    ],
    "read": [lambda folder: ["read", hostile(folder, ".jpg", b""), "--table", table_zip(folder)]],
    "measure": [
        lambda folder: ["measure", hostile(folder, ".jpg", b"")],
        lambda _folder: ["measure", NAME, "--game", NAME],
    ],
    "score": [
        lambda folder: ["score", hostile(folder, ".jsonl", GAME)],
        lambda folder: ["score", hostile(folder, ".jsonl", GAME[:-9])],
        lambda folder: ["score", hostile(folder, ".jsonl", GAME), "--json"],
        lambda folder: ["score", hostile(folder, ".json", json.dumps({"board": HOSTILE}).encode())],
        lambda folder: ["score", hostile(folder, ".jpg", b"\xff\xd8\xff"), "--table", table_zip(folder)],
    ],
    "check": [
        lambda folder: ["check", start(folder), json.dumps(NOTE)],
        lambda folder: ["check", start(folder), json.dumps(NOTE), "--json"],
        lambda folder: ["check", start(folder), json.dumps({HOSTILE: 1})],
        lambda folder: ["check", hostile(folder, ".jsonl", GAME[:-9]), f"deploy {NAME}"],
        lambda folder: ["check", start(folder), hostile(folder, ".steps", f"[{HOSTILE}".encode())],
    ],
    "replay": [
        lambda folder: ["replay", hostile(folder, ".jsonl", GAME)],
        lambda folder: ["replay", hostile(folder, ".jsonl", GAME[:-9])],
        lambda folder: ["replay", hostile(folder, ".jsonl", GAME), "--json"],
        lambda folder: ["replay", str(file_of(folder, "generals", name=NAME))],
    ],
    "review": [
        lambda folder: ["review", hostile(folder, ".jsonl", GAME)],
        lambda folder: ["review", hostile(folder, ".jsonl", GAME[:-9])],
        lambda folder: ["review", str(file_of(folder, "generals", name=NAME))],
    ],
    "referee": [lambda _folder: ["referee"]],
    "print": [lambda _folder: ["print", NAME], lambda folder: ["print", "markers", "-o", str(folder / f"{NAME}.pdf")]],
    "trace": [lambda folder: ["trace", hostile(folder, ".jpg", b""), "--name", "x"]],
    "boards": [
        lambda folder: ["boards", "--check", shelf(folder, "boards", BROKEN)],
        lambda folder: ["boards"] if shelf(folder, "boards", BROKEN) else [],
        lambda _folder: ["boards", "--remove", NAME],
    ],
    "battles": [
        lambda folder: ["battles", "--check", shelf(folder, "scenarios", BROKEN)],
        lambda folder: ["battles"] if shelf(folder, "scenarios", BROKEN) else [],
    ],
    "decks": [
        lambda folder: ["decks", "--check", str(sound_deck(folder))],
        lambda folder: ["decks"] if sound_deck(folder) and shelf(folder, "decks", BROKEN) else [],
        lambda folder: ["decks", "--share", "hills", "-o", f"{NAME}{sound_deck(folder).suffix}"],
    ],
    "bundle": [
        lambda folder: ["bundle", "--check", hostile(folder, ".zip", b"")],
        lambda folder: ["bundle", hostile(folder, ".jsonl", GAME), "--table", table_zip(folder), "-o", NAME],
    ],
    "bench": [
        lambda folder: ["bench", hostile(folder, ".zip", b"")],
        lambda folder: ["bench", str(Path(hostile(folder, ".txt", b"")).parent)],
    ],
    "doctor": [lambda folder: ["doctor"] if broken_games(folder) else []],
    "drill": [lambda _folder: ["drill", NAME]],
    "install": [lambda folder: ["install", "--dry-run", "--root", str(folder / NAME)]],
    "uninstall": [lambda folder: ["uninstall", "--dry-run", "--root", str(folder / NAME)]],
    "update": [lambda folder: ["update", "--dry-run", "--root", str(folder), hostile(folder, ".update", b"")]],
    "pack": [lambda folder: ["pack", "-o", str(folder / NAME / NAME), "--for", NAME]],
    "follow": [
        lambda folder: ["follow", "--once", hostile(folder, ".jsonl", GAME)],
        lambda folder: ["follow", "--once", "--json", hostile(folder, ".jsonl", GAME[:-9])],
        lambda folder: ["follow", "--once", str(folder / NAME)],
    ],
    "bridge": [lambda folder: ["bridge", "--check", hostile(folder, ".toml", BROKEN)]],
    "card": [
        lambda folder: ["card", str(folder / NAME), hostile(folder, ".update", b"")],
        lambda folder: ["card", just_flashed(folder), hostile(folder, ".update", b"")],
        lambda folder: ["card", just_flashed(folder), "x", "--user", NAME],
    ],
    "backup": [lambda folder: ["backup", "--to", str(folder / NAME)] if broken_games(folder) else []],
    "restore": [lambda folder: ["restore", copy_tar(folder)]],
}


def sound_deck(folder: Path) -> Path:
    """Write an owner's deck whose title steers a terminal."""
    path = folder / "data" / "decks" / "hills.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(DECK)
    return path


def just_flashed(folder: Path) -> str:
    """Build a freshly flashed card under a name that steers a terminal."""
    make_card(folder / NAME)
    return str(folder / NAME)


def broken_games(folder: Path) -> Path:
    """Build a folder of files that are named like games but are none, and settings of the same kind."""
    games = folder / "data" / "games"
    games.mkdir(parents=True)
    (games / f"x{HOSTILE}\n<3>gunbai: {FORGED}.jsonl").write_bytes(GAME[:-9])
    return games


@pytest.mark.long
@pytest.mark.parametrize(
    "words", [pytest.param(param, id=f"{name}-{n}") for name in CASES for n, param in enumerate(CASES[name])]
)
def test_nothing_of_a_file_steers_a_terminal(words: Words, folder: Path, capfdbinary: Bytes) -> None:
    said(capfdbinary, *words(folder))


def test_every_command_is_tried() -> None:
    assert set(CASES) == {command.NAME for command in cli.COMMANDS}


def test_what_is_tried_is_printed(folder: Path, capfdbinary: Bytes) -> None:
    out, _err = said(capfdbinary, "replay", hostile(folder, ".jsonl", GAME))
    assert "\\u001b]0;owned\\u0007" in out
    out, _err = said(capfdbinary, "decks", "--check", str(sound_deck(folder)))
    assert "(T\\u202e\\u009b1m" in out
    _out, err = said(capfdbinary, "score", hostile(folder, ".json", b""))
    assert "caf\\udce9.json: " in err


# ---- the characters -----------------------------------------------------------------------------------


def test_json_means_the_same_once_it_is_visible() -> None:
    for number in (*range(0x300), *range(0x2000, 0x2070), 0xD800, 0xDFFF, 0xFEFF, 0x1F600):
        text = f"a{chr(number)}b"
        assert json.loads(escape_controls(json.dumps(text, ensure_ascii=False))) == text
        assert escape_controls(json.dumps(text)) == json.dumps(text)


def test_other_letters_and_our_own_layout_stay() -> None:
    text = "Zoë, 战国, ✓ –\n  a\tb\u200f\u200d"
    assert escape_controls(text) == text
    assert one_line(text) == "Zoë, 战国, ✓ – a b\u200f\u200d"


def test_a_status_of_the_service_is_one_plain_line(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, ...]] = []
    notifier = Notifier("/nowhere")
    monkeypatch.setattr(notifier, "_tell", lambda *assignments: sent.append(assignments))
    notifier.status(f"playing {HOSTILE}\nWATCHDOG=trigger caf\udce9")
    ((told,),) = sent
    assert told.startswith("STATUS=playing ")
    assert told.isprintable()
    assert told.encode()


# ---- the streams --------------------------------------------------------------------------------------


def gunbai(*argv: str, shell: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run Gunbai in a process of its own, its streams as a shell arranges them."""
    words = [sys.executable, "-m", "companion", *argv]
    command = ["/bin/sh", "-c", f'exec "$@" {shell}', "sh", *words]
    return subprocess.run(command, capture_output=True, cwd=ROOT, check=False, timeout=PATIENCE_S)


@pytest.mark.parametrize("argv", [["boards"], ["--help"], ["--version"], ["boards", "--help"]])
def test_a_full_disk_behind_the_output_is_one_line(argv: list[str]) -> None:
    done = gunbai(*argv, shell=">/dev/full")
    assert (done.returncode, done.stderr) == (2, b"gunbai: standard output: No space left on device\n")


def test_a_fault_of_the_input_is_told_even_then() -> None:
    done = gunbai("replay", "/nowhere.jsonl", shell=">/dev/full")
    assert done.returncode == 2
    assert done.stderr == b"gunbai: /nowhere.jsonl: can't be read (No such file or directory)\n"


@pytest.mark.parametrize("shell", [">&-", "2>&-", "<&-", ">&- 2>&- <&-", "2>/dev/full", "2>/dev/full >&-"])
def test_streams_that_are_closed_or_full_are_no_fault(shell: str) -> None:
    done = gunbai("boards", shell=shell)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"sengoku-rivers" in done.stdout) == (">&-" not in shell.split())


def test_a_referee_without_input_ends() -> None:
    done = gunbai("referee", shell="<&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.long
def test_a_file_that_is_opened_next_does_not_take_the_place_of_a_closed_stream(folder: Path) -> None:
    game = folder / "data" / "games" / "demo-0.jsonl"
    done = gunbai("demo", "--headless", "--turns", "1", "--pictures", str(folder / "shots"), shell=">&- 2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not game.exists()
    assert b"sengoku" not in (folder / "shots" / "game.jsonl").read_bytes().splitlines()[-1]


def test_a_reader_that_leaves_does_not_change_the_answer(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, "-m", "companion", "check", start(folder), '{"roll": [1], "by": "red"}']
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        words, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, env=buffered, check=False, timeout=PATIENCE_S
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_input_that_is_no_text_is_told(folder: Path) -> None:
    command = [sys.executable, "-m", "companion", "referee"]
    done = subprocess.run(command, input=b'{"do": "\xff"}\n', capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["error"]["kind"] == "bad_request"


def test_a_stream_names_itself_when_it_takes_no_more() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        stream = EscapedStream(full, "standard output")
        assert stream.write("a\x1b") == len("a\\u001b")
        with pytest.raises(OSError, match="standard output"):
            stream.flush()
        assert stream.fault is not None
        assert fault_of(stream) is stream.fault
        with pytest.raises(OSError, match="No space"):
            full.close()


def test_the_streams_are_as_before_afterwards() -> None:
    before = sys.stdout, sys.stderr
    with visible_output():
        assert isinstance(sys.stdout, EscapedStream)
        assert sys.stdout.isatty() is before[0].isatty()
    assert (sys.stdout, sys.stderr) == before
    assert fault_of(sys.stdout) is None
