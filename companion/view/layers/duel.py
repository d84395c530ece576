"""The battlefield of the card game beside the words: zones with their generals, and each side's piles.

Where there is height, the four zones lie over one another with the near side's city below; in a low place they stand
side by side with the near side's city at the left, and a zone is touched as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil

from companion.ui.screen import Intent
from companion.ui.table_pictures import CardSight, DuelPicture, PileSight, ZoneSight, turn_picture
from companion.view.kit.kept import draw_kept
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import emblem, plate, sign
from companion.view.layers.duel_cards import FULL_PT, draw_card, draw_line

LOW_PT = 300.0  # a lower place has the zones side by side
GAP_PT = 4.0
CARD_PT = 104.0  # a card is no wider
LEAST_CARD_PT = 50.0  # nor narrower, as long as another row has room
LINE_PT = 21.0
PILES_PART = 0.3  # of a city's width
PILE_SIGNS = {"resources": "castle", "hand": "hand", "expended": "discard", "defeated": "fallen"}
WALL_PT = 8.0
TITLE_PT = 12.0
TITLE_HIGH_PT = 17.0


def draw_duel(sheet: Sheet, picture: DuelPicture, most: Rect, turn: int = 0) -> Rect:
    """Draw the battlefield in the place and return it. turn: 180 to have it as the player opposite sees it."""
    picture = turn_picture(picture) if turn == 180 else picture
    if most.h < LOW_PT:
        _columns(sheet, picture, most)
    else:
        _bands(sheet, picture, most)
    sheet.piece("board", most)
    return most


# ---- over one another ---------------------------------------------------------------------------


def _bands(sheet: Sheet, picture: DuelPicture, place: Rect) -> None:
    high = (place.h - GAP_PT * (len(picture.zones) - 1)) / len(picture.zones)
    for i, zone in enumerate(picture.zones):
        band = Rect(place.x, place.y + i * (high + GAP_PT), place.w, high)
        _keep_ground(sheet, zone, band, "bottom" if i == 0 else "top")
        sheet.target(band, Intent("zone", zone.name), band.corners)
        # What a wall leaves of a band: the far city's is below it, the near city's above.
        top = WALL_PT if i == 3 else 2.0
        bottom = WALL_PT if i == 0 else 3.0
        room = Rect(band.x + 5, band.y + top, band.w - 10, band.h - top - bottom)
        if zone.kind == "city":
            wide = max(room.w * PILES_PART, sheet.touch)
            piles = Rect(room.right - wide, room.y + 1, wide, room.h - 2)
            mine = picture.piles[0 if i == 3 else 1]
            _piles(sheet, mine, piles, zone.seat, picture.to_move == zone.seat)
            room = room._replace(w=room.w - wide - 6)
        title = room._replace(h=TITLE_HIGH_PT)
        icon = "castle" if zone.kind == "city" else "troop"
        sign(sheet, icon, ((title.x + 8, title.centre[1]), 5.6), sheet.look.ink, f"zone:{zone.name}")
        label = title._replace(x=title.x + 17, w=title.w - 19)
        sheet.label(label, zone.title, (sheet.look.ink, TITLE_PT, True))
        sheet.close_group(title)
        room = room._replace(x=room.x + 2, y=room.y + TITLE_HIGH_PT + 2, w=room.w - 4, h=room.h - TITLE_HIGH_PT - 6)
        _stand(sheet, zone, (room, band), picture.seats[0])
        draw_mark(sheet, zone.mark, band)


def _piles(sheet: Sheet, piles: Sequence[PileSight], rect: Rect, seat: str, moves: bool) -> None:
    """Draw a side's piles, two and two, its sign in the middle, with a thick rim while it is the side's turn."""
    look = sheet.look
    plate(sheet, rect, look.panel, look.accent_text if moves else look.edge, 2.8 if moves else 1.2)
    wide, high = rect.w / 2, rect.h / 2
    for i, pile in enumerate(piles):
        _pile(sheet, pile, Rect(rect.x + i % 2 * wide, rect.y + i // 2 * high, wide, high))
    emblem(sheet, seat, (rect.centre, 7.5))
    sheet.close_group(rect)
    sheet.target(rect, Intent("pile", seat), rect.corners)
    sheet.piece(f"piles {seat}", rect)


def _pile(sheet: Sheet, pile: PileSight, rect: Rect) -> None:
    """Draw a pile: its sign and number, what the end of the turn takes, and a mark where that is too much."""
    look = sheet.look
    x, y = rect.x + 12, rect.centre[1]
    sign(sheet, PILE_SIGNS[pile.kind], ((x, y), 7.6), look.quiet, pile.kind)
    sheet.about(rect, pile.kind)
    number = Rect(rect.x + 22, rect.y, rect.w - 24, rect.h)
    if not pile.less:
        sheet.label(number, str(pile.n), (look.text, 18.0, True))
        return
    sheet.label(number._replace(y=rect.y + 3, h=rect.h * 0.54), str(pile.n), (look.text, 18.0, True))
    less = f"−{pile.less}" if not pile.warns else f"! −{pile.less}"
    colour = look.bad if pile.warns else look.quiet
    sheet.label(number._replace(y=rect.y + rect.h * 0.54, h=rect.h * 0.36), less, (colour, 13.0, pile.warns))


def _stand(sheet: Sheet, zone: ZoneSight, place: tuple[Rect, Rect], near: str) -> None:
    """Draw the generals in a zone, those of its city or of the near side from the left, the others from the right.

    place: their room, and the whole band: a touch above or below a general is meant for it, too.
    """
    room, band = place
    if not zone.cards:
        return
    rows = 1 if room.w / len(zone.cards) >= LEAST_CARD_PT + GAP_PT else 2
    first = zone.seat if zone.kind == "city" else near
    groups = [[card for card in zone.cards if (card.seat == first) is left] for left in (True, False)]
    across = sum(ceil(len(group) / rows) for group in groups)
    wide = min(CARD_PT, (room.w - GAP_PT * (across - 1)) / across)
    high = min((room.h - GAP_PT * (rows - 1)) / rows, FULL_PT + 24)
    for group, left in zip(groups, (True, False), strict=True):
        for i, card in enumerate(group):
            shift, row = i // rows * (wide + GAP_PT), i % rows
            x = room.x + shift if left else room.right - wide - shift
            rect = Rect(x, room.y + row * (high + GAP_PT), wide, high)
            draw_kept(sheet, (card, rect), partial(draw_card, card=card, rect=rect))
            sheet.piece(_piece(card), rect)
            if rows == 1 and min(wide, band.h) >= sheet.touch:
                touched = Rect(x, band.y, wide, band.h)
                sheet.target(touched, Intent("general", f"{card.seat}/{card.label}"), touched.corners)


# ---- side by side -------------------------------------------------------------------------------


def _columns(sheet: Sheet, picture: DuelPicture, place: Rect) -> None:
    zones = tuple(reversed(picture.zones))
    wide = (place.w - GAP_PT * (len(zones) - 1)) / len(zones)
    for i, zone in enumerate(zones):
        column = Rect(place.x + i * (wide + GAP_PT), place.y, wide, place.h)
        _keep_ground(sheet, zone, column, "right" if i == 0 else "left")
        sheet.target(column, Intent("zone", zone.name), column.corners)
        room = Rect(column.x + 4, column.y + 2, column.w - 8, column.h - 6)
        if zone.kind == "city":
            wall = WALL_PT - 2
            room = Rect(room.x + (wall if i else 0), room.y, room.w - wall, room.h)
            sheet.piece(f"piles {zone.seat}", room._replace(h=40.0))
            room = _few_piles(sheet, picture.piles[0 if i == 0 else 1], room)
            sheet.close_group(column)
        else:
            sign(sheet, "troop", ((room.x + 8, room.y + 9), 6.0), sheet.look.ink, f"zone:{zone.name}")
            emblem(sheet, zone.seat, ((room.x + 24, room.y + 9), 6.0))
            sheet.close_group(room._replace(h=20.0))
            room = room._replace(y=room.y + 20, h=room.h - 20)
        step = min(LINE_PT + 2, room.h / max(len(zone.cards), 1))
        for n, card in enumerate(zone.cards):
            rect = Rect(room.x, room.y + n * step, room.w, step - 2)
            draw_kept(sheet, (card, rect, "line"), partial(draw_line, card=card, rect=rect))
            sheet.piece(_piece(card), rect)
        draw_mark(sheet, zone.mark, column)


def _few_piles(sheet: Sheet, piles: Sequence[PileSight], room: Rect) -> Rect:
    """Draw the piles in two rows at the top of the room; return what is left below."""
    ink = sheet.look.ink
    for i, pile in enumerate(piles):
        x, y = room.x + i % 2 * room.w / 2, room.y + i // 2 * 19.0
        sign(sheet, PILE_SIGNS[pile.kind], ((x + 7, y + 9.5), 6.0), ink, pile.kind)
        sheet.about(Rect(x, y, room.w / 2, 19), pile.kind)
        text = f"! {pile.n}" if pile.warns else str(pile.n)
        sheet.label(Rect(x + 15, y, room.w / 2 - 15, 19), text, (ink, 13.0, True))
    return room._replace(y=room.y + 40, h=room.h - 40)


def _piece(card: CardSight) -> str:
    return f"card {card.seat} {card.label}"


def _keep_ground(sheet: Sheet, zone: ZoneSight, rect: Rect, side: str) -> None:
    """Draw a zone's ground under all else, and only once: what is on the ground comes and goes."""

    def draw(part: Sheet) -> None:
        draw_ground(part, zone, rect, side)
        part.still("".join(part.shapes))
        part.shapes.clear()

    draw_kept(sheet, ("ground", zone.kind, zone.seat, rect, side), draw)


