"""What lies on top of a page and moves nothing below: the banner, a lesson's veil, the card of a long touch.

The banner is one sentence above all else, which a touch puts away. The veil has holes where a lesson has something to
say, and frames what is to be touched. The card says what something is, beside the thing itself, with a ring around it.
"""

from __future__ import annotations

from companion.drawing.polygons import path
from companion.ui import screen as scr
from companion.ui.intents import Tooltip
from companion.view.kit.sheet import Rect, Sheet, Target, paragraph, paragraphs
from companion.view.kit.signs import plate


def draw_banner_over(sheet: Sheet, screen: scr.Screen, place: Rect, least: float = 0.0) -> None:
    """Draw the banner, if there is one, over what is at the top of the place, so that nothing moves."""
    if screen.banner:
        sheet.over = sheet.over or sheet.scratch()
        draw_banner(sheet.over, screen, place, least)


def uncut_height(sheet: Sheet, screen: scr.Screen, place: Rect) -> float:
    """Return the least height of a banner at the top of the place that cuts no target or label in two."""
    bottom = place.y + draw_banner(sheet.scratch(), screen, place)
    beneath = [*(target.rect for target in sheet.targets), *(label.rect for label in sheet.labels)]
    while cut := [rect.bottom for rect in beneath if rect.y < bottom < rect.bottom]:
        bottom = max(cut)
    return bottom - place.y + 1  # the lines around cards, too


def draw_banner(sheet: Sheet, screen: scr.Screen, place: Rect, least: float = 0.0) -> float:
    """Draw the banner at the top of the place, in as many lines as it takes; return its height."""
    colour, ink = sheet.look.banner(screen.banner_tone)
    style = (ink, 15.5, True)
    text = Rect(place.x + 12, place.y, place.w - 52, 0)
    used = paragraph(sheet.scratch(), screen.banner, style, text)
    high = max(sheet.touch, used + 14, least)
    bar = Rect(place.x, place.y, place.w, high)
    sheet.box(bar, colour)
    paragraph(sheet, screen.banner, style, text._replace(y=place.y + (high - used) / 2))
    sheet.cross((bar.right - 22, bar.centre[1]), 7, ink, 2.6)
    sheet.target(bar, scr.Intent("hush"))
    sheet.close_group(bar)
    return high


# ---- a lesson's veil -----------------------------------------------------------------------------

VEIL_OPACITY = 0.66
HOLE_RADIUS_PT = 9.0
AROUND_PT = 2.0  # the hole reaches so far beyond what it shows
FRAME_PT = 3.0


def draw_veil(sheet: Sheet, spot: scr.Spotlight, size_pt: tuple[float, float]) -> None:
    """Dim all of the sheet but its bright places and what the spot names, below its banner.

    Where what is to be touched is on another page, the way to that page stays bright.
    """
    asked = [target for target in sheet.targets if target.intent == spot.touch] or [
        target for target in sheet.targets if spot.touch is not None and target.intent.verb == "page"
    ]
    named = [target for target in sheet.targets if target.intent.verb in spot.names or target.intent.what in spot.names]
    holes = {rect: _hole(rect) for rect in sheet.bright}
    holes |= {
        target.rect: path(target.outline) if target.outline else _hole(target.rect) for target in (*asked, *named)
    }
    veil, whole = sheet.scratch(), Rect(0, 0, *size_pt)
    veil.bright = [hole for hole in holes if not any(_is_within(hole, other) for other in holes)]
    outline = f"M0 0H{whole.w:.1f}V{whole.h:.1f}H0Z" + "".join(holes[hole] for hole in veil.bright)
    veil.raw(f'<path d="{outline}" fill="{sheet.look.page}" fill-opacity="{VEIL_OPACITY}" fill-rule="evenodd"/>')
    for target in asked:
        _frame_target(veil, target)
    veil.close_group(whole)
    veil.over, sheet.over = sheet.over, veil


def _is_within(rect: Rect, other: Rect) -> bool:
    """Return whether a rectangle lies in another one: two holes over one another would close."""
    return (
        rect != other
        and other.shrunk(-1).holds((rect.x, rect.y))
        and max(rect.right - other.right, rect.bottom - other.bottom) <= 1
    )


