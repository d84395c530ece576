"""A support board beside a simulated map: an invented layout, drawn our own way. No printed one looks like it.

Its spaces are named by the caller, as they are in games: "plan:1". Places are mm of the map it lies beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.plan import BoardPlan, Point, SpacePlan
from vision.simulation.art_sheet import ArtSheet, ArtStyle, Image
from vision.simulation.board_art import draw_space

LENGTH_MM, DEPTH_MM, GAP_MM = (175.0, 240.0), (62.0, 90.0), (4.0, 16.0)
TRACK = 0.3
"""The part of its length that the round track and the standby areas take."""
WORDS_MM = 2.6


@dataclass(frozen=True, slots=True)
class SupportBoard:
    """A support board: its top left corner, its size, and its spaces with their middles."""

    at_mm: Point
    size_mm: Point
    spaces: tuple[tuple[str, Point], ...]

    @property
    def corners_mm(self) -> list[Point]:
        """The board's corners TL, TR, BR, BL."""
        (x, y), (across, down) = self.at_mm, self.size_mm
        return [(x, y), (x + across, y), (x + across, y + down), (x, y + down)]

    def has_near(self, at_mm: Point, room_mm: float) -> bool:
        """Return whether a place is on the board or within `room_mm` of it."""
        beyond = [max(low - v, v - low - side) for v, low, side in zip(at_mm, self.at_mm, self.size_mm, strict=True)]
        return max(beyond) < room_mm

    def moved(self, by_mm: Point) -> SupportBoard:
        """Return the board moved on the table by (x, y) mm."""
        x, y = by_mm
        spaces = tuple((name, (at[0] + x, at[1] + y)) for name, at in self.spaces)
        return SupportBoard((self.at_mm[0] + x, self.at_mm[1] + y), self.size_mm, spaces)

    def joined_to(self, plan: BoardPlan) -> BoardPlan:
        """Return the map's plan with this board's spaces added, for placing commanders."""
        return replace(plan, spaces=plan.spaces + tuple(SpacePlan(name, "", at) for name, at in self.spaces))


def support_beside(plan: BoardPlan, names: Sequence[str], rng: np.random.Generator) -> SupportBoard:
    """Return a support board with these spaces along one side of the map, each action's in a line away from it."""
    length, depth, gap = (float(rng.uniform(*span)) for span in (LENGTH_MM, DEPTH_MM, GAP_MM))
    upright, before = bool(rng.integers(2)), bool(rng.integers(2))
    along, across = (plan.size_mm[1], plan.size_mm[0]) if upright else plan.size_mm
    begin = float(rng.uniform(-0.1, 0.1)) * along + (along - length) / 2
    beside = -gap - depth if before else across + gap
    actions = list(dict.fromkeys(name.partition(":")[0] for name in names))
    spaces = []
    for name in names:
        mates = [other for other in names if other.partition(":")[0] == name.partition(":")[0]]
        place = length * (1 - TRACK) * (actions.index(name.partition(":")[0]) + 0.55) / len(actions)
        down = depth * (mates.index(name) + 0.65) / (len(mates) + 0.3)
        spaces.append((name, (begin + place, beside + down)))

    def turned(at: Point) -> Point:
        return (at[1], at[0]) if upright else at

    corner, size = turned((begin, beside)), turned((length, depth))
    return SupportBoard(corner, size, tuple((name, turned(at)) for name, at in spaces))


def draw_support(support: SupportBoard, plan: BoardPlan, style: ArtStyle, px_per_mm: float) -> Image:
    """Draw the empty support board, flat, (height, width, 3) uint8 blue-green-red at `px_per_mm`."""
    x, y = support.at_mm
    across, down = support.size_mm
    sheet = ArtSheet(replace(plan, size_mm=support.size_mm, areas=(), spaces=()), style, px_per_mm)
    sheet.fill([(3, 3), (across - 3, 3), (across - 3, down - 3), (3, down - 3)], style.land_bgr[0])
    for name, at in support.spaces:
        middle = at[0] - x, at[1] - y
        draw_space(sheet, SpacePlan(name, "", middle))
        sheet.text(name.replace(":", " "), (middle[0] - 9, middle[1] + plan.space_side_mm + 6), WORDS_MM, style.ink_bgr)
    upright = down > across
    for step in range(4):  # the round track, and a standby area for each side
        along = (1 - TRACK / 2) * (down if upright else across)
        aside = (step + 0.6) * (across if upright else down) / 4.2
        sheet.disc((aside, along) if upright else (along, aside), 5.5, style.paper_bgr)
        sheet.disc((aside, along) if upright else (along, aside), 5.5, style.ink_bgr, 0.4)
    sheet.text("drawn", (6.0, 8.5), WORDS_MM, style.ink_bgr)
    return sheet.image
