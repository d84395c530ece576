"""A Screen laid out on a sheet: a picture (map, photo) with its panel beside or below it, or a page under its title."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from companion.ui import screen as scr
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.table_pictures import DraftPicture, DuelPicture, TablePicture
from companion.view.blocks.bar import Bar, bar_height, draw_bar, draw_pager, keeps_places
from companion.view.blocks.status import draw_status
from companion.view.kit.sheet import Rect, Sheet, paragraph
from companion.view.kit.theme import CLOSE_PT, GAP_PT
from companion.view.kit.wrapping import wrap_text
from companion.view.layers.duel import draw_duel
from companion.view.layers.field import draw_field
from companion.view.layers.map import draw_map, map_width
from companion.view.layers.photos import draw_board, draw_draft, draw_photo
from companion.view.page.on_top import draw_banner, draw_banner_over, uncut_height
from companion.view.page.ornament import page_cloth
from companion.view.page.pages import COLUMNS_PT, CREST_PT, Pages, divide_blocks, draw_page, letter_scale

EDGE_PT = 8.0
WIDE_BLOCKS = (scr.Keys, scr.Grid, scr.Photo, scr.Bars, scr.ChanceCurve, scr.DeckCards)
"""Blocks that need the whole width of a page."""
LEAST_WORDS_PT = 300.0  # the least width of the words beside a picture
MAT_PT = 4.0  # the map's ground reaches so far beyond its right edge
PICTURE = "picture"  # what a lesson calls the map or the field as a whole
FRAME_PAD_PT = 3.0
FRAME_TEXT_PT = 15.0
FRAME_PT = 4.0  # of the EDGE_PT around everything; what is drawn inside may reach 4 points beyond its place
CREST_BELOW_STATUS_PT = 140.0  # with less room below a form, no crest: it would come and go as the form changes
BAR = 3.0  # a screen at least this many times as wide as high is a bar
LOW_PT = 300.0  # a panel lower than this has its status at the side
WIDE_PT = 400.0  # a panel wider than this has room for two things side by side
PICTURE_PART = 0.52  # of a portrait screen's height
SMALL_PICTURE_PART = 0.4  # of a player's half
LESS_PARTS = (0.42, 0.37)  # smaller ones to try where that saves a page of words
BROAD_MAP_PART = 0.46  # of a portrait screen's height, where the map leaves no room beside it
PHOTO_PART = 0.645  # of a landscape screen's width: the words need the rest
BOARD_PART = 0.56
TITLE_LARGER = (1.6, 1.4, 1.2)  # a title above enlarged words grows by the first of these that keeps it in a line
ROOMY = 1.5  # beside the wide pager each action is so many touches wide, or the pager is narrow
SIDE_PART = 0.36  # of a low panel's width for its status
BESIDE_PT = 130.0  # a map on a portrait screen with this much room beside it has the status there


def layout(screen: scr.Screen, size_pt: tuple[float, float], sheet: Sheet) -> Sheet:
    """Lay out everything the screen shows on `sheet`, an empty one of that size in points; return the sheet."""
    place = Rect(0, 0, *size_pt).shrunk(EDGE_PT)
    sheet.cloth = page_cloth(sheet.look, size_pt)
    sheet.bar = size_pt[0] >= BAR * size_pt[1]
    if screen.frame:
        whole = Rect(0, 0, *size_pt)
        # The frame along the edges of the screen; it takes no room from what is inside.
        sheet.box(whole.shrunk(FRAME_PT / 2), "none", sheet.look.accent, 3, FRAME_PT)
        sheet.close_group(whole)
    if _has_room_for_picture(sheet, screen, place):
        place = _draw_picture_beside(sheet, screen, place)
    upright = place.h > place.w
    if screen.map or screen.photo or screen.board:
        picture, left = _picture(sheet, screen, place, _upright_part(sheet, screen, place) if upright else 0.0)
        sheet.close_group(picture)
        if screen.spot is not None and PICTURE in screen.spot.names:
            sheet.bright.append(picture)
        left = _draw_frame_words(sheet, screen, left)
        draw_banner_over(sheet, screen, picture if picture.w >= WIDE_PT / 2 else place)
        spare = place.right - picture.right - GAP_PT
        if upright and screen.status and spare >= BESIDE_PT:
            draw_status(sheet, screen.status, Rect(picture.right + GAP_PT, place.y, spare, picture.h))
            sheet.close_group(Rect(picture.right, place.y, place.right - picture.right, picture.h))
            _body(sheet, screen, left)
            sheet.close_group(left)
            return sheet
        place = left
    else:
        place = _draw_frame_words(sheet, screen, place)
        if screen.banner and not screen.status:
            place = _below(place, draw_banner(sheet, screen, place) + GAP_PT)
    _panel(sheet, screen, place)
    if screen.status and not (screen.map or screen.photo or screen.board):
        draw_banner_over(sheet, screen, place, uncut_height(sheet, screen, place))
    sheet.close_group(place)
    return sheet


def _draw_picture_beside(sheet: Sheet, screen: scr.Screen, place: Rect) -> Rect:
    """Draw the picture that stands beside a page of words, with nothing on it to touch; return what is left."""
    if isinstance(screen.beside, scr.MapPicture):
        shown = replace(screen, map=screen.beside)
    else:
        shown = replace(screen, board=screen.beside)
    picture, left = _picture(sheet, shown, place, _picture_part(place) if place.h > place.w else 0.0)
    sheet.close_group(picture)
    sheet.targets.clear()
    sheet.abouts.clear()
    return left


def _has_room_for_picture(sheet: Sheet, screen: scr.Screen, place: Rect) -> bool:
    """Return whether a page without a picture keeps to one page with the picture that may stand beside it."""
    if screen.beside is None or screen.map or screen.photo or screen.board or screen.status:
        return False
    if any(map(_needs_width, screen.blocks)):
        return False
    left = _draw_picture_beside(sheet.scratch(), screen, place)
    left = _draw_frame_words(sheet.scratch(), screen, left)
    if screen.banner:
        left = _below(left, draw_banner(sheet.scratch(), screen, left) + GAP_PT)
    margin = EDGE_PT if left.w >= WIDE_PT and not _confirms(screen) else 0.0
    scratch = replace(sheet.scratch(), tight=left.h < LOW_PT)
    return left.w >= LEAST_WORDS_PT and len(_arrange(scratch, screen, left.shrunk(margin)).pages) == 1


def _needs_width(block: scr.Block) -> bool:
    """Return whether a block needs the whole width of a page; columns do for a photo in one of them."""
    if isinstance(block, scr.Columns):
        return any(isinstance(part, scr.Photo) for part in (*block.left, *block.right))
    return isinstance(block, WIDE_BLOCKS)


def _draw_frame_words(sheet: Sheet, screen: scr.Screen, place: Rect) -> Rect:
    """Write the words of the frame, if there is one, at the top of the place; return what is left below."""
    if not screen.frame:
        return place
    inner = Rect(place.x + 10, place.y + FRAME_PAD_PT, place.w - 20, 0)
    style = (sheet.look.accent_ink, FRAME_TEXT_PT, True)
    used = paragraph(sheet.scratch(), screen.frame, style, inner) + 2 * FRAME_PAD_PT
    sheet.box(Rect(place.x, place.y, place.w, used), sheet.look.accent, radius=5)
    paragraph(sheet, screen.frame, style, inner)
    sheet.close_group(place._replace(h=used))
    return _below(place, used + GAP_PT)


def layout_between(
    picture: scr.MapPicture | TablePicture, size_pt: tuple[float, float], sheet: Sheet, turn: int
) -> Sheet:
    """Lay out a map or another table alone, its board turned clockwise by `turn` degrees; return the sheet."""
    place = Rect(0, 0, *size_pt).shrunk(EDGE_PT / 2)
    sheet.cloth = page_cloth(sheet.look, size_pt)
    if isinstance(picture, scr.MapPicture):
        draw_map(sheet, picture, place, turn, Rect(0, 0, *size_pt))
    else:
        if isinstance(picture, FieldPicture):  # in the middle across
            wide = picture.size[0] * min(place.w / picture.size[0], place.h / picture.size[1])
            place = place._replace(x=place.x + (place.w - wide) / 2, w=wide)
        _board(sheet, picture, place, turn)
    return sheet


def _upright_part(sheet: Sheet, screen: scr.Screen, place: Rect) -> float:
    """Return how much of an upright place's height the picture takes at most: less where that saves a page of words."""
    most = _picture_part(place)
    shrinks = screen.map or isinstance(screen.board, FieldPicture)
    if shrinks and not screen.status and not _confirms(screen):
        for part in (most, *LESS_PARTS):
            _at, left = _picture(sheet.scratch(), screen, place, part)
            if len(_arrange_closely(sheet.scratch(), screen, left, EDGE_PT)[0].pages) == 1:
                return part
    return most


