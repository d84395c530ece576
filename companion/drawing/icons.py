"""Every icon, drawn by us as vectors in one place: the same on the map, on buttons, in the status and in print.

An icon is SVG path data in a square from -10 to 10, y down: what is filled, and what is drawn as a line. All are made
to be told apart at 12 pixels: one plain shape each, no fine detail.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from companion.drawing.polygons import Point, hexagon, path

HALF = 10.0  # of the square that an icon is drawn in
STROKE = 2.6  # width of an icon's lines


class Icon(NamedTuple):
    """Path data: filled shapes, and lines of STROKE width."""

    fill: str
    line: str = ""


def burst(centre: Point, radius: float, points: int, depth: float) -> tuple[Point, ...]:
    """Return the corners of a star with so many points, the first one up; depth: the inner radius over the outer."""
    corners = []
    for i in range(points * 2):
        angle = math.pi * i / points - math.pi / 2
        reach = radius * (1.0 if i % 2 == 0 else depth)
        corners.append((centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)))
    return tuple(corners)


def _star(radius: float, points: int, depth: float, at: Point = (0.0, 0.0)) -> str:
    return path(burst(at, radius, points, depth))


def _disc(x: float, y: float, r: float) -> str:
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0Z"


def _lozenge(x: float, y: float, half: float) -> str:
    return f"M{x:g} {y - half:g}L{x + half:g} {y:g}L{x:g} {y + half:g}L{x - half:g} {y:g}Z"


_FIFTHS = tuple(turn * 2 * math.pi / 5 for turn in range(5))
_PLANE = ("M0 -9.8C1.3 -9.8 1.9 -7.8 1.9 -5.4V-3.2L9.8 0.8V3.8L1.9 2.2V5.6L4.6 7.6V9.6L0 8.6L-4.6 9.6V7.6L-1.9 5.6V2.2"
          "L-9.8 3.8V0.8L-1.9 -3.2V-5.4C-1.9 -7.8 -1.3 -9.8 0 -9.8Z")  # fmt: skip
_BLAST = _star(9.6, 8, 0.5)
_SAIL = "M-1.2 -9.4V1.4H-8.2ZM1 -7.2L7.6 1.4H1Z"
_HULL = "M-9.4 3.2H9.4C8.4 6.6 6.8 8.6 4.6 8.6H-4.6C-6.8 8.6 -8.4 6.6 -9.4 3.2Z"

ICONS: Mapping[str, Icon] = {
    # actions
    "advance": Icon("M0 -9L8.2 0.4H3.2V9H-3.2V0.4H-8.2Z"),
    "sail": Icon(_SAIL + _HULL),
    "bombard": Icon(_star(7.4, 8, 0.5, (0.0, -2.4)), "M-8.6 8.2q2.15 -2.6 4.3 0t4.3 0t4.3 0t4.3 0"),
    "shell": Icon(_BLAST),
    "siege": Icon(_disc(6.4, -7, 2.7) + _disc(-5.2, 7, 2.7) + _disc(5.2, 7, 2.7),
                  "M-8.6 3.8H8.6M-7.4 2.6L5 -5.8M0.8 3.4V-2.6"),
    "paradrop": Icon("M-9.2 -1.4A9.2 8.2 0 0 1 9.2 -1.4C7.4 -3.2 4.8 -3.2 3 -1.4C1.6 -3.2 -1.6 -3.2 -3 -1.4"
                     "C-4.8 -3.2 -7.4 -3.2 -9.2 -1.4Z" + _disc(0, 7, 2.6), "M-8 -1L0 5M8 -1L0 5"),
    "barrage": Icon(_disc(0, 0, 2.2), _disc(0, 0, 6.2) + "M0 -9V-4.4M0 4.4V9M-9 0H-4.4M4.4 0H9"),
    "fly": Icon(_PLANE),
    "bomb": Icon("M0 9.8C-4 6.8 -4.8 1.6 -2.8 -2.6H2.8C4.8 1.6 4 6.8 0 9.8ZM-2.4 -3.8L-5.4 -9.4H-1.8L0 -7L1.8 -9.4H5.4"
                 "L2.4 -3.8Z"),
    "take_off": Icon("M9.6 -8.4L4.6 4.2L1 0.6L-3.4 3.4L-2.8 -1.8L-8 -3.6Z", "M-8.4 8H8.4"),
    "reinforce": Icon("M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z"),
    "embark": Icon("", "M0 -4.6V8.4M-4.4 -1.6H4.4M-8 2.4C-7.6 6.2 -4 8.4 0 8.4S7.6 6.2 8 2.4" + _disc(0, -6.6, 2)),
    "plan": Icon("M-8.4 -6.2L-0.6 -8.4L3.6 6.4L-4.2 8.6ZM1.8 -8.2L8.8 -5.4L5.4 3.6Z"),
    # each side's mark
    "mark_red": Icon("".join(_disc(5.5 * math.sin(turn), -5.5 * math.cos(turn), 3.9) for turn in _FIFTHS),
                     _disc(0, 0, 1.4)),
    "mark_black": Icon(_disc(0, 0, 2.2), path(hexagon((0.0, 0.0), 9.0)) + path(hexagon((0.0, 0.0), 5.4))),
    "mark_blue": Icon("M-9 -7.4L0 -1.6L9 -7.4V-2.2L0 3.6L-9 -2.2ZM-9 1L0 6.8L9 1V6.2L0 12L-9 6.2Z"),
    "mark_yellow": Icon("".join(_lozenge(x, y, 4.4) for x, y in ((0, -5), (5, 0), (0, 5), (-5, 0)))),
    # bonus tokens
    "barracks": Icon("M0 -8.8L9.6 0H6.4V8.4H2.2V2.4H-2.2V8.4H-6.4V0H-9.6Z"),
    "war_room": Icon("M-7.6 -8.6H7.6V-5.6H5.8V5.6H7.6V8.6H-7.6V5.6H-5.8V-5.6H-7.6Z"),
    "pirate_haven": Icon("M-7.4 -9H-4.8V9H-7.4ZM-3.6 -8.6L8.8 -4.4L-3.6 0Z"),
    "shipyard": Icon(_HULL, "M0 2.4V-8M-5.6 -8H5.6"),
    "hidden_base": Icon("M-9.6 8L-2.8 -7.6L1.2 -0.6L3.8 -4.6L9.6 8Z"),
    "armoury": Icon("", "M-7 -8L7.4 7.6M7 -8L-7.4 7.6M-9 4.2L-4 8.8M9 4.2L4 8.8"),
    "depot": Icon("", "M-7.6 -7H7.6V8H-7.6ZM-7.6 -2.4H7.6M-2 -7V-2.4M2 -7V-2.4"),
    "forward_base": Icon("M-9.6 8.8L0 -4.2L9.6 8.8H3L0 3.8L-3 8.8ZM1 -9.8L7.2 -7.4L1 -5Z", "M0 -3.4V-8.4"),
    "observer_post": Icon(_disc(-5, 4, 4.6) + _disc(-5, 4, 1.9) + _disc(5, 4, 4.6) + _disc(5, 4, 1.9)
                          + "M-7.6 -8H-2.6L-1.4 -0.2H-8.8ZM2.6 -8H7.6L8.8 -0.2H1.4ZM-1 -3H1V2H-1Z"),
    "recon_post": Icon("M-9.8 0C-5.6 -7 5.6 -7 9.8 0C5.6 7 -5.6 7 -9.8 0Z" + _disc(0, 0, 3.8) + _disc(0, 0, 1.9)),
    "signal_unit": Icon(_disc(0, -2.6, 2.2), "M0 0V8.4M-4.6 8.4H4.6M-4 -6.6A5.6 5.6 0 0 0 -4 1.4"
                                             "M4 -6.6A5.6 5.6 0 0 1 4 1.4M-7 -8.6A9 9 0 0 0 -7 3.4"
                                             "M7 -8.6A9 9 0 0 1 7 3.4"),
    "air_control_post": Icon("M-7.4 -6.4H7.4L5 0.4H-5ZM-2.8 1.4H2.8L3.8 9.2H-3.8Z", "M0 -7V-9"),
    "town_centre": Icon("M-1 9V-2.6L3.6 -9.8L8.2 -2.6V9H5.2V4.6H2V9ZM-9.2 9V1.6L-5.4 -1.6L-2.2 1V9Z"),
    # the state of a game
    "commander": Icon("M-5 -8.66H5L10 0L5 8.66H-5L-10 0Z"),
    "initiative": Icon("M0 -9.2C5.6 -9.2 8.8 -5.6 8.8 -1.6C8.8 1.8 5.6 4 1.6 4.2V9.6H-1.6V4.2C-5.6 4 -8.8 1.8 -8.8 -1.6"
                       "C-8.8 -5.6 -5.6 -9.2 0 -9.2Z"),
    "standby": Icon("M-6.4 -8.6H6.4V-6H-6.4ZM-6.4 6H6.4V8.6H-6.4ZM-4.4 -5H4.4L0.8 0L4.4 5H-4.4L-0.8 0Z"),
    "hand": Icon("M-9 -3.4L-4.4 -5.6L-0.8 6.4L-4.6 7.8Z"
                 "M-3.2 -8.4H3.2V5.4H0.6ZM4.6 -5.6L9 -3.4L4.6 7.8L1.6 6.6L4.6 5.6Z"),
    "deck": Icon("M-7 -9H4.4V5.6H-7ZM5.6 -6.4H7.8V9H-4V6.8H5.6Z"),
    "discard": Icon("M-7 -9H4.4V-1.6H-7ZM-7 0.6H4.4V5.6H-7ZM5.6 -6.4H7.8V9H-4V6.8H5.6Z"),
    "points": Icon(_star(9.6, 5, 0.45, (0.0, 0.6))),
    "castle": Icon("M-7 9L-5.2 2H-8.4L-4.2 -2H-3.4V-3.4H-6L0 -9.2L6 -3.4H3.4V-2H4.2L8.4 2H5.2L7 9H2V5H-2V9Z"),
    "wwii_hq": Icon("M-7 -9.6H-4.4V9.6H-7ZM-3.6 -8.8H9L5.8 -4.2L9 0.4H-3.6Z"),
    "ship": Icon(_SAIL + _HULL),
    "aircraft": Icon(_PLANE),
    "forbidden": Icon("", _disc(0, 0, 8.6) + "M-6 -6L6 6"),
    "supply": Icon("", "M-1.4 -3.4L1.4 -6.2A4 4 0 0 1 7 -0.6L4.2 2.2A4 4 0 0 1 -0.4 2.8"
                       "M1.4 3.4L-1.4 6.2A4 4 0 0 1 -7 0.6L-4.2 -2.2A4 4 0 0 1 0.4 -2.8"),
    "cut": Icon("", "M2.6 -7A4 4 0 0 1 7 -2.6M7 -2.6L5 -0.4M-2.6 7A4 4 0 0 1 -7 2.6M-7 2.6L-5 0.4M-8 -8L8 8"),
    # kinds of units of a battle
    "foot": Icon("", "M-6 -3H6M-6 4H6"),
    "bow": Icon("M0 -9.8L3.6 -4.4H-3.6Z", "M0 -6V8.6M-8.6 1.4A9.4 9.4 0 0 1 8.6 1.4M-8.6 1.4L0 8M8.6 1.4L0 8"),
    "spear": Icon("M0 -9.8L3.4 -3.2L0 -0.4L-3.4 -3.2Z", "M0 -1V9.2M-4.4 2.6H4.4"),
    "maku": Icon(_disc(0, -2.2, 3.4), "M-8.6 -7.4H8.6M-8.6 -7.4V7.6M8.6 -7.4V7.6M-8.6 4.6H-3.6M3.6 4.6H8.6"),
    "horse": Icon("M-7.2 9C-6.8 4.6 -4.6 2.2 -2.6 0.4L-6.6 2.4L-8.6 -0.6L-2 -6.4L-1.4 -9.6L1.4 -7"
                  "C6 -5.4 8.2 -1.4 7.6 9Z"),
    # the card game
    "military": Icon("M9.8 -9.8L8.6 -5L-1.6 5.2L-5.2 1.6L5 -8.6Z", "M-7.4 0.2L-0.2 7.4M-4.2 4.2L-8.4 8.4"),
    "intelligence": Icon("M-9.8 0C-5.6 -7 5.6 -7 9.8 0C5.6 7 -5.6 7 -9.8 0Z" + _disc(0, 0, 3.8) + _disc(0, 0, 1.9)),
    "general": Icon("M-8.4 2.6C-8.4 -4.6 -4.6 -7.6 0 -7.6S8.4 -4.6 8.4 2.6H9.8V5.4H-9.8V2.6ZM-1.2 -9.8H1.2V-6H-1.2Z"),
    "item": Icon("M0 -9.4L7.4 -2L0 9.4L-7.4 -2ZM0 -5.4L-3.2 -2L0 3.6L3.2 -2Z"),
    "troop": Icon("M-7.4 -9.4H-4.8V9.4H-7.4ZM-3.8 -8.8H8.8L5.6 -4.4L8.8 0H-3.8Z"),
    "effect": Icon("M2.4 -9.8L-6.6 1.8H-1L-2.6 9.8L6.6 -2.2H1Z"),
    "fallen": Icon("M-1.6 -9.6H1.6V-5H6.2V-1.8H1.6V9.6H-1.6V-1.8H-6.2V-5H-1.6Z"),
    "target": Icon(_disc(0, 0, 2.2), _disc(0, 0, 6.2) + "M0 -9V-4.4M0 4.4V9M-9 0H-4.4M4.4 0H9"),
    "bag": Icon("M-4 -4.6H4C8 -1 9 3 8 7C7.4 9 6 9.6 4 9.6H-4C-6 9.6 -7.4 9 -8 7C-9 3 -8 -1 -4 -4.6Z"
                "M-5 -9.4H5L3 -6H-3Z"),
    "objective": Icon("M-6.4 -9.4H-3.8V9.4H-6.4ZM-3 -9L9 -4.6L-3 -0.2Z"),
    "hurt": Icon("M-4.6 -8L0.4 0L-4.6 8L-9.6 0ZM4.6 -8L9.6 0L4.6 8L-0.4 0Z"),
    "arrow-up": Icon("M0 -8L8.4 5.4H-8.4Z"),
    "arrow-down": Icon("M0 8L8.4 -5.4H-8.4Z"),
    "arrow-left": Icon("M-8 0L5.4 -8.4V8.4Z"),
    "arrow-right": Icon("M8 0L-5.4 -8.4V8.4Z"),
    # marks and doings
    "tick": Icon("", "M-7.6 0.6L-2.2 6L7.8 -5.6"),
    "cross": Icon("", "M-6.4 -6.4L6.4 6.4M6.4 -6.4L-6.4 6.4"),
    "plus": Icon("", "M-7 0H7M0 -7V7"),
    "minus": Icon("", "M-7 0H7"),
    "question": Icon(_disc(0, 7.4, 1.7), "M-4.6 -4.4C-4.6 -7.2 -2.6 -8.6 0 -8.6S4.8 -7 4.8 -4.6C4.8 -1.4 0 -1.2 0 3"),
    "undo": Icon("M-9.4 -3L-2.6 -8.6V2.6Z", "M-4 -3H3.4A5.4 5.4 0 0 1 3.4 7.6H-5"),
    "redo": Icon("M9.4 -3L2.6 -8.6V2.6Z", "M4 -3H-3.4A5.4 5.4 0 0 0 -3.4 7.6H5"),
    "menu": Icon("", "M-8 -6H8M-8 0H8M-8 6H8"),
    "more": Icon(_disc(-7, 0, 2.3) + _disc(0, 0, 2.3) + _disc(7, 0, 2.3)),
    "share": Icon("", "M-3.4 -1.6H-7.4V9H7.4V-1.6H3.4M0 4V-9M-4.2 -5L0 -9.2L4.2 -5"),
    "book": Icon("", "M0 -5.6C-2.6 -7.8 -6 -8 -9 -7.4V7C-6 6.4 -2.6 6.6 0 8.6"
                     "C2.6 6.6 6 6.4 9 7V-7.4C6 -8 2.6 -7.8 0 -5.6V8.6"),
    "gear": Icon(_star(9.8, 9, 0.74) + _disc(0, 0, 3.4)),
    "lock": Icon("M-7 -1.6H7V9H-7Z", "M-4.2 -2V-4.6A4.2 4.2 0 0 1 4.2 -4.6V-2"),
    "power": Icon("", "M-5 -6.4A8.2 8.2 0 1 0 5 -6.4M0 -9.4V-0.6"),
    "unsaved": Icon("M-6.5 -9H2.2L6.5 -4.7V9H-6.5ZM-1.3 -4.4V2.2H1.3V-4.4ZM-1.3 4.2V6.8H1.3V4.2Z"),
    "clock": Icon("", _disc(0, 0, 8.4) + "M0 -4.8V0L3.4 2.4"),
    "camera": Icon("M-9.4 -5.4H-5L-3.2 -8H3.2L5 -5.4H9.4V7.4H-9.4Z" + _disc(0, 0.8, 3.8)),
    "pencil": Icon("M-9 9L-7.6 3.4L3.6 -7.8L7.8 -3.6L-3.4 7.6ZM5 -9.2L6.2 -9.6L9.6 -6.2L9.2 -5Z"),
    "log": Icon("", "M-8 -6.4H8M-8 -0.4H8M-8 5.6H2"),
    "scales": Icon("M-9.4 2H-1.6C-1.8 4.4 -3.4 5.6 -5.5 5.6S-9.2 4.4 -9.4 2Z"
                   "M1.6 2H9.4C9.2 4.4 7.6 5.6 5.5 5.6S1.8 4.4 1.6 2Z",
                   "M0 -8.6V8.4M-5.4 8.4H5.4M-5.6 1.6V-5.4H5.6V1.6"),
    "speech": Icon("M-9 -8H9V4H0L-5 9V4H-9Z"),
    "letter": Icon("M-2.2 -9H2.2L9 9H5.2L3.5 4.4H-3.5L-5.2 9H-9ZM-2.3 1.2H2.3L0 -5.2Z"),
    "seats": Icon("M-9.6 -4.4L0 -9.6L9.6 -4.4ZM-9.6 4.4L0 9.6L9.6 4.4Z", "M-8 0H8"),
    "sound": Icon("M-9 -3.4H-5L0.6 -8.4V8.4L-5 3.4H-9Z", "M4 -3.6A5 5 0 0 1 4 3.6M6.8 -7A9.6 9.6 0 0 1 6.8 7"),
    "drop": Icon("M0 -9.6C3.4 -4.8 6.8 -1 6.8 3A6.8 6.8 0 0 1 -6.8 3C-6.8 -1 -3.4 -4.8 0 -9.6Z"),
    "sun": Icon(_star(9.6, 12, 0.62)),
    "moon": Icon("M3.6 -9.4A9.4 9.4 0 1 0 3.6 9.4A11.6 11.6 0 0 1 3.6 -9.4Z"),
    "star": Icon(_star(9.8, 5, 0.42)),
    "flower": Icon(_star(9.4, 6, 0.75)),
    "1": Icon(_disc(0, 0, 3.2)),
    "2": Icon(_disc(-5, 5, 3) + _disc(5, -5, 3)),
    "3": Icon(_disc(-6.2, 6.2, 2.8) + _disc(0, 0, 2.8) + _disc(6.2, -6.2, 2.8)),
    "4": Icon(_disc(-5.2, -5.2, 2.8) + _disc(5.2, -5.2, 2.8) + _disc(-5.2, 5.2, 2.8) + _disc(5.2, 5.2, 2.8)),
}  # fmt: skip


def icon_shape(name: str, centre: Point, half: float, colour: str) -> str:
    """Draw an icon as SVG about its middle, `half` being half its size; an unknown name draws nothing."""
    icon = ICONS.get(name)
    if icon is None:
        return ""
    scale = half / HALF
    fill = f'<path d="{icon.fill}" fill="{colour}" fill-rule="evenodd"/>' if icon.fill else ""
    line = (
        f'<path d="{icon.line}" fill="none" stroke="{colour}" stroke-width="{STROKE}" stroke-linecap="round" '
        f'stroke-linejoin="round"/>'
        if icon.line
        else ""
    )
    return f'<g transform="translate({centre[0]:.2f} {centre[1]:.2f}) scale({scale:.4f})">{fill}{line}</g>'
