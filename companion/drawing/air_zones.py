"""Air zones in the drawing: their coloured borders over the land, and their aircraft sections. All in mm.

A zone's colour is the word in its name ("zone-green"); its first letter stands on its land (two, where another's
word begins alike) and its whole name above its section, so that nobody needs to tell colours apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from companion.drawing.polygons import Point, inset, offset, orientation, outer_edges, path
from companion.drawing.stroke_font import lettering, text_width
from engine.orders.board import Area, Board

COLOURS: Mapping[str, str] = {
    "red": "#c0302f",
    "green": "#2f8a4b",
    "blue": "#2f6fc2",
    "orange": "#ef8f2f",
    "purple": "#7b4aa6",
    "yellow": "#f2cf2a",
    "white": "#f7f7f4",
    "grey": "#858c93",
    "brown": "#82532f",
    "pink": "#e07bab",
    "teal": "#1f9a9c",
    "black": "#26282b",
}
UNKNOWN = "#9a8f7a"
INK, PAPER = "#1d2126", "#ffffff"
TAB_MM = 6.0  # height of the tab with a section's name, above it


def zone_colour(zone: str) -> str:
    """Return the colour of an air zone, by the word in its name; UNKNOWN for any word that isn't one of ours."""
    return COLOURS.get(zone.removeprefix("zone-"), UNKNOWN)


def letters_on(colour: str) -> str:
    """Return dark or white for letters, whichever stands out on that colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else PAPER  # luma by Rec. 601, of 255


@lru_cache(maxsize=512)
def mix_colours(colour: str, other: str, part: float) -> str:
    """Return a colour ("#rrggbb") mixed with another; `part` (0 to 1) is how much of the other."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def zone_borders(board: Board, k: float) -> str:
    """Draw a band of each zone's colour inside the edge of its land. k: the scale of the board."""
    shapes = ""
    for zone in (area for area in board.areas if area.kind == "air"):
        land = [area.polygon_mm for area in board.areas if area.zone == zone.name]
        for ring in outer_edges(land):
            band = path(offset(ring, 3.6 * k * orientation(land[0])))
            for colour, width in ((INK, 2.9 * k), (zone_colour(zone.name), 2.1 * k)):
                shapes += (
                    f'<path d="{band}" fill="none" stroke="{colour}" stroke-width="{width:.2f}" '
                    f'stroke-linejoin="round"/>'
                )
    return shapes


def zone_word(zone: str, words: Mapping[str, str] | None) -> str:
    """Return what a zone is called: its entry in `words`, else the word in its name."""
    return (words or {}).get(zone, zone.removeprefix("zone-"))


def zone_letters(zone: str, zones: Iterable[str], words: Mapping[str, str] | None) -> str:
    """Return the letters of a zone that stand on its land: the first of its word.

    Where another's word begins alike, also the first in which they differ: "VD" and "VM" for verde and vermelho.
    """
    own = _letters(zone, words)
    others = (_letters(other, words) for other in zones if other != zone)
    at = max((_common_letters(own, other) for other in others), default=0)
    return own[:1] + own[at : at + 1] if at else own[:1]


def _common_letters(one: str, other: str) -> int:
    """Return how many letters two words have in common at their beginning."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _letters(zone: str, words: Mapping[str, str] | None) -> str:
    return "".join(filter(str.isalpha, zone_word(zone, words).casefold()))


def tag(colour: str, letters: str, placed: tuple[Point, float], turn: int = 0) -> str:
    """Draw the small plate that marks an air zone's land: the zone's colour with its letters.

    It stands upright where the board is shown turned by `turn` degrees.
    """
    (x, y), scale = placed
    half = 3.3 * scale
    high = 3.7 if len(letters) < 2 else 2.9
    text = lettering(letters, (x, y), high * scale, letters_on(colour), 1.2)
    return (
        f'<g transform="rotate({-turn} {x:.2f} {y:.2f})"><rect x="{x - half:.2f}" y="{y - half:.2f}" '
        f'width="{2 * half:.2f}" height="{2 * half:.2f}" rx="{scale:.2f}" fill="{colour}" stroke="{INK}" '
        f'stroke-width="0.5"/>{text}</g>'
    )


def section(zone: Area, word: str) -> str:
    """Draw a zone's aircraft section: a box of its colour, plain inside for the pieces, its word on a tab above."""
    colour = zone_colour(zone.name)
    left, top = (min(corner[i] for corner in zone.polygon_mm) for i in (0, 1))
    right = max(corner[0] for corner in zone.polygon_mm)
    middle = ((left + right) / 2, top - TAB_MM / 2 + 0.3)
    edge = path(inset(zone.polygon_mm, 1.3))
    return (
        f'<rect x="{left:.2f}" y="{top - TAB_MM:.2f}" width="{right - left:.2f}" height="{TAB_MM + 4:.2f}" rx="2.4" '
        f'fill="{colour}" stroke="{INK}" stroke-width="0.7"/>'
        f'<path d="{path(zone.polygon_mm)}" fill="{mix_colours(colour, "#f3efe2", 0.72)}" stroke="{INK}" '
        f'stroke-width="0.7" stroke-linejoin="round"/>'
        f'<path d="{edge}" fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"/>'
        + lettering(word, middle, min(3.4, 3.4 * (right - left - 3.0) / text_width(word, 3.4)), letters_on(colour), 1.0)
    )
