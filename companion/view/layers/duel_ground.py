"""The ground of the card game's battlefield: two walled cities and the fields before them."""

from __future__ import annotations

from companion.ui.duel_picture import ZoneSight
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import sign

WALL_PT = 8.0
TITLE_PT = 12.0
TITLE_HIGH_PT = 17.0


def draw_ground(sheet: Sheet, zone: ZoneSight, rect: Rect, side: str) -> None:
    """A zone's ground; `side` is where its city lies from it, or for a city where its wall is: "top", "bottom" ..."""
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
    """Tufts in the field, in a fixed pattern."""
    colour = sheet.look.board["land_detail"]
    down, across = max(1, int(rect.h / 26)), max(1, int(rect.w / 46))
    for row in range(down):
        for column in range(across):
            x = rect.x + (column + 0.5 + 0.3 * (row % 2)) * rect.w / (across + 0.4)
            y = rect.y + (row + 0.62) * rect.h / down
            for lean in (-3.2, 0.0, 3.2):
                sheet.line([(x + lean * 0.3, y), (x + lean, y - 5)], colour, 1.2)


def _wall(sheet: Sheet, zone: ZoneSight, rect: Rect, side: str) -> None:
    """The city's wall with its battlements and the gate, in its side's colour."""
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


def draw_title(sheet: Sheet, zone: ZoneSight, rect: Rect) -> None:
    """What a zone is called, along its upper edge."""
    sign(sheet, "castle" if zone.kind == "city" else "troop", ((rect.x + 8, rect.centre[1]), 5.6), sheet.look.ink)
    label = rect._replace(x=rect.x + 17, w=rect.w - 19)
    sheet.label(label, zone.title, (sheet.look.ink, TITLE_PT, True))


def draw_mark(sheet: Sheet, mark: str, rect: Rect) -> None:
    """Around a zone that may be gone to, or that is looked at."""
    if not mark:
        return
    look, inner = sheet.look, rect.shrunk(1.6)
    x, y, right, bottom = inner.x, inner.y, inner.right, inner.bottom
    edge = [(x, y), (right, y), (right, bottom), (x, bottom), (x, y)]
    sheet.line(edge, look.ink, 5.4)
    sheet.line(edge, look.accent, 3.4, "10 7" if mark == "live" else "")
