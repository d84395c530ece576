"""A data folder with all that the app keeps there, written as the app writes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.content import deck_draft
from companion.content.deck_draft import DeckDraft
from companion.content.decks import DECKS, deck_toml
from companion.content.shelves import BATTLES, BOARDS
from companion.core import storage
from companion.desk.tags import Tags, file_of
from companion.games import undo_log
from companion.games.clock import clock_path
from companion.games.saved import shelf, statistics
from companion.perception import cameras, learning
from companion.perception.adapters import plan_of
from companion.settings import layers
from companion.settings.layers import Choices
from companion.tracing.draft import Draft
from companion.tracing.draft_file import save_draft, save_photo
from engine.orders.board import load_board
from engine.orders.mode import load_mode
from tests.companion.owned import shelves
from tests.companion.sample_games import saved
from tests.companion.tracing.photos import rivers
from tests.engine.generals.case import deck
from tests.engine.sonae.case import scenario_text
from vision.reading.experience import Experience
from vision.table import Table

SCENARIO = scenario_text().replace('known = "practice"', 'known = "owner"')


def furnish() -> None:
    """Write one of everything."""
    games()
    with shelves():
        BOARDS.save("sengoku-rivers-ana", rivers().text())
        DECKS.save("foxes", deck_toml(replace(deck(), known="owner")))
        BATTLES.save("hills", SCENARIO)
        for name in ("gone", "kept"):
            BATTLES.save(name, SCENARIO)
        BATTLES.delete("gone")
    deck_draft.keep_draft(DeckDraft("owls", "Owls", ()))
    save_draft(Draft("wwii-alpine-ana", "wwii-alpine"))
    save_photo("wwii-alpine-ana", jpeg())
    tables()
    mode = load_mode("sengoku-rivers")
    Tags().bind(mode, "04:A2:2B", next(iter(mode.cards)))
    storage.keep_aside(file_of(mode), b"\xff")
    chosen = replace(layers.Settings(), language="pt_BR", readers=("/dev/serial/by-id/usb-reader",))
    Choices(layers.chosen_file()).keep(chosen, ("language", "readers"))


def games() -> None:
    """Write a game with the files beside it, another in the trash, and names for both."""
    for name in ("a", "b"):
        path = storage.games_dir() / f"{name}.jsonl"
        path.write_bytes(saved(steps=4))
        undo_log.append(path, undo_log.UndoRecord(1, "0" * 12, "undo", (b'{"pass": true}\n',)))
        clock_path(path).write_bytes(b'{"spent_s": {"red": 12.5}}\n')
        storage.keep_aside(path, b"\x00damaged")
        shelf.call(path, f"Game {name}")
    shelf.throw_away(storage.games_dir() / "b.jsonl")
    for known in (shelf.GameShelf(storage.games_dir()), shelf.GameShelf(storage.games_dir() / shelf.TRASH)):
        known.finish()
    statistics.gather(storage.games_dir())


def tables() -> None:
    """Write a calibrated table, what it taught, and its camera."""
    board = load_board("sengoku-rivers")
    path = cameras.own_table(board.name)
    path.parent.mkdir(parents=True)
    picture = np.zeros((120, 160, 3), np.uint8)
    corners = ((10.0, 10.0), (150.0, 10.0), (150.0, 110.0), (10.0, 110.0))
    Table(plan_of(board), picture, corners, picture).save(path)
    learner = learning.Learner(path)
    learner.experience = Experience(turns=1)
    learner._save()
    cameras.remember_camera("csi:0")


def jpeg() -> bytes:
    """Return a small photo."""
    return cv2.imencode(".jpg", np.zeros((40, 60, 3), np.uint8))[1].tobytes()


def put(path: Path, data: bytes) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def state_of(folder: Path) -> dict[str, bytes]:
    """{name below the folder: bytes}."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