def _picture(sheet: Sheet, screen: scr.Screen, place: Rect, upright: float) -> tuple[Rect, Rect]:
    """Draw the map, the board's picture or the photo; return where it is, and what is left of the place.

    upright: the part of the height that it takes at most above the words; 0 where it stands beside them.
    """
    if screen.map:
        high = _map_height(screen.map, place, upright) if upright else place.h
        box = Rect(place.x, place.y, map_width(screen.map.board, high), high)
        mat = box.shrunk(-EDGE_PT)._replace(w=box.w + EDGE_PT + MAT_PT)
        if upright and not screen.status:  # nothing stands beside it
            box = box._replace(x=place.x + (place.w - box.w) / 2)
            mat = mat._replace(w=place.w + 2 * EDGE_PT)
        draw_map(sheet, screen.map, box, mat=mat)
    else:
        part = BOARD_PART if screen.board else PHOTO_PART
        most = place._replace(h=place.h * upright) if upright else place._replace(w=place.w * part)
        if upright and not screen.status:  # nothing stands beside it
            beside = (most.w - _board_or_photo(sheet.scratch(), screen, most).w) / 2
            most = most._replace(x=most.x + beside, w=most.w - beside)
        box = _board_or_photo(sheet, screen, most)
    if upright:
        return box, _below(place, box.h + GAP_PT)
    used = box.w + EDGE_PT + 2
    return box, Rect(place.x + used, place.y, place.w - used, place.h)


