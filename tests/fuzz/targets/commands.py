"""The whole way from the command line: its arguments, and files handed to commands."""

from __future__ import annotations

import io
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion import cli
from companion.core.errors import UsageError
from engine.systems import DEFAULT
from tests.fuzz.packs import as_sniffed
from tests.fuzz.spoil import Stock, as_text
from tests.fuzz.target import UNSHOWN, Target, Work, hold, hold_line, named
from tests.fuzz.targets.eye import encoded, table_file
from tests.fuzz.targets.games import game_file, games
from tests.fuzz.targets.packs import copied
from tests.fuzz.targets.shelves import DECK

BAD_INPUT = 2
QUIET = ("boards", "decks", "battles", "check", "replay", "score", "restore")
"""Commands that can be run with any arguments: they read, and write below the data folder or the current one."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command came to: its exit status, and the lines of its output and of its errors."""

    status: int
    out: str
    err: str


@contextmanager
def streams() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Redirect output and errors into memory, as strict as a UTF-8 terminal, with nothing on standard input."""
    before, raw = (sys.stdin, sys.stdout, sys.stderr), (io.BytesIO(), io.BytesIO())
    sys.stdin = io.TextIOWrapper(io.BytesIO(b""))
    sys.stdout, sys.stderr = (io.TextIOWrapper(stream, "utf-8", write_through=True) for stream in raw)
    try:
        yield raw
    finally:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            with suppress(ValueError):
                stream.detach()
        sys.stdin, sys.stdout, sys.stderr = before


def ran(arguments: list[str]) -> Ran:
    """Run a command in this process."""
    with streams() as (out, err):
        try:
            status = cli.main(arguments)
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 0
        told = out.getvalue(), err.getvalue()
    return Ran(status, *(output.decode("utf-8") for output in told))


def hold_told(found: Ran) -> None:
    """Raise Broken unless a command ended as it should: bad input as one line, and nothing that steers a terminal."""
    hold(found.status in (0, 1, BAD_INPUT), f"exit status {found.status}")
    for text in (found.out, found.err):
        odd = next((letter for letter in text if unicodedata.category(letter) in UNSHOWN and letter != "\n"), "")
        hold(not odd, f"a {odd!r} reaches the terminal")
    lines = found.err.splitlines()
    hold(all(line.startswith("gunbai: ") for line in lines), f"another program's words: {lines}")
    lines = [line for line in lines if not line.startswith("gunbai: note: ")]
    hold(found.status != BAD_INPUT or len(lines) == 1, f"{len(lines)} lines for bad input: {lines[:3]}")
    hold("a fault of its own" not in found.err, f"a fault of ours: {found.err}")


# ---- arguments --------------------------------------------------------------------------------

LINES = (
    "boards --check given.jsonl",
    "boards --share own -o copy.toml",
    "decks --check foxes.toml",
    "decks --remove foxes",
    "battles",
    "check given.jsonl advance:c4 --json",
    "check given.jsonl pass",
    "replay given.jsonl --json",
    "score given.jsonl --json",
    "score --table home.table photo.jpg --game given.jsonl",
    "restore copy.tar.gz --dry-run",
    "--help",
    "--version",
    "replay --help",
    "play --size 800x480 --game given.jsonl --table home.table --camera 0",
    "demo --headless --seed 3",
    "calibrate photo.jpg --board sengoku-rivers -o home.table --corners 1,2",
    "read --table home.table photo.jpg --json",
    "measure photo.jpg --units A B --base-height 0.08 --marking rear",
    "print wwii-alpine --paper a3 --parts board,cards --base-mm 40",
    "trace photo.jpg --board wwii-alpine --name ana --mm 300x200 --headless",
    "backup --to copies --keep 3",
    "bundle --check report.zip --json",
    "bundle given.jsonl photo.jpg --steps 0 --table home.table -o report.zip",
    "bench report.zip --list --no-start --areas 0.98 --silent 0",
    "doctor",
    "update given.update --older --dry-run --yes --root machine",
)


def _arguments(folder: Path) -> Work:
    """Arguments, parted by NUL as the system has them; no path in them leads out of the scratch folder."""
    game_file(folder / "given.jsonl", DEFAULT)
    kept = {path.name for path in folder.iterdir()}

    def read(data: bytes) -> bool:
        given = [os.fsdecode(word).replace("/", "_") for word in data.split(b"\0")[:30]]
        if not given or given[0] not in (*QUIET, "--help", "--version"):
            return _parsed(given)
        found = ran(given)
        hold_told(found)
        understood = "--help)" not in found.err
        for path in folder.iterdir():
            if path.name not in kept:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return understood

    return Work(tuple(line.replace(" ", "\0").encode() for line in LINES), read)


def _parsed(given: list[str]) -> bool:
    """Arguments of a command that opens screens or changes the machine are only parsed."""
    with streams():
        try:
            cli.parser().parse_args(given)
        except UsageError as error:
            hold_line(str(error))
            return False
        except SystemExit as left:
            hold(left.code == 0, f"exit status {left.code}")
    return True


# ---- files for commands -----------------------------------------------------------------------


def _with_file(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return a command and the file it is given: mostly the file is spoiled, according to its kind."""
    words, _newline, content = data.partition(b"\n")
    if rng.random() < 0.1:
        return as_text(words, rng, stock) + b"\n" + content
    return words + b"\n" + as_sniffed(content, rng, Stock([sample.partition(b"\n")[2] for sample in stock.inputs[:40]]))


def _commands(folder: Path) -> Work:
    """Prepare to check a command on the first line, with FILE for what follows."""
    (folder / "steps.json").write_text('[{"pass": true}]')
    honest: list[tuple[str, bytes]] = [
        *((f"replay FILE{flag}", game) for game in games() for flag in ("", " --json")),
        *((f"score FILE{flag}", game) for game in games() for flag in ("", " --json")),
        *(("check FILE steps.json", game) for game in games()[:1]),
        ("check FILE --json steps.json", games()[0]),
        ("decks --check FILE", DECK.encode()),
        ("restore --dry-run FILE", copied()),
        ("calibrate FILE --board sengoku-rivers --corners 1,2 -o out.table", encoded(".png")),
        ("read none.jpg --table FILE", table_file(folder / "home.table").read_bytes()),
        ("measure FILE --scenario none", encoded(".jpg")),
    ]
    suffixes = {"decks": "foxes.toml", "restore": "copy.tar.gz"}

    def read(data: bytes) -> bool:
        words, _newline, content = data.partition(b"\n")
        command = os.fsdecode(words.replace(b"\0", b"")).replace("/", "_").split(" ")
        name = suffixes.get(command[0], "given")
        (folder / name).write_bytes(content)
        if command[0] not in (*QUIET, "calibrate", "read", "measure"):
            return _parsed(command)
        found = ran([name if word == "FILE" else word for word in command])
        hold_told(found)
        return found.status != BAD_INPUT or command[0] in ("calibrate", "read", "measure")

    return Work(tuple(words.encode() + b"\n" + content for words, content in honest), read)


TARGETS = named(
    (
        Target("arguments", _arguments, as_text, (), ("companion.cli", "companion.commands.parsing"), share=0.4),
        Target(
            "command",
            _commands,
            _with_file,
            (),
            ("companion.commands", "companion.core.outputs", "companion.terminal.own_list"),
            share=0.15,
            cpu_s=5.0,
        ),
    )
)
