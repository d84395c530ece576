"""A veil over a screen, with holes where a lesson has something to say: what is to be touched is framed."""

from __future__ import annotations

from companion.drawing.polygons import path
from companion.ui.screen import Spot
from companion.view.kit.sheet import Rect, Sheet, Target

OPACITY = 0.66
RADIUS_PT = 9.0
AROUND_PT = 2.0  # the hole reaches so far beyond what it shows
FRAME_PT = 3.0


def draw_veil(sheet: Sheet, spot: Spot, size_pt: tuple[float, float]) -> None:
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
    veil.raw(f'<path d="{outline}" fill="{sheet.look.page}" fill-opacity="{OPACITY}" fill-rule="evenodd"/>')
    for target in asked:
        _frame(veil, target)
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
    r = min(RADIUS_PT, wide / 2, high / 2)
    turn = f"a{r:.1f} {r:.1f} 0 0 1"
    return (
        f"M{x + r:.1f} {y:.1f}h{wide - 2 * r:.1f}{turn} {r:.1f} {r:.1f}v{high - 2 * r:.1f}{turn} {-r:.1f} {r:.1f}"
        f"h{2 * r - wide:.1f}{turn} {-r:.1f} {-r:.1f}v{2 * r - high:.1f}{turn} {r:.1f} {-r:.1f}z"
    )


def _frame(veil: Sheet, target: Target) -> None:
    if target.outline:
        veil.polygon(target.outline, "none", veil.look.accent, FRAME_PT)
    else:
        veil.box(target.rect.shrunk(-1), "none", veil.look.accent, RADIUS_PT, FRAME_PT)
