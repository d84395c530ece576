"""Capitals and digits drawn as lines, for drawings that may contain no text because their renderer has no typeface.

A letter is SVG path data on a square of its own, 6 units high, y down; lines are given their width when drawn.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from companion.drawing.polygons import Point

HIGH = 6.0  # of a capital
APART = 1.5  # between two letters
SPACE = 2.6  # of a blank

_BOWL = "M0 6V0H2.3A1.65 1.65 0 0 1 2.3 3.3H0"
_RING = "M2.2 0A2.2 3 0 0 1 2.2 6A2.2 3 0 0 1 2.2 0"

LETTERS: Mapping[str, tuple[float, str]] = {
    "A": (4, "M0 6L2 0L4 6M0.7 4H3.3"),
    "B": (4, "M0 0V6H2.4A1.55 1.55 0 0 0 2.4 2.9H0M2.2 2.9A1.45 1.45 0 0 0 2.2 0H0"),
    "C": (4, "M3.9 1.1A2.3 3 0 1 0 3.9 4.9"),
    "D": (4, "M0 0V6H1.4A2.6 3 0 0 0 1.4 0Z"),
    "E": (3.4, "M3.4 0H0V6H3.4M0 2.9H2.8"),
    "F": (3.4, "M3.4 0H0V6M0 2.9H2.8"),
    "G": (4.2, "M3.9 1.1A2.3 3 0 1 0 4.1 4.6V3.4H2.5"),
    "H": (4, "M0 0V6M4 0V6M0 2.9H4"),
    "I": (0.6, "M0.3 0V6"),
    "J": (3, "M3 0V4.2A1.5 1.8 0 0 1 0 4.2"),
    "K": (3.9, "M0 0V6M3.8 0L0 3.6M1.3 2.5L3.9 6"),
    "L": (3.3, "M0 0V6H3.3"),
    "M": (5, "M0 6V0L2.5 3.8L5 0V6"),
    "N": (4, "M0 6V0L4 6V0"),
    "O": (4.4, _RING),
    "P": (4, _BOWL),
    "Q": (4.4, _RING + "M2.8 4.2L4.4 6.4"),
    "R": (4, _BOWL + "M1.9 3.3L3.9 6"),
    "S": (3.8, "M3.6 1C3.4 0.3 2.8 0 1.9 0C0.8 0 0.1 0.6 0.1 1.5C0.1 3.6 3.8 2.3 3.8 4.4C3.8 5.4 3 6 1.9 6"
               "C0.9 6 0.2 5.5 0 4.7"),
    "T": (4, "M0 0H4M2 0V6"),
    "U": (4, "M0 0V4A2 2 0 0 0 4 4V0"),
    "V": (4.2, "M0 0L2.1 6L4.2 0"),
    "W": (5.6, "M0 0L1.4 6L2.8 0.8L4.2 6L5.6 0"),
    "X": (4, "M0 0L4 6M4 0L0 6"),
    "Y": (4, "M0 0L2 3L4 0M2 3V6"),
    "Z": (3.8, "M0 0H3.8L0 6H3.8"),
    "0": (4, "M2 0A2 3 0 0 1 2 6A2 3 0 0 1 2 0"),
    "1": (2.2, "M0 1.6L1.8 0V6"),
    "2": (3.8, "M0.1 1.7A1.85 1.75 0 1 1 3.3 2.8L0 6H3.8"),
    "3": (3.6, "M0.1 0H3.5L1.7 2.4A1.75 1.8 0 1 1 0 4.8"),
    "4": (4, "M2.9 6V0L0 4.2H4"),
    "5": (3.6, "M3.4 0H0.6L0.3 2.7A1.85 1.85 0 1 1 0 5"),
    "6": (3.8, "M3 0L0.5 3.2A1.85 1.85 0 1 0 3.3 3.2A1.85 1.85 0 0 0 0.5 3.2"),
    "7": (3.6, "M0 0H3.6L1.2 6"),
    "8": (3.8, "M1.9 2.8A1.4 1.4 0 0 1 1.9 0A1.4 1.4 0 0 1 1.9 2.8A1.6 1.6 0 0 1 1.9 6A1.6 1.6 0 0 1 1.9 2.8"),
    "9": (3.8, "M0.8 6L3.3 2.8A1.85 1.85 0 1 0 0.5 2.8A1.85 1.85 0 0 0 3.3 2.8"),
}  # fmt: skip

MARKS: Mapping[str, str] = {  # about the middle of the letter's top
    "\u0300": "M0.5 -0.9L-0.7 -2.1",
    "\u0301": "M-0.5 -0.9L0.7 -2.1",
    "\u0302": "M-1.1 -0.9L0 -2L1.1 -0.9",
    "\u0303": "M-1.4 -1.1C-0.7 -2.3 0.7 -0.7 1.4 -1.9",
    "\u0308": "M-0.9 -1.5H-0.8M0.8 -1.5H0.9",
    "\u0327": "M0 6.2L-0.3 7C0.7 7 0.6 8.1 -0.6 7.9",
}
"""Accents by their combining characters."""


def text_width(text: str, high: float) -> float:
    """Return the width of a line of text whose capitals are `high`, in the same unit."""
    widths = [LETTERS[letter][0] if letter in LETTERS else SPACE for letter in _capitals(text)]
    return (sum(widths) + APART * max(len(widths) - 1, 0)) * high / HIGH


def lettering(text: str, centre: Point, high: float, colour: str, weight: float = 0.9) -> str:
    """Draw a line of text as SVG about its middle, with capitals of that height.

    `weight` is the lines' width in sixths of `high`. What is neither letter nor digit is a blank; accents reach above
    the capitals.
    """
    scale = high / HIGH
    x, y = centre[0] - text_width(text, high) / 2, centre[1] - high / 2
    parts = []
    for letter in unicodedata.normalize("NFC", text.upper()):
        plain, *accents = list(unicodedata.normalize("NFD", letter))
        across, data = LETTERS.get(plain, (SPACE, ""))
        middle = x / scale + across / 2
        parts += [_placed(data, x / scale, y / scale)] if data else []
        parts += [_placed(MARKS[accent], middle, y / scale) for accent in accents if data and accent in MARKS]
        x += (across + APART) * scale
    return (
        f'<g transform="scale({scale:.4f})" fill="none" stroke="{colour}" stroke-width="{weight:g}" '
        f'stroke-linecap="round" stroke-linejoin="round">{"".join(parts)}</g>'
    )


def _placed(data: str, x: float, y: float) -> str:
    return f'<path d="{data}" transform="translate({x:.3f} {y:.3f})"/>'


def _capitals(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.upper())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
