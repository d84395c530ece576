"""One picture read with the calibrated table, now from its camera or from a file: for a score without a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_ISREG

import platformdirs

from companion.core.errors import CalibrationError
from companion.core.storage import data_dir
from companion.games.match import Match
from companion.perception.adapters import Force, position_from_reading, unsure, with_game
from companion.perception.cameras import CameraSession, own_table
from companion.perception.table_file import load_table, load_table_today, read_frame
from engine.orders.board import Board
from engine.orders.position import Position
from vision.reading.read import Reading, read
from vision.table import Table

ENDINGS = frozenset({".jpg", ".jpeg", ".png"})
PHOTOS = "photos"


@dataclass(frozen=True, slots=True)
class Settled:
    """A reading to be scored, with what people have said of single areas; `compare` takes it as it does a Reading."""

    units: Mapping[str, Force]
    commanders: Mapping[str, str]
    confidence: Mapping[str, float]
    unreadable: tuple[str, ...]
    support: tuple[str, ...] = ()

    def with_count(self, area: str, force: Force) -> Settled:
        """Return the reading with people's count of an area, taken as certain."""
        return replace(
            self,
            units={**self.units, area: force},
            confidence={**self.confidence, area: 1.0},
            unreadable=tuple(place for place in self.unreadable if place != area),
        )


def areas_to_ask(board: Board, seen: Settled) -> list[str]:
    """Return the areas that people have to be asked about, the least sure first."""
    return list(unsure(board, seen))


def position_of(board: Board, seen: Settled, game: Position | None, initiative: str | None) -> Position:
    """Return the position to be scored; without a game the initiative is known only if people name its side.

    AdapterError if what was seen can be no position.
    """
    position = position_from_reading(board, seen, game)
    if game is None and initiative is not None:
        return replace(position, initiative=board.factions.index(initiative))
    return position


class PhotoEye:
    """Reads single pictures with the table in use. That takes a while: run it in an errand."""

    def __init__(self, watched: CameraSession, board: Callable[[], Board]) -> None:
        self._watched = watched
        self._board = board

    @property
    def ready(self) -> bool:
        """Whether there is a calibrated table."""
        return self._watched.table is not None or self._table_file().exists()

    @property
    def has_camera(self) -> bool:
        """Whether a camera is watching the table."""
        return self._watched.current is not None

    def read_now(self, match: Match | None) -> Reading:
        """Read the board as the camera sees it now; CalibrationError, InputError or VisionError if unreadable."""
        picture = self._watched.latest()
        if picture is not None:
            return read(self._table(), picture)
        glimpse = self._watched.glimpse(match) if match is not None else None
        if glimpse is None or glimpse.reading is None:
            fault = glimpse.fault if glimpse is not None else ""
            raise CalibrationError(fault or "the camera gives no picture just now")
        return glimpse.reading

    def read_file(self, path: Path) -> Reading:
        """Read the board from a picture file; CalibrationError, InputError or VisionError if it can't be read."""
        today, file = self._table(), self._table_file()
        return read_frame((today, load_table(str(file))) if today.of and file.exists() else today, str(path))

    def _table(self) -> Table:
        table = self._watched.table or load_table_today(str(self._table_file()))
        if table.plan.board != self._board().name:
            raise CalibrationError(
                f"the game is played on {self._board().name}, but the table is set up for {table.plan.board}"
            )
        return table

    def _table_file(self) -> Path:
        return self._watched.setup.table or own_table(self._board().name)


def settled_with_game(reading: Reading, game: Position | None) -> Settled:
    """Return a reading, weighed with the game if there is one; AdapterError for a game on another board."""
    seen = reading if game is None else with_game(reading, game)
    return Settled(seen.units, seen.commanders, seen.confidence, seen.unreadable, seen.support)


def photo_files() -> list[Path]:
    """Return the picture files in the app's photo folder and the user's, the newest first."""
    folders = (data_dir() / PHOTOS, platformdirs.user_pictures_path())
    named = [path for folder in folders if folder.is_dir() for path in folder.iterdir()]
    found = []
    for path in (path for path in named if path.suffix.lower() in ENDINGS):
        with suppress(FileNotFoundError):  # deleted since the folder was listed
            about = path.stat()
            if S_ISREG(about.st_mode):
                found.append((-about.st_mtime_ns, path.name, path))
    return [path for _age, _name, path in sorted(found)]
