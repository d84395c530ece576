"""Checks of a drawn screen by code: nothing cut off, nothing over another, everything large enough to touch.

Each check gives sentences, one for each fault. A canvas is what `companion.view.canvas.draw` gives: its sheet knows
every label and every target in points.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import pygame

from companion.view.canvas import Canvas
from companion.view.lettering import Lettering
from companion.view.sheet import Label, Target

TARGET_MM = 12.0
MM_PER_INCH = 25.4
SMALLEST_PT = 8.0  # letters under this are unreadable beside a table
PANEL_INCHES = 7.0  # of the panel that the layouts are made for


def faults(canvas: Canvas, diagonal_inches: float = PANEL_INCHES) -> list[str]:
    """What is wrong with a drawn screen, in words."""
    pixels_a_mm = px_per_mm(canvas.surface.get_size(), diagonal_inches)
    return [*misplaced(canvas), *(fault for layer in _layers(canvas) for fault in too_small(layer, pixels_a_mm))]


def misplaced(canvas: Canvas) -> list[str]:
    """What does not fit, or lies on something else."""
    return [fault for layer in _layers(canvas) for fault in (*cut_off(layer), *on_top(layer), *crossing(layer))]


def _layers(canvas: Canvas) -> Iterator[Canvas]:
    for sheet in canvas.sheet.layers():
        yield replace(canvas, sheet=sheet)


def px_per_mm(size_px: tuple[int, int], diagonal_inches: float) -> float:
    """Pixels a millimetre on a screen of that size and diagonal."""
    return math.hypot(*size_px) / (diagonal_inches * MM_PER_INCH)


def ink(canvas: Canvas, label: Label) -> pygame.Rect:
    """Where a label's letters are, in pixels, without the empty edges of their line."""
    place = Lettering(canvas.px_per_pt).place_px(label)
    return place.inflate(-2, -round(place.h * 0.4))


def cut_off(canvas: Canvas) -> list[str]:
    """Labels that leave their box or the screen, were cut to fit, or set too small to read."""
    whole = canvas.surface.get_rect()
    found = []
    for label in canvas.sheet.labels:
        box = pygame.Rect(*(round(value * canvas.px_per_pt) for value in label.rect)).inflate(2, 4)
        place = Lettering(canvas.px_per_pt).place_px(label)
        if not box.contains(ink(canvas, label)) or not whole.contains(place):
            found.append(f"{label.text!r} does not fit its box")
        if label.text.endswith("…") or label.size < SMALLEST_PT:
            found.append(f"{label.text!r} was cut or set too small")
    return found


def on_top(canvas: Canvas) -> list[str]:
    """Labels over one another."""
    places = [(label, ink(canvas, label)) for label in canvas.sheet.labels]
    return [
        f"{one.text!r} lies on {other.text!r}"
        for (one, place), (other, other_place) in itertools.combinations(places, 2)
        if place.colliderect(other_place)
    ]


def too_small(canvas: Canvas, pixels_a_mm: float) -> list[str]:
    """Targets that are narrower or lower than a fingertip."""
    found = []
    for target in canvas.sheet.targets:
        wide, high = (side * canvas.px_per_pt / pixels_a_mm for side in (target.rect.w, target.rect.h))
        if min(wide, high) < TARGET_MM - 0.05:
            found.append(f"{told(target)} is only {wide:.1f} by {high:.1f} mm")
    return found


def told(target: Target) -> str:
    """What a target is for, shortly."""
    return " ".join(part for part in (target.intent.verb, target.intent.what, target.intent.seat) if part)


def crossing(canvas: Canvas) -> list[str]:
    """Targets over one another, off the map: there the nearer space lies over its area on purpose."""
    return [f"{told(one)} lies on {told(other)}" for one, other in _overlapping(canvas)]


def _overlapping(canvas: Canvas) -> Iterator[tuple[Target, Target]]:
    flat = [target for target in canvas.sheet.targets if not target.outline]
    for one, other in itertools.combinations(flat, 2):
        first, second = (pygame.Rect(*map(round, target.rect)).inflate(-2, -2) for target in (one, other))
        if first.colliderect(second):
            yield one, other
