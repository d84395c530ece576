"""`gunbai boards`: what it does and tells."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.content import boards
from companion.core.errors import UsageError
from engine.orders.board import Board, board_names, load_board
from intake.text import one_line

KNOWN = {"printed": "as printed", "owner": "taken down by an owner", "practice": "a practice board"}


def done(options: argparse.Namespace) -> str:
    """What was asked for is done; the lines that tell of it."""
    if options.check:
        board = boards.load(Path(options.check))
        return f"{one_line(options.check)}: sound. {_told(board)}"
    if options.add:
        return f"added: {_told(boards.import_file(Path(options.add)))}"
    if options.share:
        boards.export(_owned(options.share), Path(_where(options.output)))
        return f"{one_line(options.output)}: written"
    if options.nudge:
        return _nudged(options.nudge, options.name)
    if options.remove:
        boards.delete(_owned(options.remove))
        return f"{options.remove}: taken off the shelf"
    return "\n".join([_told(load_board(name)) for name in board_names()] + _broken())


def _nudged(table: str, word: str) -> str:
    """The board of a table laid on its print."""
    from companion.perception.table_file import load_table
    from companion.terminal.tracing import check_word
    from companion.tracing.nudged import nudged_board

    check_word(word)
    board, found = nudged_board(load_table(table), word)
    told = f"{found.before:.0%} of the lines lay on print before, {found.after:.0%} now"
    return f"{boards.path_of(board.name)}: moved by up to {found.moved_mm:.1f} mm; {told}"


def _told(board: Board) -> str:
    """A board in one line."""
    count = f"{len(board.areas)} areas, {sum(space.at_mm is not None for space in board.spaces)} spaces on the map"
    return f"{board.name} ({board.mode.title}): {count}; {KNOWN[board.known]}"


def _broken() -> list[str]:
    """The files on the shelf that are no board, each with its faults."""
    return [f"not read: {one_line(why)}" for _path, why in boards.register().broken]


def _owned(name: str) -> str:
    if not boards.path_of(name).is_file():
        raise UsageError(f"no owner's board named {name!r} on the shelf ({boards.folder()})")
    return name


def _where(output: str | None) -> str:
    if not output:
        raise UsageError("--share needs -o FILE")
    return output
