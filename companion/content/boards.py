"""The shelf of owners' boards: files of their own beside the saved games, made known to the engine at the start.

A file may come from a stranger. A broken one is named and left lying, and takes nothing else down with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.content.own_files import SUFFIX, files_in, put_aside, shared, text_of, write
from companion.core.errors import OwnFileError
from companion.core.storage import data_dir
from engine.errors import BadTable, EngineError
from engine.orders.board import Board, add_board, own_board_names, read_board, remove_board


@dataclass(frozen=True, slots=True)
class Shelf:
    """The owners' boards that are known now, and the files that are none: (file, why)."""

    boards: tuple[Board, ...]
    broken: tuple[tuple[Path, str], ...]


def folder() -> Path:
    """Where owners' boards lie; not created here."""
    return data_dir() / "boards"


def path_of(name: str) -> Path:
    """The file of the owner's board of that name."""
    return folder() / f"{name}{SUFFIX}"


def register() -> Shelf:
    """Read every board on the shelf and make it known; what was known before and has gone is forgotten."""
    for name in own_board_names():
        remove_board(name)
    boards, broken = [], []
    for path in files_in(folder()):
        try:
            board = load(path)
            _check_name(board, path)
            add_board(board)
        except (OwnFileError, BadTable) as fault:
            broken.append((path, str(fault)))
        else:
            boards.append(board)
    return Shelf(tuple(boards), tuple(broken))


def _check_name(board: Board, path: Path) -> None:
    if path.stem != board.name:
        raise OwnFileError(f"{path}: a file of the board {board.name} is called {board.name}{SUFFIX}")


def load(path: Path) -> Board:
    """The board in a file, not made known. OwnFileError, or BadTable with every fault of it."""
    return read_board(str(path), text_of(path))


def save(text: str) -> Board:
    """Put a board on the shelf under its own name, in place of one of that name, and make it known.

    BadTable with every fault of the text; OwnFileError where it cannot be written.
    """
    board = read_board("board", text)
    add_board(board)
    write(path_of(board.name), text)
    return board


def import_file(path: Path) -> Board:
    """Take a copy of a board's file onto the shelf. OwnFileError where there is one of that name already."""
    text = text_of(path)
    board = read_board(str(path), text)
    if path_of(board.name).exists():
        raise OwnFileError(f"{path_of(board.name)}: there is a file of that name already")
    add_board(board)
    write(path_of(board.name), text)
    return board


def export(name: str, to: Path) -> None:
    """Copy an owner's board into another file. OwnFileError where that cannot be done."""
    write(to, text_of(path_of(name)))


def share(name: str) -> Path:
    """Copy an owner's board into the folder of what people take away from the app; the file."""
    to = shared(name)
    export(name, to)
    return to


def delete(name: str) -> None:
    """Take a board off the shelf: it is put aside under another name, where it can be fetched back by hand."""
    put_aside(path_of(name))
    remove_board(name)


def faults_of(path: Path) -> tuple[str, ...]:
    """Every fault of a board's file, each with its key; none where it is sound."""
    try:
        load(path)
    except EngineError as error:
        return tuple(str(error).split("; "))
    return ()
