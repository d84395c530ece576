"""The focus: the one target that Enter would touch, moved over the screen by Tab and the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pygame

from companion.view.kit.sheet import Target

ROW_PX = 24  # targets whose middles differ by less are in one row
ASIDE = 2.5  # what lies aside counts as so much farther away
MIDDLES = 0.01
WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class FocusSpot(NamedTuple):
    """A target, the number of its pane, and where it is on the upright screen."""

    pane: int
    target: Target
    box_px: pygame.Rect


def next_spot(spots: Sequence[FocusSpot], at: FocusSpot | None, key: str) -> FocusSpot | None:
    """Return the spot that a key leads to from where the focus is; None where there is nothing to touch."""
    if not spots:
        return None
    inside = sorted(spots, key=lambda spot: (spot.pane, spot.box_px.centery // ROW_PX, spot.box_px.centerx))
    if at is None:
        return inside[-1] if key == "previous" else inside[0]
    if key in WAYS:
        way = WAYS[key]
        ahead = [spot for spot in spots if _along(at.box_px, spot.box_px, way) > 0]
        return min(ahead, key=lambda spot: _distance(at.box_px, spot.box_px, way), default=at)
    places = [spot.box_px for spot in inside]
    number = places.index(at.box_px) if at.box_px in places else 0
    return inside[(number + (-1 if key == "previous" else 1)) % len(inside)]


def _along(one: pygame.Rect, other: pygame.Rect, way: tuple[int, int]) -> int:
    """Return how far the middle of the other rectangle lies that way, in pixels."""
    return (other.centerx - one.centerx) * way[0] + (other.centery - one.centery) * way[1]


def _distance(one: pygame.Rect, other: pygame.Rect, way: tuple[int, int]) -> float:
    """Return how far the other rectangle is: the gap between both, more for a gap aside.

    Their middles break a tie.
    """
    across = max(other.left - one.right, one.left - other.right, 0)
    down = max(other.top - one.bottom, one.top - other.bottom, 0)
    along, aside = (across, down) if way[0] else (down, across)
    return along + ASIDE * aside + MIDDLES * _along(one, other, way)


def nearest_spot(spots: Sequence[FocusSpot], at: FocusSpot | None) -> FocusSpot | None:
    """Return the same thing after a redraw, or what is nearest to where it was.

    None without a focus, and where there is nothing to touch.
    """
    if at is None or not spots:
        return None
    same = [spot for spot in spots if spot.pane == at.pane and spot.target.intent == at.target.intent]
    return min(same or spots, key=lambda spot: pygame.Vector2(spot.box_px.center).distance_to(at.box_px.center))