def draw_ground(sheet: Sheet, zone: ZoneSight, rect: Rect, side: str) -> None:
    """Draw a zone's ground. side: where its city lies, or for a city where its wall is: "top", "bottom" ..."""
    board = sheet.look.board
    sheet.box(rect, board["paper" if zone.kind == "city" else "land"], board["land_line"], 6, 1.0)
    if zone.kind == "city":
        # Roofs within a city, in a fixed pattern.
        colour = sheet.look.board["land_detail"]
        across, down = max(1, int(rect.w / 54)), max(1, int(rect.h / 30))
        for row in range(down):
            for column in range(across):
                x = rect.x + (column + 0.5 - 0.22 * (row % 2)) * rect.w / across
                y = rect.y + (row + 0.6) * rect.h / down
                sheet.line([(x - 9, y), (x, y - 6), (x + 9, y)], colour, 1.4)
        _wall(sheet, zone, rect, side)
    else:
        _grass(sheet, rect)


def _grass(sheet: Sheet, rect: Rect) -> None:
    """Draw tufts of grass in the field, in a fixed pattern."""
    colour = sheet.look.board["land_detail"]
    down, across = max(1, int(rect.h / 26)), max(1, int(rect.w / 46))
    for row in range(down):
        for column in range(across):
            x = rect.x + (column + 0.5 + 0.3 * (row % 2)) * rect.w / (across + 0.4)
            y = rect.y + (row + 0.62) * rect.h / down
            for lean in (-3.2, 0.0, 3.2):
                sheet.line([(x + lean * 0.3, y), (x + lean, y - 5)], colour, 1.2)


