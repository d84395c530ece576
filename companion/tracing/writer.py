"""The text of a board file: TOML that people can read, and the engine reads back.

It is written from a draft, or it is a board's own, nudged onto the print of a calibrated table: its lines where this
copy has them, all else as it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from importlib import resources

from companion.content.own_files import text_of
from companion.content.shelves import BOARDS
from companion.core.errors import OwnFileError
from companion.core.toml_values import toml_lines, toml_value
from companion.tracing.draft import ZONE, AirSection, Draft, OwnCard, Patch, Shape, SupportNumber, Units, shape_of
from companion.tracing.hexes import Point
from engine.orders.board import Board, load_board, own_board_names
from vision.table import Table
from vision.tracing.trace import NudgedPlan, nudge

HEAD = """\
# {name}: a copy of the game, taken down by its owner with `gunbai trace`.
# Places are in mm, x to the right and y down, from the board's top left corner. A name such as b3 is a column's letter
# and a hex's number from the bottom; an area of several hexes has the name of the lowest one in its first column.
"""
SUPPORT = "\n# The action spaces of the support board, as printed on this copy.\n"
CARDS = """
# The cards of this copy. A card of the verb "table" is resolved by the players.
"""
SPACES = "\n# Where each action space is printed: the middle of its small hex.\n[spaces]\n"


def board_text(draft: Draft, slots: Sequence[str] = ()) -> str:
    """Return the text of the board file for a draft.

    slots: the order in which the game names its bonus slots. Raises NotOnePiece for an area in several pieces or with
    a hole; other faults are found by the engine when it reads the file.
    """
    shape = shape_of(draft)
    parts = [HEAD.format(name=draft.name), toml_lines(_head(draft, slots))]
    parts += [_area(shape, name, patch) for name, patch in shape.areas.items()]
    parts += [_section(shape, section) for section in sorted(draft.sections, key=lambda section: section.zone)]
    # lists, not dicts: a space that was drawn twice is the engine's to refuse
    spaces = [(f"{spot.action}:{shape.name_of(spot.on)}", spot) for spot in draft.spots]
    first = {spot.action: i for i, spot in reversed(list(enumerate(draft.spots)))}
    by_action = sorted(spaces, key=lambda pair: (first[pair[1].action], pair[0]))
    parts += [SPACES, *(toml_lines({name: round_lengths(spot.at_mm)}) for name, spot in by_action)]
    owned = [toml_lines({name: spot.faction}) for name, spot in spaces if spot.faction]
    if owned:
        parts += ["\n# Spaces that one faction alone may use.\n[space_faction]\n", *owned]
    if draft.support:
        parts.append(SUPPORT + "\n".join(map(_support, draft.support)))
    if draft.cards:
        parts.append(CARDS + "\n".join(map(_card, draft.cards)))
    return "".join(parts)


def _head(draft: Draft, slots: Sequence[str]) -> dict[str, object]:
    taken = {patch.slot for patch in draft.patches if patch.slot}
    order = [slot for slot in slots if slot in taken]
    side_mm = draft.grid.side_mm if draft.grid else 1.0
    values: dict[str, object] = {
        "board": draft.name,
        "mode": draft.mode,
        "known": "owner",
        "size_mm": round_lengths(draft.size_mm),
        "hex_side_mm": round_lengths([side_mm])[0],
        "space_side_mm": round_lengths([draft.space_side_mm])[0],
        "slots": order + sorted(taken.difference(order)),
    }
    return values | ({"scenery": draft.scenery} if draft.scenery else {})


def _area(shape: Shape, name: str, patch: Patch) -> str:
    values = {
        "kind": patch.kind,
        "hexes": sorted(shape.names[cell] for cell in patch.cells),
        "hq": patch.hq,
        "slot": patch.slot,
        "vp": patch.vp,
        "ports": shape.ports(patch),
        "fort": patch.fort,
        "no_drop": patch.no_drop,
        "printed": patch.printed,
        "zone": patch.zone and ZONE + patch.zone,
    }
    assert shape.draft.grid
    centres = [shape.draft.grid.centre(cell) for cell in patch.cells]
    section = f"\n[areas.{name}]\n" + toml_lines({key: value for key, value in values.items() if value})
    return section + _place(shape, name, patch.start, centres)


def _section(shape: Shape, section: AirSection) -> str:
    name = ZONE + section.zone
    head = f"\n# The aircraft section of the {section.zone} zone.\n[areas.{name}]\n"
    return head + toml_lines({"kind": "air", "hexes": []}) + _place(shape, name, section.start, [section.centre_mm])


def _place(shape: Shape, name: str, start: Units, centres: Sequence[Point]) -> str:
    """Return the lines that end every area: borders, starting units, outline and the middles of its hexes."""
    lines = toml_lines({"adjacent": shape.near[name]})
    for faction in dict.fromkeys(row[0] for row in start):
        units = ", ".join(f"{unit} = {n}" for who, unit, n in start if who == faction)
        lines += f"start.{faction} = {{ {units} }}\n"
    outline = [round_lengths(corner) for corner in shape.outline(name)]
    return lines + toml_lines({"polygon_mm": outline, "centres_mm": [round_lengths(centre) for centre in centres]})


def _support(row: SupportNumber) -> str:
    values: dict[str, object] = {"amount": row.amount}
    values |= {"siege": row.siege} if row.siege else {}
    values |= {"initiative": True} if row.initiative else {}
    values |= {"amounts": dict(row.amounts)} if row.amounts else {}
    return f"[support.{toml_value(row.space)}]\n" + toml_lines({**values, "known": "owner"})


def _card(card: OwnCard) -> str:
    keys = ("copies", "amount", "title", "text", "condition", "by", "action", "moment", "verb")
    values = {key: getattr(card, key) for key in keys}
    values |= {"unit": card.unit} if card.unit else {}
    values |= {"into_enemy": True} if card.into_enemy else {}
    return f"[cards.{card.name}]\n" + toml_lines({**values, "known": "owner"})


def round_lengths(lengths_mm: Iterable[float]) -> list[float]:
    """Round lengths to 0.01 mm, finer than any print; never returns -0.0."""
    return [round(float(length), 2) + 0.0 for length in lengths_mm]


# ---- nudged -----------------------------------------------------------------------------------

AREA_LINE = re.compile(r"\[areas\.([a-z0-9-]+)\]\s*")
SPACE_LINE = re.compile(r'"([a-z_]+:[a-z0-9-]+)" = \[')


def nudged_board(table: Table, word: str) -> tuple[Board, NudgedPlan]:
    """Save a table's board with its places nudged to fit its photo, under a name of its own; return it with the nudge.

    OwnFileError if the photo suggests no better places, or the shelf refuses the board;
    VisionError for a photo that can't be used.
    """
    board = load_board(table.plan.board)
    found = nudge(table.reference_bgr, table.corners_px, table.plan)
    if not found.taken:
        raise OwnFileError(f"{board.name}: nothing on the photo fits better than it does now")
    name = f"{board.mode.name}-{word}"
    return BOARDS.save(name, text_with_places(board, found, name)), found


def text_with_places(board: Board, found: NudgedPlan, name: str) -> str:
    """Return the text of the board's file with another name and these places; all else is kept, comments too."""
    lines, area = [], ""
    for line in _board_text(board.name).splitlines():
        head, entry, now = AREA_LINE.fullmatch(line), SPACE_LINE.match(line), line
        area = head[1] if head else "" if line.startswith("[") else area
        if area and line.startswith("polygon_mm ="):
            now = f"polygon_mm = {toml_value(list(map(round_lengths, found.areas[area])))}"
        elif area and line.startswith("centres_mm ="):
            now = f"centres_mm = {toml_value(list(map(round_lengths, _centres(board, area, found))))}"
        elif entry and entry[1] in found.spaces:
            now = f'"{entry[1]}" = {toml_value(round_lengths(found.spaces[entry[1]]))}'
        lines.append(now)
    return "\n".join(lines).replace(f'board = "{board.name}"', f'board = "{name}"', 1) + "\n"


def _board_text(name: str) -> str:
    if name in own_board_names():
        return text_of(BOARDS.path_of(name))
    return (resources.files("engine") / "data" / "boards" / f"{name}.toml").read_text(encoding="utf-8")


def _centres(board: Board, area: str, found: NudgedPlan) -> list[Point]:
    """Return the middles of an area's hexes, each moved by the mean movement of its six nearest corners."""
    corners = list(zip(board.area(area).polygon_mm, found.areas[area], strict=True))
    moved = []
    for at in board.area(area).centres_mm:
        near = sorted(corners, key=lambda corner: math.dist(corner[0], at))[:6]  # a hex has six corners
        dx, dy = (sum(after[axis] - before[axis] for before, after in near) / len(near) for axis in (0, 1))
        moved.append((at[0] + dx, at[1] + dy))
    return moved
