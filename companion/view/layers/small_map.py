"""Pictures so small that they stand on a button: a map, a battlefield, a deck; nothing on them to read or touch."""

from __future__ import annotations

from companion.drawing.board_svg import inset, path
from companion.drawing.icons import icon_shape
from companion.ui.small_map import SmallDeck, SmallField, SmallMap, SmallPicture
from companion.view.kit.sheet import Rect, Sheet
from companion.view.layers.field_ground import FieldFrame, ground_shapes
from companion.view.layers.map_areas import BORDER_MM, PIECE_MM, MapFrame

OWNED = 0.62  # how strongly a side's colour lies over its areas
CUT = 0.3  # and over those that are not supplied
BORDER_PT = 0.7
RIM_PT = 0.7
BASE = 0.62  # half a base on a small field, in Movements
CARD_PART, CARD_RATIO = 0.74, 0.7  # how high a card of a deck is at most in its place, and how wide for that
LEANING = 0.24  # how much wider the turned cards are together, in parts of a card's height
TURN_DEG, APART = 13.0, 0.34  # between one card and the next: how far turned, and apart in parts of a card's width


def draw_small_picture(sheet: Sheet, picture: SmallPicture, place: Rect) -> None:
    """Draw a small picture in the middle of the place."""
    match picture:
        case SmallMap():
            draw_small_map(sheet, picture, place)
        case SmallField():
            _draw_field(sheet, picture, place)
        case SmallDeck():
            _draw_deck(sheet, picture, place)


def _draw_field(sheet: Sheet, picture: SmallField, place: Rect) -> None:
    """Draw the ground, and a small square in its side's colour for every base."""
    wide, high = picture.size
    scale = min(place.w / wide, place.h / high)
    x, y = place.centre
    rect = Rect(x - wide * scale / 2, y - high * scale / 2, wide * scale, high * scale)
    frame = FieldFrame(rect, (0.0, 0.0, wide, high))
    sheet.raw(ground_shapes(frame, sheet.look, picture.grounds))
    for seat, at in picture.bases:
        if frame.shows(at):
            side = sheet.look.sides[seat]
            sheet.box(Rect(*frame.at(at), 0, 0).shrunk(-BASE * scale), side.fill, side.line, 0.5, RIM_PT)
    sheet.box(rect, "none", sheet.look.edge, 0, BORDER_PT)


def _draw_deck(sheet: Sheet, picture: SmallDeck, place: Rect) -> None:
    """Draw the cards fanned out."""
    across = CARD_RATIO * (1 + APART * (len(picture.signs) - 1)) + LEANING
    high = min(place.h * CARD_PART, place.w / across)
    wide = high * CARD_RATIO
    look, (x, y) = sheet.look, place.centre
    for n, name in enumerate(picture.signs):
        off = n - (len(picture.signs) - 1) / 2
        middle = x + off * wide * APART, y + abs(off) * high * 0.05
        sheet.raw(f'<g transform="rotate({off * TURN_DEG:.1f} {middle[0]:.2f} {middle[1]:.2f})">')
        card = Rect(middle[0] - wide / 2, middle[1] - high / 2, wide, high)
        sheet.box(card, look.cream, look.ink, 3, 1.2)
        sheet.raw(icon_shape(name, middle, wide * 0.3, look.ink) + "</g>")


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
