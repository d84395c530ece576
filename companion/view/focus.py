"""The focus: the one target that Enter would touch, moved over the screen by Tab and the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pygame

from companion.view.sheet import Target

ROW_PX = 24  # targets whose middles differ by less are in one row
ASIDE = 2.5  # what lies aside counts as so much farther away
WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Spot(NamedTuple):
    """A target, the number of its pane, and where it is on the upright screen."""

    pane: int
    target: Target
    box_px: pygame.Rect


def moved(spots: Sequence[Spot], at: Spot | None, key: str) -> Spot | None:
    """The spot that a key leads to from where the focus is; None where there is nothing to touch."""
    if not spots:
        return None
    inside = sorted(spots, key=lambda spot: (spot.pane, spot.box_px.centery // ROW_PX, spot.box_px.centerx))
    if at is None:
        return inside[-1] if key == "previous" else inside[0]
    if key in WAYS:
        return _beside(spots, at, WAYS[key]) or at
    places = [spot.box_px for spot in inside]
    number = places.index(at.box_px) if at.box_px in places else 0
    return inside[(number + (-1 if key == "previous" else 1)) % len(inside)]


def _beside(spots: Sequence[Spot], at: Spot, way: tuple[int, int]) -> Spot | None:
    """The nearest spot that way."""
    best: tuple[float, Spot] | None = None
    for spot in spots:
        dx, dy = spot.box_px.centerx - at.box_px.centerx, spot.box_px.centery - at.box_px.centery
        along, aside = dx * way[0] + dy * way[1], abs(dx * way[1]) + abs(dy * way[0])
        far = along + ASIDE * aside
        if along > 0 and (best is None or far < best[0]):
            best = (far, spot)
    return best[1] if best else None


def kept(spots: Sequence[Spot], at: Spot | None) -> Spot | None:
    """The same thing on a screen drawn anew, or what is nearest to where it was."""
    if at is None or not spots:
        return None
    same = [spot for spot in spots if spot.pane == at.pane and spot.target.intent == at.target.intent]
    return min(same or spots, key=lambda spot: pygame.Vector2(spot.box_px.center).distance_to(at.box_px.center))
