"""What every command prints: words in the user's language, nothing of Python's; JSON is the same in all."""

from __future__ import annotations

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from companion import cli
from companion.cli import main, parser
from companion.core.language import _
from tests.companion.commands.terminal import START, Capture, printed, written
from tests.companion.sample_games import BOARD, game_file
from tests.companion.tracing.photos import seeing

ENGLISH = re.compile(
    r"\b(the|has|have|wins|with|and|turn|area|areas|of|is|rolls|loses|nothing|points)\b", re.IGNORECASE
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Return a position, a saved game, and a folder that is not there yet."""
    return {
        "START": written(tmp_path / "start.json", START),
        "GAME": str(game_file(tmp_path)),
        "OUT": str(tmp_path / "out"),
    }


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ("score START", "Vermelho vence"),
        ("score GAME", "abastece"),
        ("replay GAME", "Preto vence (pontos de vitória)"),
        ("check START pass", "passo 1: Vermelho passa: legal"),
        ("check START plan:9", "ilegal, "),
        ("boards", "espaços no mapa"),
        ("decks", "inventado para treino"),
        ("battles", " contra "),
        ("demo --headless --system generals --turns 2 --pictures OUT", "as imagens e a partida estão em"),
    ],
)
def test_people_read_their_language(
    argv: str, told: str, files: dict[str, str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    main([files.get(word, word) for word in argv.split()])
    out = capsys.readouterr().out
    assert told in out
    words = re.sub(r"/\S+|\w+[.:]\S+|[✓✗] \S+", "", out)  # paths, rules and spaces by name
    assert not (found := ENGLISH.findall(words)), (found, words)
    assert _("Undo") == "Undo"


@pytest.mark.parametrize("argv", ["score START --json", "check START pass --json", "replay GAME --json"])
def test_programs_read_the_same_in_every_language(
    argv: str, files: dict[str, str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []
    for language in ("C", "pt_BR.UTF-8"):
        monkeypatch.setenv("LC_ALL", language)
        main([files.get(word, word) for word in argv.split()])
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (b"torn", "não é um catálogo de textos, ou está danificado (no texto 1)"),
        (b"\xff", "não é arquivo de texto (o byte 0 não é UTF-8)"),
        (b'msgid ""\nmsgstr "Plural-Forms: many\\n"\n', "não é um catálogo de textos, ou está danificado (sem regra"),
    ],
)
def test_an_owner_s_damaged_language_is_told_in_ours(
    spoilt: bytes, why: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    (tmp_path / "languages").mkdir()
    path = tmp_path / "languages" / "pt_BR.po"
    path.write_bytes(spoilt)
    main(["boards"])
    told = capsys.readouterr().err
    assert told.startswith(f"gunbai: {path}: {why}")
    assert told.count("\n") == 1


def test_an_owner_s_broken_board_is_told_in_the_user_s_language(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "ours.toml").write_bytes(b"\xff")
    main(["boards"])
    assert "ours.toml: não é arquivo de texto (o byte 0 não é UTF-8)" in capsys.readouterr().err


PYTHONS = re.compile(r"\b(None|True|False|nan|inf)\b|[{}]|\(\)|\[\]|object at 0x|<[A-Za-z_.]+[ >]|\b[A-Z]\w+\(\w+=")
"""Words that only a program says."""
ONE_OF_MANY = re.compile(r"(?<![\d.,:/×x-])1 (?!(?:as|is|was|this|points to)\b)[a-z]+[^s\W]s\b")
"""A plural after 1."""
CORNERS = "268,63 1013,62 1064,954 218,954"
COMMANDS: dict[str, list[list[str]]] = {
    "boards": [[], ["--check", "own.toml"], ["--add", "own.toml"], ["--share", "wwii-island-own", "-o", "copy.toml"]],
    "battles": [[]],
    "decks": [[]],
    "calibrate": [
        ["shots/photos/reference.jpg", "--board", BOARD, "--start", "shots/photos/start.jpg", "-o", "a.table"]
    ],
    "read": [["--table", "shots/demo.table", "shots/photos/frame-01.jpg", "--game", "shots/game.jsonl"]],
    "score": [["shots/game.jsonl"], ["--table", "shots/demo.table", "shots/photos/frame-01.jpg"]],
    "check": [["shots/game.jsonl", "pass"]],
    "replay": [["shots/game.jsonl"], ["shots/game.jsonl", "--html", "game.html", "--gif", "game.gif"]],
    "review": [["shots/game.jsonl"]],
    "follow": [["--once"], ["--once", "shots/game.jsonl"]],
    "print": [[BOARD, "--parts", "yes"], [BOARD, "--parts", "yes", "--svg", "sheets"]],
    "trace": [["shots/photos/reference.jpg", "--board", BOARD, "--corners", CORNERS, "--headless"]],
    "bundle": [
        ["shots/game.jsonl", "--table", "shots/demo.table", "-o", "report.zip"],
        ["--check", "report.zip"],
    ],
    "bench": [["shots"], ["report.zip", "--list"]],
    "bridge": [["mqtt.toml", "--check"]],
    "drill": [["--list"]],
    "doctor": [[]],
    "install": [["--dry-run", "--anyway", "--root", "."]],
    "backup": [["--to", "copies"], ["--to", "copies"]],
    "restore": [["copies/gunbai-000001-{day}.tar.gz", "--dry-run"]],
}
NOT_HERE = {
    "play": "opens a window",
    "demo": "the fixture",
    "measure": "needs a table with markers (test_measure.py)",
    "referee": "speaks JSON alone",
    "uninstall": "needs an installation",
    "update": "needs an update file",
    "pack": "needs the network",
    "card": "needs a card",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the demo made, an owner's board and the bridge's settings."""
    folder = tmp_path_factory.mktemp("words")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUNBAI_DATA", str(folder / "data"))
        with redirect_stdout(StringIO()) as told:
            assert main(["demo", "--practice", str(folder / "shots"), "--seed", "7", "--turns", "2"]) == 0
    (folder / "told.txt").write_text(told.getvalue())
    board = Path(__file__).parents[2] / "boards/atoll.toml"
    text = board.read_text().replace("practice-atoll", "wwii-island-own").replace('"practice"', '"owner"')
    (folder / "own.toml").write_text(text)
    (folder / "mqtt.toml").write_text('broker = "127.0.0.1"\n')
    (folder / "data/games").mkdir(parents=True)
    (folder / "data/games/game.jsonl").write_bytes((folder / "shots/game.jsonl").read_bytes())
    return folder


def test_every_command_is_tried_or_said_why_not() -> None:
    assert COMMANDS.keys() | NOT_HERE.keys() == {command.NAME for command in cli.COMMANDS}
    assert not COMMANDS.keys() & NOT_HERE.keys()


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_people_read_words(command: str, place: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setenv("GUNBAI_DATA", str(place / "data"))
    day = next((path.name[14:24] for path in place.glob("copies/*.tar.gz")), "")
    for arguments in COMMANDS[command]:
        with seeing():
            status = main([command, *(word.format(day=day) for word in arguments)])
        told = capfd.readouterr()
        assert status in (0, 1), told.err
        lines = f"{told.out}{told.err}".splitlines()
        assert lines
        for line in lines:
            assert not PYTHONS.search(line), line
            assert not ONE_OF_MANY.search(line), line
            assert "ALSA lib" not in line


@pytest.mark.long
def test_the_demo_s_own_photographs_are_read_as_they_lie(place: Path, capsys: Capture) -> None:
    told = sorted(path.name for path in (place / "shots/photos").iterdir())
    assert told == ["frame-01.jpg", "frame-02.jpg", "reference.jpg", "start.jpg", "table.json", "truth.json"]
    out = printed(capsys, "bench", str(place / "shots"), "--areas", "0.95", "--silent", "0")
    assert "areas right: 44 of 44 (100.0%)" in out
    frames = [path.name for path in (place / "shots/game.jsonl.evidence").iterdir()]
    assert len(frames) == 2


@pytest.mark.long
def test_the_page_shows_the_commands_that_the_practice_set_names(place: Path) -> None:
    told = (place / "told.txt").read_text().replace(f"{place}/shots", "practice").replace("frame-02", "frame-10")
    page = (Path(__file__).parents[3] / "docs/photographs.md").read_text().partition("### Without a board")[2]
    shown = re.findall(r"^gunbai .+$", page.partition("## ")[0], re.M)
    assert shown[0] == "gunbai demo --practice practice"
    assert len(shown) >= 7
    assert [line for line in shown[1:] if f"  {line}\n" not in told] == []


@pytest.mark.long
def test_every_command_that_the_practice_set_names_works_on_it(place: Path, capsys: Capture) -> None:
    lines = (place / "told.txt").read_text().partition("To practise on them:\n")[2].splitlines()
    exercises = [shlex.split(line)[1:] for line in lines]
    assert [words[0] for words in exercises] == [
        *("calibrate", "read", "score", "bench", "replay", "review", "bundle", "play")
    ]
    with seeing():
        assert [words for words in exercises[:-1] if main(words) != 0] == []
    said = capsys.readouterr().out
    assert "areas right: 44 of 44 (100.0%)" in said
    assert "chance to win" in said
    assert parser().parse_args(exercises[-1]).game == str(place / "shots/game.jsonl")


@pytest.mark.parametrize("line", ["app running False", "owed owed None", "1 sheets", "1 areas", "Deploy(space=1)"])
def test_what_was_printed_once_would_be_found(line: str) -> None:
    assert PYTHONS.search(line) or ONE_OF_MANY.search(line)
