"""A Screen laid out on a sheet: the table (map left, status and blocks right) or a page under its title."""

from __future__ import annotations

from collections.abc import Sequence

from companion.scenes import screen as scr
from companion.view import blocks, theme
from companion.view.map_layer import draw_map, map_width
from companion.view.sheet import Measure, Rect, Sheet
from companion.view.status import draw_status
from companion.view.theme import GAP_PT, TONES
from engine.orders.board import load_board

EDGE_PT = 8.0
ACTION_PT = 48.0
TITLE_PT = 44.0
BANNER_PT = 34.0
PAGER_PT = 46.0


def layout(screen: scr.Screen, size_pt: tuple[float, float], measure: Measure, px_per_pt: float = 1.0) -> Sheet:
    """Everything the screen shows, placed on a sheet of that size."""
    sheet = Sheet(measure, px_per_pt)
    whole = Rect(0, 0, *size_pt)
    sheet.box(whole, theme.PAGE, radius=0)
    place = _banner(sheet, screen, whole.shrunk(EDGE_PT))
    if screen.map:
        place = _map(sheet, screen.map, place)
    if screen.status:
        used = draw_status(sheet, screen.status, place)
        place = _below(place, used + GAP_PT)
    if screen.title:
        used = blocks.paragraph(sheet, screen.title, TONES["title"], place)
        place = _below(place, used + GAP_PT)
    if screen.actions:
        bar = Rect(place.x, place.bottom - ACTION_PT, place.w, ACTION_PT)
        blocks.row(sheet, screen.actions, bar)
        place = Rect(place.x, place.y, place.w, place.h - ACTION_PT - EDGE_PT)
    _paged(sheet, screen, place)
    return sheet


def _below(place: Rect, used: float) -> Rect:
    return Rect(place.x, place.y + used, place.w, place.h - used)


def _banner(sheet: Sheet, screen: scr.Screen, place: Rect) -> Rect:
    """One sentence over the whole width, in as many lines as it takes; a touch puts it away."""
    if not screen.banner:
        return place
    colour = TONES[screen.banner_tone][0]
    text = Rect(place.x + 12, place.y + 7, place.w - 60, 0)
    style = (theme.INK, 15.5, True)
    high = max(theme.TOUCH_PT, blocks.paragraph(Sheet(sheet.measure), screen.banner, style, text) + 14)
    bar = Rect(place.x, place.y, place.w, high)
    sheet.box(bar, colour)
    blocks.paragraph(sheet, screen.banner, style, text)
    x, y = bar.right - 24, bar.centre[1]
    sheet.line([(x - 7, y - 7), (x + 7, y + 7)], theme.INK, 2.6)
    sheet.line([(x - 7, y + 7), (x + 7, y - 7)], theme.INK, 2.6)
    sheet.target(bar, scr.Intent("hush"))
    return _below(place, high + GAP_PT)


def _map(sheet: Sheet, picture: scr.MapPicture, place: Rect) -> Rect:
    wide = map_width(load_board(picture.board), place.h)
    draw_map(sheet, picture, Rect(place.x, place.y, wide, place.h))
    used = wide + 10
    return Rect(place.x + used, place.y, place.w - used, place.h)


def _paged(sheet: Sheet, screen: scr.Screen, place: Rect) -> None:
    """The blocks; where they are too high for the place, a page of them and two buttons to turn it."""
    pieces = [piece for block in screen.blocks for piece in _split(block)]
    pages = _pages(sheet, pieces, place)
    if len(pages) <= 1:
        blocks.stack(sheet, pieces, place)
        return
    number = screen.page % len(pages)
    blocks.stack(sheet, pages[number], Rect(place.x, place.y, place.w, place.h - PAGER_PT - GAP_PT))
    _pager(sheet, (number, len(pages)), Rect(place.x, place.bottom - PAGER_PT, place.w, PAGER_PT))


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
    heights = [blocks.height(sheet, piece, place) + GAP_PT for piece in pieces]
    if sum(heights) - GAP_PT <= place.h:
        return [list(pieces)]
    room = place.h - PAGER_PT
    pages: list[list[scr.Block]] = [[]]
    used = 0.0
    for piece, high in zip(pieces, heights, strict=True):
        if pages[-1] and used + high > room:
            pages.append([])
            used = 0.0
        pages[-1].append(piece)
        used += high
    return pages


def _pager(sheet: Sheet, place_of: tuple[int, int], rect: Rect) -> None:
    number, count = place_of
    third = rect.w / 3
    back = scr.Button("Back a page", scr.Intent("page", "", -1), "quiet")
    on = scr.Button("Next page", scr.Intent("page", "", 1), "plain")
    blocks.button(sheet, back, Rect(rect.x, rect.y, third - GAP_PT, rect.h))
    sheet.label(Rect(rect.x + third, rect.y, third, rect.h), f"{number + 1} / {count}", TONES["quiet"], "centre")
    blocks.button(sheet, on, Rect(rect.x + 2 * third + GAP_PT, rect.y, third - GAP_PT, rect.h))