def _board_or_photo(sheet: Sheet, screen: scr.Screen, most: Rect) -> Rect:
    """Draw the board's picture or the photo, at most so large; return where it is."""
    if screen.board:
        return _board(sheet, screen.board, most)
    return draw_photo(sheet, screen.photo, most) if screen.photo else most._replace(w=0)


def _map_height(picture: scr.MapPicture, place: Rect, part: float) -> float:
    """Return the height of the map on an upright screen: less where the status below it needs room as well."""
    wide, high = map_width(picture.board, 1.0), place.h * part
    if place.w >= WIDE_PT and place.w - high * wide < BESIDE_PT:
        high = min(high, max(place.h * BROAD_MAP_PART, (place.w - BESIDE_PT) / wide))
    return min(high, place.w / wide)


def _picture_part(place: Rect) -> float:
    """Return how much of an upright place's height a picture takes at most (0 to 1)."""
    return PICTURE_PART if place.w >= WIDE_PT else SMALL_PICTURE_PART


def _board(sheet: Sheet, board: scr.Picture, most: Rect, turn: int = 0) -> Rect:
    match board:
        case DraftPicture():
            return draw_draft(sheet, board, most)
        case FieldPicture():
            return draw_field(sheet, board, most, turn)
        case DuelPicture():
            return draw_duel(sheet, board, most, turn)
    return draw_board(sheet, board, most)


def _below(place: Rect, used: float) -> Rect:
    return Rect(place.x, place.y + used, place.w, place.h - used)


