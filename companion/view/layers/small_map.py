"""A map so small that it stands on a button: whose each area is and where pieces stand; nothing to read or touch."""

from __future__ import annotations

from companion.drawing.board_svg import inset, path
from companion.ui.small_map import SmallMap
from companion.view.kit.sheet import Rect, Sheet
from companion.view.layers.map_areas import BORDER_MM, PIECE_MM
from companion.view.layers.map_frame import MapFrame

OWNED = 0.62  # how strongly a side's colour lies over its areas
CUT = 0.3  # and over those that are not supplied
BORDER_PT = 0.7
RIM_PT = 0.7


def draw_small_map(sheet: Sheet, picture: SmallMap, place: Rect) -> None:
    """Draw the areas in their owners' colours and a small disc for every side's pieces, in the middle of the place."""
    board, look = picture.board, sheet.look
    frame = MapFrame(board, place)  # not one of those that are kept: there are many, and each is drawn once
    for ground in board.areas:
        if ground.kind != "air":
            sheet.polygon(frame.outline(ground.polygon_mm), look.board[ground.kind], look.board["border"], BORDER_PT)
    shown = [(area, board.area(area.name)) for area in picture.areas]
    for area, on_board in shown:
        if area.controller and on_board.kind != "air":
            side = look.sides[area.controller]
            outline = path(frame.outline(inset(on_board.polygon_mm, BORDER_MM / 2 * frame.scale)))
            sheet.raw(f'<path d="{outline}" fill="{side.fill}" fill-opacity="{OWNED if area.supplied else CUT}"/>')
    half = PIECE_MM * frame.unit
    for area, _on_board in shown:
        x, y = frame.at(frame.marks(area.name).units_mm)
        for n, faction in enumerate(area.sides):
            side = look.sides[faction]
            sheet.disc((x + (n - (len(area.sides) - 1) / 2) * 1.6 * half, y), half * 0.8, side.fill, side.line, RIM_PT)
