"""A table's file and a picture's file, opened for a reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.core.errors import InputError
from companion.core.heap import give_back
from engine.errors import UnknownBoard
from engine.orders.board import load_board
from intake.files import read_file_or_pipe
from vision.errors import VisionError
from vision.frame import is_large, picture_bytes, picture_of
from vision.reading.read import Reading, read, release_caches
from vision.table import Table


@contextmanager
def blamed(names: str) -> Iterator[None]:
    """Name the photos in the eye's faults while it is at work."""
    try:
        yield
    except VisionError as error:
        raise type(error)(f"{names}: {error}") from error


def load_table(path: str) -> Table:
    """Load a table file whose board the rules know, with its areas as the rules have them.

    TableError, InputError for any other.
    """
    table = Table.load(path)
    try:
        board = load_board(table.plan.board)
    except UnknownBoard as error:
        raise InputError(f"{path}: a table for another board: {error}") from error
    if {area.name for area in table.plan.areas} != {area.name for area in board.areas}:
        raise InputError(f"{path}: its {board.name} has other areas than the rules know: calibrate again")
    return table


def read_frame(table: Table, frame: str) -> Reading:
    """Read the board from a picture file; PictureError names the file."""
    return read_picture(table, picture_bytes(frame, read_file_or_pipe), frame)


def read_picture(table: Table, data: bytes, name: str) -> Reading:
    """Read the board from a picture file's bytes; PictureError names the picture."""
    if is_large(data):
        release_caches()
    give_back()  # what the picture before it has left
    photos = [picture_of(data, name)]
    del data
    with blamed(name):
        return read(table, photos.pop())
