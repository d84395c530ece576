"""The command line as a whole: help, wrong arguments, faults of the system, the referee, real processes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion import __version__, cli
from companion.appliance.host import Host
from companion.cli import main
from companion.core.language import _
from companion.settings import values
from engine.errors import BadTable
from tests.companion.commands.terminal import START, Capture, fault, printed, written
from tests.companion.sample_games import REQUEST, game_file
from tests.patience import PATIENCE_S

ROOT = Path(cli.__file__).resolve().parent.parent


@pytest.fixture
def start(tmp_path: Path) -> str:
    """Return a file with the starting position."""
    return written(tmp_path / "start.json", START)


# ---- the user's language ------------------------------------------------------------------------


@pytest.fixture
def brazilian(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the machine to Brazilian Portuguese."""
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")


@pytest.mark.usefixtures("brazilian")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["update", "--root", "{here}", "{here}/x"], "não existe {here}/opt/gunbai/current"),
        (["update"], "informe um FILE, ou --back, ou --stick RELEASE"),
        (["card", "{here}", "x.update"], "{here}: não é a partição de boot do Raspberry Pi OS (falta config.txt)"),
        (["follow", "{here}/x", "--json"], "{here}/x: essa partida salva não existe"),
        (["backup", "--keep", "0"], "--keep: precisa ser pelo menos 1"),
        (["restore", "{here}/x"], "{here}/x: não pode ser lido (arquivo ou pasta não existe)"),
        (["paly"], "argumento COMMAND: opção inválida: 'paly'; seria play? (veja gunbai --help)"),
        (["demo", "--borad", "x"], "argumento desconhecido: --borad x; seria --board? (veja gunbai demo --help)"),
        (["demo", "--seed", "x"], "argumento --seed: esperado 0 ou mais, não 'x' (veja gunbai demo --help)"),
        (["replay"], "falta argumento: GAME (veja gunbai replay --help)"),
        (["print", "alpin", "-o", "a.pdf"], "nenhum tabuleiro se chama 'alpin'; há sengoku-fortress,"),
    ],
)
def test_faults_are_in_the_user_s_language(
    words: list[str], told: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Host, "is_root", lambda _host: True)  # anybody else is told first that it needs root
    line = fault(capsys, *(word.format(here=tmp_path) for word in words))
    assert line.startswith(told.format(here=tmp_path))


@pytest.mark.usefixtures("brazilian")
def test_an_installation_speaks_it_and_what_programs_read_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    out = printed(capsys, "install", "--dry-run", "--anyway", "--root", str(tmp_path))
    assert "Isto será instalado:" in out
    assert "Nada foi alterado." in out
    assert printed(capsys, "backup") == "nenhuma partida salva para copiar\n"
    assert '"legal"' in printed(capsys, "check", "--json", written(tmp_path / "start.json", START), "pass")
    assert _("Undo") == "Undo", "the language goes with the command"


# ---- the whole ----------------------------------------------------------------------------------


