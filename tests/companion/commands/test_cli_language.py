"""What commands print is in the user's language; JSON is the same in all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.language import _
from tests.companion.commands.terminal import START, written
from tests.companion.sample_games import game_file

Capture = pytest.CaptureFixture[str]
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