def _wall(sheet: Sheet, zone: ZoneSight, rect: Rect, side: str) -> None:
    """Draw the city's wall with its battlements and the gate, in its side's colour."""
    own = sheet.look.sides[zone.seat]
    upright = side in ("left", "right")
    long = rect.h if upright else rect.w
    at = {"top": rect.y, "bottom": rect.bottom, "left": rect.x, "right": rect.right}[side]
    start = rect.y if upright else rect.x
    teeth = max(6, int(long / 16)) * 2 + 1
    step = long / teeth
    inward = 1 if side in ("top", "left") else -1
    for tooth in range(teeth):
        deep = WALL_PT if tooth % 2 == 0 else WALL_PT * 0.6
        if abs(tooth - teeth // 2) <= 1:
            deep = WALL_PT * 0.35  # the gate
        across = at if inward > 0 else at - deep
        along = start + tooth * step
        box = Rect(across, along, deep, step) if upright else Rect(along, across, step, deep)
        sheet.raw(
            f'<rect x="{box.x:.2f}" y="{box.y:.2f}" width="{box.w:.2f}" height="{box.h:.2f}" fill="{own.border}"/>'
        )


def draw_mark(sheet: Sheet, mark: str, rect: Rect) -> None:
    """Draw the rim that marks a zone: dashed if a general may go there ("live"), else whole; none for ""."""
    if not mark:
        return
    look, inner = sheet.look, rect.shrunk(1.6)
    edge = [*inner.corners, inner.corners[0]]
    sheet.line(edge, look.ink, 5.4)
    sheet.line(edge, look.accent, 3.4, "10 7" if mark == "live" else "")
    sheet.close_group(rect)
