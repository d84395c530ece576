"""Colours and sizes. Sizes are in points: every screen is 480 points high or more (800x480 has one pixel a point)."""

from __future__ import annotations

from collections.abc import Mapping

HEIGHT_PT = 480.0  # the height of every layout; its width follows from the screen's shape
WIDTH_PT = 800.0  # and is at least this
TOUCH_PT = 44.0  # the smallest side of anything to touch
GAP_PT = 6.0
LINE = 1.25  # height of a line over the size of its letters

PAGE = "#12161b"
PANEL = "#1c232b"
RAISED = "#2b3540"
EDGE = "#4a5866"
TEXT = "#f4f0e6"
QUIET = "#b4bec8"
DIM = "#8a96a2"
GOLD = "#f3c54b"
GOOD = "#6fd0b0"
BAD = "#ff9b7a"
INK = "#15181c"

RED = "#e2573b"
RED_DEEP = "#b5311a"
BLACK = "#15171a"
CREAM = "#f6f0dd"

FACTION_FILL: Mapping[str, str] = {"red": RED_DEEP, "black": BLACK}
SHARES: Mapping[str, str] = {**FACTION_FILL, "nobody": "#66727e"}
FACTION_LINE: Mapping[str, str] = {"red": "#ffd9cc", "black": CREAM}
FACTION_BORDER: Mapping[str, str] = {"red": "#b5311a", "black": BLACK}

STEPS = ("#3a4654", "#6c6a4c", "#a98a42", "#d6ab47", "#f3c54b")  # for outcomes in a row

TONES: Mapping[str, tuple[str, float, bool]] = {  # colour, size, bold
    "plain": (TEXT, 16, False),
    "quiet": (QUIET, 14, False),
    "strong": (TEXT, 17, True),
    "title": (TEXT, 24, True),
    "hero": (TEXT, 44, True),
    "good": (GOOD, 16, True),
    "bad": (BAD, 16, True),
    "warn": (GOLD, 16, True),
}

LOOKS: Mapping[str, tuple[str, str, str]] = {  # fill, outline, text
    "plain": (RAISED, EDGE, TEXT),
    "primary": (GOLD, GOLD, INK),
    "quiet": (PAGE, EDGE, QUIET),
    "danger": ("#4a2119", BAD, TEXT),
    "chosen": ("#54471e", GOLD, TEXT),
    "off": ("#191f26", "#323c47", DIM),
}
