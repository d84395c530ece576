"""A board nudged onto the print of a calibrated table: its lines where this copy has them, all else as it is."""

from __future__ import annotations

import math
import re
from importlib import resources

from companion.content.boards import BOARDS
from companion.content.own_files import text_of
from companion.core.errors import OwnFileError
from companion.core.toml_values import toml_value
from companion.tracing.hexes import Point
from companion.tracing.writer import round_lengths
from engine.orders.board import Board, load_board, own_board_names
from vision.table import Table
from vision.tracing.trace import NudgedPlan, nudge

HEAD = re.compile(r"\[areas\.([a-z0-9-]+)\]\s*")
ENTRY = re.compile(r'"([a-z_]+:[a-z0-9-]+)" = \[')


def nudged_board(table: Table, word: str) -> tuple[Board, NudgedPlan]:
    """Put a table's board, nudged onto its photo, on the shelf under a name of its own.

    OwnFileError where nothing on the photo lies better, or the shelf refuses the board;
    VisionError for a photo that cannot be used.
    """
    board = load_board(table.plan.board)
    found = nudge(table.reference_bgr, table.corners_px, table.plan)
    if not found.taken:
        raise OwnFileError(f"{board.name}: nothing on the photo fits better than it does now")
    name = f"{board.mode.name}-{word}"
    return BOARDS.save(name, text_with_places(board, found, name)), found


def text_with_places(board: Board, found: NudgedPlan, name: str) -> str:
    """Return the board's file with another name and other places, all else as it was, comments too."""
    lines, area = [], ""
    for line in _text(board.name).splitlines():
        head, entry, now = HEAD.fullmatch(line), ENTRY.match(line), line
        area = head[1] if head else "" if line.startswith("[") else area
        if area and line.startswith("polygon_mm ="):
            now = f"polygon_mm = {toml_value(list(map(round_lengths, found.areas[area])))}"
        elif area and line.startswith("centres_mm ="):
            now = f"centres_mm = {toml_value(list(map(round_lengths, _centres(board, area, found))))}"
        elif entry and entry[1] in found.spaces:
            now = f'"{entry[1]}" = {toml_value(round_lengths(found.spaces[entry[1]]))}'
        lines.append(now)
    return "\n".join(lines).replace(f'board = "{board.name}"', f'board = "{name}"', 1) + "\n"


def _text(name: str) -> str:
    if name in own_board_names():
        return text_of(BOARDS.path_of(name))
    return (resources.files("engine") / "data" / "boards" / f"{name}.toml").read_text(encoding="utf-8")


def _centres(board: Board, area: str, found: NudgedPlan) -> list[Point]:
    """Return the middles of an area's hexes, each moved along with the outline's corners nearest to it.

    The movement is the mean of those six corners' movements.
    """
    corners = list(zip(board.area(area).polygon_mm, found.areas[area], strict=True))
    moved = []
    for at in board.area(area).centres_mm:
        near = sorted(corners, key=lambda corner: math.dist(corner[0], at))[:6]  # a hex has six corners
        dx, dy = (sum(after[axis] - before[axis] for before, after in near) / len(near) for axis in (0, 1))
        moved.append((at[0] + dx, at[1] + dy))
    return moved
