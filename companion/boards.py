"""The shelf of owners' boards: files of their own beside the saved games, made known to the engine at the start.

A file may come from a stranger. A broken one is named and left lying, and takes nothing else down with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.errors import BoardFileError
from companion.storage import atomic_write, data_dir
from engine.errors import BadTable, EngineError
from engine.orders.board import Board, add_board, own_board_names, read_board, remove_board
from engine.tables import MOST_CHARACTERS

SUFFIX = ".toml"
MOST_BYTES = 4 * MOST_CHARACTERS


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
    for path in _files():
        try:
            board = load(path)
            _check_name(board, path)
            add_board(board)
        except (BoardFileError, BadTable) as fault:
            broken.append((path, str(fault)))
        else:
            boards.append(board)
    return Shelf(tuple(boards), tuple(broken))


def _files() -> Iterator[Path]:
    """The files on the shelf, by name; none where there is no shelf or it cannot be looked into."""
    try:
        yield from sorted(folder().glob(f"*{SUFFIX}"))
    except OSError:
        return


def _check_name(board: Board, path: Path) -> None:
    if path.stem != board.name:
        raise BoardFileError(f"{path}: a file of the board {board.name} is called {board.name}{SUFFIX}")


def load(path: Path) -> Board:
    """The board in a file, not made known. BoardFileError, or BadTable with every fault of it."""
    return read_board(str(path), text_of(path))


def text_of(path: Path) -> str:
    """The text of a board's file. BoardFileError where it cannot be read, is too long, or is no text."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BoardFileError(f"{path}: cannot be read ({error.strerror})") from error
    if len(data) > MOST_BYTES:
        raise BoardFileError(f"{path}: too long for a board")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BoardFileError(f"{path}: not a text file in UTF-8") from error


def save(text: str) -> Board:
    """Put a board on the shelf under its own name, in place of one of that name, and make it known.

    BadTable with every fault of the text; BoardFileError where it cannot be written.
    """
    board = read_board("board", text)
    add_board(board)
    _write(path_of(board.name), text)
    return board


def import_file(path: Path) -> Board:
    """Take a copy of a board's file onto the shelf. BoardFileError where there is one of that name already."""
    board, text = load(path), text_of(path)
    if path_of(board.name).exists():
        raise BoardFileError(f"{path_of(board.name)}: there is a file of that name already")
    add_board(board)
    _write(path_of(board.name), text)
    return board


def export(name: str, to: Path) -> None:
    """Copy an owner's board into another file. BoardFileError where that cannot be done."""
    _write(to, text_of(path_of(name)))


def share(name: str) -> Path:
    """Copy an owner's board into the folder of what people take away from the app; the file."""
    to = data_dir() / "shared" / f"{name}{SUFFIX}"
    export(name, to)
    return to


def delete(name: str) -> None:
    """Take a board off the shelf: it is put aside under another name, where it can be fetched back by hand."""
    path = path_of(name)
    try:
        path.replace(path.with_suffix(".toml.gone"))
    except OSError as error:
        raise BoardFileError(f"{path}: cannot be deleted ({error.strerror})") from error
    remove_board(name)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, text.encode())
    except OSError as error:
        raise BoardFileError(f"{path}: cannot be written ({error.strerror})") from error


def faults_of(path: Path) -> tuple[str, ...]:
    """Every fault of a board's file, each with its key; none where it is sound."""
    try:
        load(path)
    except EngineError as error:
        return tuple(str(error).split("; "))
    return ()