def test_the_version_is_that_of_the_package(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"gunbai {__version__}\n"
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"]


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"]])
def test_help_names_every_command(argv: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        main(argv)
    assert left.value.code == 0
    out = capsys.readouterr().out
    for name in ("play", "demo", "calibrate", "read", "score", "check", "replay", "referee"):
        assert f"\n  {name} " in out
    assert "exit status: 0 done, 1 the answer is no, 2 bad input" in out


@pytest.mark.parametrize("command", [command.NAME for command in cli.COMMANDS])
def test_every_command_explains_itself_with_an_example(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    out = capsys.readouterr().out
    assert "example" in out
    assert f"gunbai {command}" in out.split("example")[1]
    assert max(map(len, out.splitlines())) <= 120


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["dance"], "argument COMMAND: invalid choice: 'dance'"),
        (["score"], "the following arguments are required: POSITION|FRAME (see gunbai score --help)"),
        (["score", "a", "b"], "unrecognized arguments: b (see gunbai score --help)"),
        (["read", "x.jpg"], "the following arguments are required: --table (see gunbai read --help)"),
        (["demo", "--turns", "0"], "argument --turns: expected 1 or more, not '0' (see gunbai demo"),
        (["demo", "--turns", "few"], "argument --turns: expected 1 or more, not 'few'"),
        (["demo", "--seed", "x"], "argument --seed: expected 0 or more, not 'x'"),
        (["bench", "photos", "--silent", "few"], "argument --silent: expected 0 or more, not 'few'"),
        (["bench", "photos", "--areas", "few"], "argument --areas: expected a number, not 'few'"),
        (["demo", "--seed=-3"], "argument --seed: expected 0 or more, not '-3'"),
        (["demo", "--system", "chess"], "argument --system: invalid choice: 'chess'"),
        (["demo", "--headless", "--board", "sengoku-lakes"], "no board named 'sengoku-lakes'; there is sengoku-"),
        (["demo", "--headless", "--size", "big"], "expected WIDTHxHEIGHT in pixels, such as 800x480, not 'big'"),
        (["play", "--size", "12x9"], "expected WIDTHxHEIGHT in pixels"),
        (["play", "--demo", "--camera", "0"], "--demo brings its own table and camera"),
        (["play", "--table", "x.table"], "--table needs a camera"),
        (["play", "--camera", "0"], "--camera needs a calibrated table"),
        (["play", "--game", "none.jsonl"], "none.jsonl: can't be opened (No such file or directory)"),
        (["score", "p.json", "--game", "g.jsonl"], "--game goes with --table"),
        (["paly"], "argument COMMAND: invalid choice: 'paly'; did you mean play? (see gunbai --help)"),
        (["demo", "--borad", "x"], "unrecognized arguments: --borad x; did you mean --board? (see gunbai demo --help)"),
        (["demo", "--sede=3"], "unrecognized arguments: --sede=3; did you mean --seed? (see gunbai demo --help)"),
        (["demo", "--system", "sonea"], "argument --system: invalid choice: 'sonea'; did you mean sonae? (see gunbai"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(argv: list[str], told: str, capsys: Capture) -> None:
    assert fault(capsys, *argv).startswith(told)


@pytest.mark.usefixtures("brazilian")
@pytest.mark.parametrize("command", ["", *(command.NAME for command in cli.COMMANDS)])
def test_help_speaks_the_users_language(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"] if command else ["--help"])
    out = capsys.readouterr().out
    assert out.startswith("uso: gunbai")
    assert "mostrar esta ajuda e sair" in out
    assert "exemplo" in out
    assert not re.search(r"\b(the|of|and|with)\b", re.sub(r"--?[\w-]+|gunbai \w+|docs/.*|\w+\.\w+", "", out)), out
    assert _("Undo") == "Undo"


def test_a_language_may_be_written_as_web_pages_do(tmp_path: Path) -> None:
    game = str(game_file(tmp_path))
    for written_as in ("pt-BR", "pt_br"):
        assert main(["replay", game, "--html", str(tmp_path / "page.html"), "--language", written_as]) == 0
        assert '<html lang="pt-BR"' in (tmp_path / "page.html").read_text()
    assert values.language("pt-BR") == "pt_BR"
    assert values.language("tlh") == "tlh"


@pytest.mark.usefixtures("brazilian")
def test_a_page_speaks_the_users_language(tmp_path: Path) -> None:
    assert main(["replay", str(game_file(tmp_path)), "--html", str(tmp_path / "page.html")]) == 0
    assert '<html lang="pt-BR"' in (tmp_path / "page.html").read_text()


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: Capture, start: str) -> None:
    def interrupt(path: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.terminal.inputs.load_any", interrupt)
    assert main(["score", start]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_fault_of_the_system_names_the_file(monkeypatch: pytest.MonkeyPatch, capsys: Capture, start: str) -> None:
    def full(path: str) -> None:
        raise OSError(28, "No space left on device", "/media/stick/game.jsonl")

    monkeypatch.setattr("companion.terminal.inputs.load_any", full)
    assert fault(capsys, "score", start) == "/media/stick/game.jsonl: No space left on device"
    monkeypatch.setattr("companion.terminal.inputs.load_any", lambda path: (_ for _ in ()).throw(OSError("odd")))
    assert fault(capsys, "score", start) == "odd"


def test_a_broken_board_file_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Capture, start: str) -> None:
    def broken(name: str) -> None:
        raise BadTable("boards/sengoku-rivers.toml: areas.c4.vp: a number\n is missing")

    monkeypatch.setattr("engine.orders.wire.positions.load_board", broken)
    assert fault(capsys, "score", start) == (
        f"{start}: not a position: boards/sengoku-rivers.toml: areas.c4.vp: a number is missing"
    )


# ---- the referee and real processes -------------------------------------------------------------


def gunbai(*argv: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", *argv]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=PATIENCE_S, **options)  # type: ignore[call-overload, no-any-return]


def test_the_referee_answers_line_by_line_and_ends_with_its_input() -> None:
    requests = "\n".join([json.dumps({**REQUEST, "id": 1}), "nonsense", json.dumps({"do": "legal", "position": START})])
    done = gunbai("referee", input=requests)
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert (first["id"], first["position"]["round"]) == (1, 1)
    assert second["error"]["kind"] == "bad_request"
    assert third["pass"] is True


def test_the_referee_starts_without_the_screen_and_the_eye() -> None:
    watch = (
        "import sys; from companion.cli import main; status = main(['referee']); "
        "print(status, sorted({'pygame', 'cv2', 'numpy', 'vision.reading.read'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", watch]
    done = subprocess.run(command, input="", capture_output=True, text=True, cwd=ROOT, check=True, timeout=PATIENCE_S)
    assert done.stdout == "0 []\n"


def test_a_terminal_without_the_characters_gets_their_numbers(start: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = gunbai("check", start, "pass", env=environment)
    assert done.returncode == 0
    assert "\\u2713 game.over" in done.stdout