def _panel(sheet: Sheet, screen: scr.Screen, place: Rect) -> None:
    """Draw the status, above the rest or, in a low panel, at its left; then the rest."""
    sheet.tight = place.h < LOW_PT
    if screen.status and place.h < LOW_PT and place.w >= WIDE_PT:
        wide = place.w * SIDE_PART
        draw_status(sheet, screen.status, place._replace(w=wide))
        place = Rect(place.x + wide + EDGE_PT, place.y, place.w - wide - EDGE_PT, place.h)
    elif screen.status:
        place = _below(place, draw_status(sheet, screen.status, place) + GAP_PT)
    _body(sheet, screen, place, EDGE_PT if not screen.status and place.w >= WIDE_PT and not _confirms(screen) else 0.0)


def _confirms(screen: scr.Screen) -> bool:
    """Return whether the screen has a confirming button, at the lower right edge of the panel."""
    return any(action.spot == "confirm" for action in screen.actions)


def _body(sheet: Sheet, screen: scr.Screen, place: Rect, margin: float = 0.0) -> None:
    """Draw the title, the blocks in pages, and the actions."""
    placed, used = _arrange_closely(sheet, screen, place, margin)
    sheet.gap, sheet.dense = used.gap, used.dense
    page, below = placed.pages[screen.page % len(placed.pages)], placed.blocks
    _bar(sheet, screen, placed)
    if not screen.status and len(placed.pages) == 1:
        sheet.letters = letter_scale(sheet, page, below)
    head = _title(sheet, screen, placed.title)
    if placed.title.x == below.x and (more := placed.title.y + head - below.y) > 0:
        below = _below(below, more)
    draw_page(sheet, page, below, CREST_BELOW_STATUS_PT if screen.status else CREST_PT)
    sheet.gap, sheet.dense, sheet.letters = GAP_PT, False, 1.0


def _arrange_closely(sheet: Sheet, screen: scr.Screen, place: Rect, margin: float) -> tuple[Arranged, Sheet]:
    """Arrange the screen on this sheet, or on one where things are closer together if a page is saved by it."""
    placed, used = _arrange(sheet, screen, place.shrunk(margin)), sheet
    if len(placed.pages) > 1:
        higher = Rect(place.x + margin, place.y, place.w - 2 * margin, place.h)
        for dense in (False, True):
            close = replace(sheet.scratch(), gap=CLOSE_PT, dense=dense)
            closer = _arrange(close, screen, higher)
            if len(closer.pages) < len(placed.pages):
                placed, used = closer, close
    return placed, used


class Arranged(NamedTuple):
    """Where title, blocks and bar go, the blocks of each page, and whether room is kept for a pager."""

    title: Rect
    blocks: Rect
    bar: Rect
    pages: Pages
    paged: bool


def _arrange(sheet: Sheet, screen: scr.Screen, place: Rect) -> Arranged:
    """Arrange the blocks between the title and the actions below; in a low place, both beside the blocks.

    So they stand on a bar of 1920x480, too, where that saves a page.
    """
    free = not screen.status and not _confirms(screen) and place.w >= WIDE_PT
    if free and place.h < LOW_PT and _has_room_beside(sheet, screen, place):
        return _arrange_beside(sheet, screen, place)
    found = _arrange_below(sheet, screen, place)
    if free and place.w >= COLUMNS_PT and len(found.pages) > 1 and _has_room_beside(sheet, screen, place):
        return min(found, _arrange_beside(sheet, screen, place), key=lambda one: len(one.pages))
    return found


def _arrange_beside(sheet: Sheet, screen: scr.Screen, place: Rect) -> Arranged:
    """Arrange the title and the actions in a column at the left of the blocks."""
    wide = place.w * SIDE_PART
    side, rest = place._replace(w=wide), place._replace(x=place.x + wide + EDGE_PT, w=place.w - wide - EDGE_PT)
    pages = divide_blocks(sheet, screen.blocks, rest)
    return Arranged(side, rest, side, pages, len(pages) > 1)


