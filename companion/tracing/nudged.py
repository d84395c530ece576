"""A board nudged onto the print of a calibrated table: its lines where this copy has them, all else as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources

from companion.content import boards
from companion.content.own_files import text_of
from companion.core.errors import OwnFileError
from companion.tracing.hexes import Point
from engine.orders.board import Board, load_board, own_board_names
from vision.table import Table
from vision.tracing.trace import Nudged, nudge

HEAD = re.compile(r"\[areas\.([a-z0-9-]+)\]\s*")
ENTRY = re.compile(r'"([a-z_]+:[a-z0-9-]+)" = \[')


def nudged_board(table: Table, word: str) -> tuple[Board, Nudged]:
    """Put a table's board, nudged onto its photo, on the shelf under a name of its own.

    OwnFileError where the print tells nothing better, or the board's file is not laid out as Gunbai writes it;
    VisionError for a photo that cannot be used.
    """
    board = load_board(table.plan.board)
    found = nudge(table.reference_bgr, table.corners_px, table.plan)
    if not found.taken:
        raise OwnFileError(f"{board.name}: nothing on the photo lies better than as it is")
    return boards.save(rewritten(board, found, f"{board.mode.name}-{word}")), found


def rewritten(board: Board, found: Nudged, name: str) -> str:
    """The board's file with another name and other places, all else as it stands, comments too. OwnFileError."""
    lines, area = [], ""
    for line in _text(board.name).splitlines():
        head = HEAD.fullmatch(line)
        area = head[1] if head else "" if line.startswith("[") else area
        lines.append(_line(line, (board, found), area))
    return "\n".join(lines).replace(f'board = "{board.name}"', f'board = "{name}"', 1) + "\n"


def _line(line: str, nudged: tuple[Board, Nudged], area: str) -> str:
    """One line of the file, with its places where they are now; `area` is the one whose part of the file it is in."""
    board, found = nudged
    entry = ENTRY.match(line)
    if area and line.startswith("polygon_mm ="):
        return f"polygon_mm = {_points(found.areas[area])}"
    if area and line.startswith("centres_mm ="):
        return f"centres_mm = {_points(_centres(board, area, found))}"
    if entry and entry[1] in found.spaces:
        return f'"{entry[1]}" = {_point(found.spaces[entry[1]])}'
    return line


def _text(name: str) -> str:
    if name in own_board_names():
        return text_of(boards.path_of(name))
    return (resources.files("engine") / "data" / "boards" / f"{name}.toml").read_text(encoding="utf-8")


def _centres(board: Board, area: str, found: Nudged) -> list[Point]:
    """The middles of an area's hexes, moved as its outline is near each."""
    before, after = board.area(area).polygon_mm, found.areas[area]
    return [_moved(centre, before, after) for centre in board.area(area).centres_mm]


def _moved(at: Point, before: Sequence[Point], after: Sequence[Point]) -> Point:
    """A place moved by the mean of the six corners nearest to it."""
    near = sorted(range(len(before)), key=lambda i: (before[i][0] - at[0]) ** 2 + (before[i][1] - at[1]) ** 2)[:6]
    dx, dy = (sum(after[i][axis] - before[i][axis] for i in near) / len(near) for axis in (0, 1))
    return at[0] + dx, at[1] + dy


def _point(point: Point) -> str:
    return f"[{point[0]:.2f}, {point[1]:.2f}]"


def _points(points: Sequence[Point]) -> str:
    return f"[{', '.join(map(_point, points))}]"
