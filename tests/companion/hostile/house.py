"""A house with one of everything: the folder of data and those of settings, as the app and its owners fill them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.content import deck_draft
from companion.content.deck_draft import DeckDraft
from companion.content.decks import deck_toml
from companion.core.storage import data_dir, games_dir
from companion.desk.tags import Tags
from companion.evidence.pictures import Name, folder_of, keep
from companion.games.clock import clock_path
from companion.games.match import Match
from companion.games.reviews import write_review
from companion.games.saved.shelf import saved_games, set_label, throw_away
from companion.perception.cameras import own_table, remember_camera
from companion.perception.learning import experience_path
from companion.tracing.draft_file import photo_path, save_draft
from engine.generals.cards import Deck, load_deck
from engine.orders.board import load_board
from engine.orders.game import new_game
from tests.companion.gallery.rooms.shelf import own_battle
from tests.companion.other_games import file_of
from tests.companion.sample_eye import sample_eye, save_sample_table
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.sample_reviews import reviewed
from tests.companion.tracing.photos import begun
from vision.frame import jpeg_of
from vision.reading.experience import Experience, experience_text
from vision.table import mark_of_table

JPEG = b"\xff\xd8\xff\xc0\x00\x0b\x08\x00\x02\x00\x02\x01\x01\x11\x00\xff\xd9"  # the head of a picture of 2x2
MODE = load_board(BOARD).mode
OWN_BOARD = "sengoku-rivers-own"
TABLE = f"data/tables/{BOARD}.table"
OF_A_TABLE = (TABLE, f"{TABLE}.experience.json")
"""What is needed at the start, where a camera watches: whoever starts it hears that it is damaged."""


def live_in(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have data and settings in a folder."""
    monkeypatch.setenv("GUNBAI_DATA", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(home / "etc"))
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    return home


def furnished(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put one of everything into a folder."""
    live_in(home, monkeypatch)
    own_battle()
    text = (Path(deck_draft.__file__).parents[2] / "engine/data/boards" / f"{BOARD}.toml").read_text(encoding="utf-8")
    write(data_dir() / "boards" / f"{OWN_BOARD}.toml", text.replace(f'"{BOARD}"', f'"{OWN_BOARD}"', 1))
    ours = load_deck("practice-wolves")
    write(data_dir() / "decks" / "hills.toml", deck_toml(Deck("hills", ours.title, "owner", ours.cards)))
    deck_draft.keep_draft(DeckDraft("mine", "Mine", ()))
    save_draft(begun())
    photo_path(begun().name).write_bytes(JPEG)
    Tags().bind(MODE, "0A1B2C3D4E", "ambush")
    _table(home.with_name("pictures"))
    for system in ("sonae", "generals"):
        file_of(games_dir(), system, name=system)
    throw_away(file_of(games_dir(), "generals", name="thrown"))
    match = Match.start(games_dir() / "game.jsonl", BOARD, "red", BONUSES, {"red": "Ana", "black": "Bo"})
    for step in played()[0][:4]:
        match.offer(step)
    match.undo()
    match.close()
    set_label(match.path, "A rainy evening")
    write(clock_path(match.path), '{"spent_s": {"red": 65.0}}\n')
    write_review(match.path, "mark", reviewed(3))
    keep(folder_of(match.path), Name("frame", 3, match.mark(3)), JPEG, {})
    saved_games()
    write(home / "config" / "gunbai" / "settings.toml", "[clock]\nminutes = 30\n")
    write(home / "config" / "gunbai" / "chosen.toml", "[sound]\non = false\n")
    write(home / "etc" / "gunbai" / "settings.toml", "[screen]\nmotion = false\n")
    return home


def _table(pictures: Path) -> None:
    """Put a calibrated table with what it taught there, and a camera that sees it."""
    pictures.mkdir(parents=True)
    (pictures / "1.jpg").write_bytes(jpeg_of(sample_eye().look(new_game(BOARD, "red", BONUSES)).picture))
    remember_camera(str(pictures))
    table = save_sample_table(own_table(BOARD))
    known = {"table": mark_of_table(table), "experience": experience_text(Experience())}
    experience_path(table).write_text(json.dumps(known))


def write(path: Path, text: str) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