def _hole(rect: Rect) -> str:
    """Draw a rectangle with round corners, as a part of a path."""
    x, y, wide, high = rect.shrunk(-AROUND_PT)
    r = min(HOLE_RADIUS_PT, wide / 2, high / 2)
    turn = f"a{r:.1f} {r:.1f} 0 0 1"
    return (
        f"M{x + r:.1f} {y:.1f}h{wide - 2 * r:.1f}{turn} {r:.1f} {r:.1f}v{high - 2 * r:.1f}{turn} {-r:.1f} {r:.1f}"
        f"h{2 * r - wide:.1f}{turn} {-r:.1f} {-r:.1f}v{2 * r - high:.1f}{turn} {r:.1f} {-r:.1f}z"
    )


def _frame_target(veil: Sheet, target: Target) -> None:
    if target.outline:
        veil.polygon(target.outline, "none", veil.look.accent, FRAME_PT)
    else:
        veil.box(target.rect.shrunk(-1), "none", veil.look.accent, HOLE_RADIUS_PT, FRAME_PT)


# ---- the card of a long touch --------------------------------------------------------------------

CARD_PT = 330.0
EDGE_PT = 6.0  # between the card and the edge of its pane
PAD_PT = 12.0
APART_PT = 8.0  # between the card and what it is about
LEAST_RING_PT = 22.0


def draw_tooltip(sheet: Sheet, card: Tooltip, about: Rect, size_pt: tuple[float, float]) -> Rect:
    """Draw a tooltip below the thing or, if it has no room there, above or beside it; return its place."""
    wide = min(CARD_PT, size_pt[0] - 2 * EDGE_PT)
    high = _words(sheet.scratch(), card, Rect(0, 0, wide, 0)) + 2 * PAD_PT
    ring = _ring(about, size_pt)
    rect = _place(ring, (wide, high), size_pt)
    sheet.box(ring, "none", sheet.look.ink, 8, 5.2)
    sheet.box(ring, "none", sheet.look.accent, 8, 2.8)
    sheet.close_group(ring)
    plate(sheet, rect, sheet.look.raised, sheet.look.accent_text, 2.4)
    _words(sheet, card, rect)
    sheet.close_group(rect)
    return rect


def _words(sheet: Sheet, card: Tooltip, rect: Rect) -> float:
    """Write a tooltip's title, sentences and citation; return their height."""
    look, text = sheet.look, Rect(rect.x + PAD_PT, rect.y + PAD_PT, rect.w - 2 * PAD_PT, 0)
    parts = (
        (card.title, (look.text, 17.0, True)),
        (card.text, (look.text, 15.0, False)),
        (card.cite, (look.quiet, 13.0, False)),
    )
    return paragraphs(sheet, parts, text)


def _ring(about: Rect, size_pt: tuple[float, float]) -> Rect:
    """Return the ring around the explained thing: inside the pane, and never too small to be seen."""
    x, y = about.centre
    wide, high = max(about.w, LEAST_RING_PT), max(about.h, LEAST_RING_PT)
    left, top = max(x - wide / 2, 3.0), max(y - high / 2, 3.0)
    return Rect(left, top, min(x + wide / 2, size_pt[0] - 3) - left, min(y + high / 2, size_pt[1] - 3) - top)


def _place(ring: Rect, card: tuple[float, float], size_pt: tuple[float, float]) -> Rect:
    """Return a place for a card of that size where it covers nothing of the ring, as far as the pane has room."""
    (wide, high), (most_x, most_y) = card, (size_pt[0] - EDGE_PT - card[0], size_pt[1] - EDGE_PT - card[1])
    x = min(max(ring.centre[0] - wide / 2, EDGE_PT), most_x)
    y = min(max(ring.centre[1] - high / 2, EDGE_PT), most_y)
    places = (
        (x, ring.bottom + APART_PT),
        (x, ring.y - APART_PT - high),
        (ring.right + APART_PT, y),
        (ring.x - APART_PT - wide, y),
    )
    inside = (Rect(a, b, wide, high) for a, b in places if EDGE_PT <= a <= most_x + 1 and EDGE_PT <= b <= most_y + 1)
    return next(inside, Rect(x, min(max(ring.bottom + APART_PT, EDGE_PT), most_y), wide, high))
