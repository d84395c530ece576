"""A Screen laid out on a sheet: the table (map left, status and blocks right) or a page under its title."""

from __future__ import annotations

from collections.abc import Sequence

from companion.language import _
from companion.scenes import screen as scr
from companion.view import blocks
from companion.view.board_layer import draw_board
from companion.view.map_layer import draw_map, map_width
from companion.view.photo_layer import draw_photo
from companion.view.sheet import Rect, Sheet
from companion.view.status import draw_status
from companion.view.theme import GAP_PT, TOUCH_PT

EDGE_PT = 8.0
ACTION_PT = 48.0


def layout(screen: scr.Screen, size_pt: tuple[float, float], sheet: Sheet) -> Sheet:
    """Everything the screen shows, placed on an empty sheet of that size."""
    whole = Rect(0, 0, *size_pt)
    place = whole.shrunk(EDGE_PT)
    if screen.map or screen.photo or screen.board:
        beside = _beside(sheet, screen, place)
        if screen.banner:
            sheet.over = sheet.over or sheet.scratch()
            _banner(sheet.over, screen, place._replace(w=beside.x - place.x - GAP_PT))
        place = beside
    elif screen.banner:
        place = _below(place, _banner(sheet, screen, place) + GAP_PT)
    if screen.status:
        used = draw_status(sheet, screen.status, place)
        place = _below(place, used + GAP_PT)
    else:
        place = place.shrunk(EDGE_PT)
    if screen.title:
        used = blocks.paragraph(sheet, screen.title, sheet.look.tones[screen.tone], place)
        place = _below(place, used + GAP_PT)
    bar = Rect(place.x, place.bottom - ACTION_PT, place.w, ACTION_PT)
    _paged(sheet, screen, Rect(place.x, place.y, place.w, place.h - ACTION_PT - EDGE_PT), bar)
    return sheet


def _beside(sheet: Sheet, screen: scr.Screen, place: Rect) -> Rect:
    """Draw the map or the picture in its place at the left; what is left beside it."""
    if screen.map:
        return _map(sheet, screen.map, place)
    if screen.board:
        used = draw_board(sheet, screen.board, place) + 10
        return Rect(place.x + used, place.y, place.w - used, place.h)
    return _photo(sheet, screen.photo, place)


def _below(place: Rect, used: float) -> Rect:
    return Rect(place.x, place.y + used, place.w, place.h - used)


def _banner(sheet: Sheet, screen: scr.Screen, place: Rect) -> float:
    """One sentence at the top of the place, in as many lines as it takes: over the map, so that nothing moves.

    A touch puts it away. Its height.
    """
    colour, ink = sheet.look.banner(screen.banner_tone)
    text = Rect(place.x + 12, place.y + 7, place.w - 60, 0)
    style = (ink, 15.5, True)
    high = max(TOUCH_PT, blocks.paragraph(sheet.scratch(), screen.banner, style, text) + 14)
    bar = Rect(place.x, place.y, place.w, high)
    sheet.box(bar, colour)
    blocks.paragraph(sheet, screen.banner, style, text)
    x, y = bar.right - 24, bar.centre[1]
    sheet.line([(x - 7, y - 7), (x + 7, y + 7)], ink, 2.6)
    sheet.line([(x - 7, y + 7), (x + 7, y - 7)], ink, 2.6)
    sheet.target(bar, scr.Intent("hush"))
    return high


def _map(sheet: Sheet, picture: scr.MapPicture, place: Rect) -> Rect:
    wide = map_width(picture.board, place.h)
    draw_map(sheet, picture, Rect(place.x, place.y, wide, place.h))
    used = wide + 10
    return Rect(place.x + used, place.y, place.w - used, place.h)


def _photo(sheet: Sheet, photo: scr.PhotoPicture | None, place: Rect) -> Rect:
    used = draw_photo(sheet, photo, place) + 10 if photo else 0.0
    return Rect(place.x + used, place.y, place.w - used, place.h)


def _paged(sheet: Sheet, screen: scr.Screen, place: Rect, bar: Rect) -> None:
    """The blocks, and the actions in their bar; where they are too high, a page of them, and a pager in the bar."""
    pieces = [piece for block in screen.blocks for piece in _split(block)]
    pages = _pages(sheet, pieces, place)
    number = screen.page % len(pages)
    blocks.stack(sheet, pages[number], place)
    if len(pages) > 1:
        half = bar.w / 2 - GAP_PT
        _pager(sheet, (number, len(pages)), Rect(bar.x, bar.y, half, bar.h))
        bar = Rect(bar.x + half + 2 * GAP_PT, bar.y, half, bar.h)
    blocks.row(sheet, screen.actions, bar)


def _split(block: scr.Block) -> list[scr.Block]:
    """A block in the pieces that may stand on different pages."""
    if isinstance(block, scr.Findings):
        return [scr.Findings((one,)) for one in block.findings]
    if isinstance(block, scr.Buttons):
        width = block.columns
        parts = [block.buttons[i : i + width] for i in range(0, len(block.buttons), width)]
        return [scr.Buttons(part, width) for part in parts]
    return [block]


def _pages(sheet: Sheet, pieces: Sequence[scr.Block], place: Rect) -> list[list[scr.Block]]:
    heights = [_least_height(sheet, piece, place) + GAP_PT for piece in pieces]
    if sum(heights) - GAP_PT <= place.h:
        return [list(pieces)]
    pages: list[list[scr.Block]] = [[]]
    used = 0.0
    for piece, high in zip(pieces, heights, strict=True):
        if pages[-1] and used + high - GAP_PT > place.h:
            pages.append([])
            used = 0.0
        pages[-1].append(piece)
        used += high
    return pages


def _least_height(sheet: Sheet, piece: scr.Block, place: Rect) -> float:
    """A log makes do with the room that is left."""
    return 0.0 if isinstance(piece, scr.Log) else blocks.height(sheet, piece, place)


def _pager(sheet: Sheet, place_of: tuple[int, int], rect: Rect) -> None:
    """Two arrows and the number of the page between them."""
    number, count = place_of
    side = 64.0
    for n, x in ((-1, rect.x), (1, rect.right - side)):
        knob = Rect(x, rect.y, side, rect.h)
        sheet.box(knob, sheet.look.raised, sheet.look.edge, 8)
        middle, y = knob.centre
        sheet.line([(middle - 5 * n, y - 9), (middle + 5 * n, y), (middle - 5 * n, y + 9)], sheet.look.text, 3)
        sheet.target(knob, scr.Intent("page", "", n))
    text = _("page {n} of {all}").format(n=number + 1, all=count)
    sheet.label(Rect(rect.x + side, rect.y, rect.w - 2 * side, rect.h), text, sheet.look.tones["quiet"], "centre")
