"""A table's file and a picture's file, opened for a reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.core.errors import InputError
from engine.errors import UnknownBoard
from engine.orders.board import load_board
from intake.errors import Unreadable
from intake.files import read_file_or_pipe
from vision.calibration.calibrate import nearest_in_light, register_where_shown
from vision.errors import VisionError
from vision.frame import is_large, picture_bytes, picture_of
from vision.geometry import checked_corners
from vision.memory import give_back
from vision.reading.read import Reading, read
from vision.reading.setting import release_caches
from vision.table import Table, load_today, mark_of_table, today_path

Corners = Sequence[tuple[float, float]]
"""The four corners of a board in a picture, in pixels, clockwise."""


@contextmanager
def blame_photos(names: str) -> Iterator[None]:
    """Put these names of photos before the message of any VisionError raised within."""
    try:
        yield
    except VisionError as error:
        raise type(error)(f"{names}: {error}") from error


def load_table(path: str) -> Table:
    """Load a table file; TableError if it is none, InputError if its board or areas aren't those of the rules."""
    table = Table.load(path)
    try:
        board = load_board(table.plan.board)
    except UnknownBoard as error:
        raise InputError(f"{path}: a table for another board: {error}") from error
    if {area.name for area in table.plan.areas} != {area.name for area in board.areas}:
        raise InputError(f"{path}: its {board.name} has other areas than the rules know: calibrate again")
    return table


def load_table_today(path: str) -> Table:
    """Load a table file as `load_table` does, with today's board in its place if that lies beside it."""
    table = load_table(path)
    return load_today(today_path(Path(path)), table, _mark(path)) or table


def tables_of(path: str, game: str | None) -> tuple[Table, ...]:
    """Load a table file as `load_table` does, and the board that a game was begun on if that lies beside the game."""
    table = load_table(path)
    if game is None:
        return (table,)
    board = load_today(today_path(Path(game)), table, _mark(path))
    return (table,) if board is None else (table, board)


def _mark(path: str) -> str:
    try:
        return mark_of_table(path)
    except (OSError, Unreadable):  # it has just been read: it has gone since, and nothing else is of it
        return ""


def read_frame(tables: Table | Sequence[Table], frame: str, corners: Corners | None = None) -> Reading:
    """Read the board from a picture file, by whichever table is nearest to it in light; PictureError names the file.

    corners: the board's corners in the picture, in pixels, if somebody has given them; CornersError if they make no
    sense, InputError if the board's print isn't there.
    """
    return read_picture(tables, picture_bytes(frame, read_file_or_pipe), frame, corners)


def read_picture(tables: Table | Sequence[Table], data: bytes, name: str, corners: Corners | None = None) -> Reading:
    """Read the board from a picture file's bytes as `read_frame` does; PictureError names the picture."""
    if is_large(data):
        release_caches()
    give_back()  # what the picture before it has left
    photos = [picture_of(data, name)]
    del data
    with blame_photos(name):
        height, width = photos[0].shape[:2]
        shown = None if corners is None else checked_corners(corners, (width, height))
        table = tables if isinstance(tables, Table) else nearest_in_light(tables, photos[0], shown)
        found = None if shown is None else register_where_shown(table, photos[0], shown)
        if shown is not None and found is None:
            raise InputError(f"{name}: --corners: the board's print isn't there, or too little of it shows")
        return read(table, photos.pop(), found)