def _arrange_below(sheet: Sheet, screen: scr.Screen, place: Rect) -> Arranged:
    """Arrange the blocks between the title and the actions below."""
    below = _below(place, _title(sheet.scratch(), screen, place))
    # in a wide half the confirming button begins where a table's panel has it
    panelled = sheet.panel and _confirms(screen)
    foot = below._replace(w=min(place.w, sheet.panel - 2 * EDGE_PT) if panelled else place.w)
    rest = below._replace(h=below.h - bar_height(sheet, Bar(screen.actions, foot.w), foot.w))
    pages = divide_blocks(sheet, screen.blocks, rest)
    if len(pages) < 2:
        return Arranged(place, rest, foot, pages, paged=False)
    rest = below._replace(h=below.h - _paged_bar(sheet, screen, foot)[1])
    return Arranged(place, rest, foot, divide_blocks(sheet, screen.blocks, rest), paged=True)


def _has_room_beside(sheet: Sheet, screen: scr.Screen, place: Rect) -> bool:
    """Return whether title and actions fit into the column beside the blocks."""
    side = place._replace(w=place.w * SIDE_PART)
    return _title(sheet.scratch(), screen, side) + _paged_bar(sheet, screen, side)[1] <= place.h


def _title(sheet: Sheet, screen: scr.Screen, place: Rect) -> float:
    """Write the title at the top of the place; return the height it took, with the gap below it."""
    if not screen.title:
        return 0.0
    tone = "strong" if screen.tone == "title" and place.h < LOW_PT else screen.tone
    colour, size, bold = sheet.look.tones[tone]
    sizes = (size * larger for larger in (sheet.letters, *TITLE_LARGER) if larger <= sheet.letters)
    in_a_line = (one for one in sizes if len(wrap_text(sheet.measure, screen.title, (one, bold), place.w)) == 1)
    return paragraph(sheet, screen.title, (colour, next(in_a_line, size), bold), place) + sheet.gap


def _bar(sheet: Sheet, screen: scr.Screen, placed: Arranged) -> None:
    """Draw the actions along the lower edge of their place, and the pager of several pages beside or above them.

    Beside a pager that room is kept for, all may fit on one page after all.
    """
    pages, place = len(placed.pages), placed.bar
    bar = Bar(screen.actions, place.w, placed.blocks.right - place.right)
    high = bar_height(sheet, bar, place.w)
    foot = Rect(place.x, place.bottom - high + EDGE_PT, place.w, high - EDGE_PT)
    if placed.paged:
        wide, high = _paged_bar(sheet, screen, place)
        foot = Rect(place.x, place.bottom - high + EDGE_PT, place.w, high - EDGE_PT)
        if pages > 1:
            draw_pager(sheet, (screen.page % pages, pages), Rect(foot.x, foot.y, wide, sheet.touch))
        if wide == foot.w:
            foot = Rect(foot.x, foot.y + sheet.touch + GAP_PT, foot.w, foot.h - sheet.touch - GAP_PT)
        elif keeps_places(sheet, bar, foot.w):
            bar = replace(bar, lead=wide + GAP_PT)
        else:
            foot = Rect(foot.x + wide + GAP_PT, foot.y, foot.w - wide - GAP_PT, foot.h)
    if screen.actions:
        draw_bar(sheet, bar, foot)


def _paged_bar(sheet: Sheet, screen: scr.Screen, place: Rect) -> tuple[float, float]:
    """Return the width of the pager and the height of the bar with it: beside the actions, or above if it must."""
    wide = 2 * sheet.touch + 96
    if place.w < WIDE_PT or place.w - wide - GAP_PT < len(screen.actions) * ROOMY * sheet.touch:
        wide = sheet.touch  # the actions keep their size
    rest = place.w - wide - GAP_PT
    bar = Bar(screen.actions, place.w)
    alone, beside = bar_height(sheet, bar, place.w), bar_height(sheet, bar, rest)
    if keeps_places(sheet, bar, place.w):
        beside = bar_height(sheet, replace(bar, lead=wide + GAP_PT), place.w)
    if not screen.actions:
        return place.w, sheet.touch + EDGE_PT
    if beside <= alone + 1:
        return wide, beside
    return place.w, alone + sheet.touch + GAP_PT
