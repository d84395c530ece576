"""Checks of a page as a whole by code: it is not half empty, and one button alone has the accent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pygame

from companion.ui.screen import Block, Button, Buttons, Choice, Columns
from companion.view.blocks.buttons import drawn_look
from companion.view.kit.sheet import Rect
from companion.view.page.canvas import Canvas
from companion.view.window.panes import Shown
from companion.view.window.taps import plain

GRID = (40, 24)  # at so many points across and down a page is looked at
LEAST_COVERED = 0.5
LEAST_UPRIGHT = 0.45  # of a portrait screen, whose words reach from side to side only in long lines
LEAST_OF_BAR = 0.36  # of a bar of 1920x480, on which few words fill a column
BAR = 3.0  # a page so much wider than high is a bar
CONFIRMING = frozenset({"confirm", "take", "accept", "announce", "record", "agree", "resolved", "did"})
"""What is said to a form or an offer; none of it is what an idle turn has besides, like a pass."""
CONFIRMED_AT: Mapping[tuple[tuple[int, int], str, int], tuple[int, int, int, int]] = {
    ((800, 480), "one", 0): (685, 409, 107, 63),
    ((800, 480), "two", 0): (152, 409, 76, 63),
    ((800, 480), "two", 1): (572, 8, 76, 63),
    ((1280, 720), "one", 0): (1099, 609, 169, 99),
    ((1280, 720), "two", 0): (246, 609, 119, 99),
    ((1280, 720), "two", 1): (915, 12, 119, 99),
    ((720, 1280), "one", 0): (539, 1169, 169, 99),
    ((720, 1280), "two", 0): (539, 1169, 169, 99),
    ((720, 1280), "two", 1): (12, 12, 169, 99),
}
"""{(size, layout, half): where one confirms in all games}, in pixels; a button may be wider, not higher."""
WHOLE = 0.9  # a box that covers more of the page than that is its frame


def covered(canvas: Canvas) -> float:
    """Return the part of a page that plates, pictures and words cover, and the narrow gaps between them."""
    wide, high = (side / canvas.px_per_pt for side in canvas.size_px)
    boxes = [box.shrunk(-canvas.sheet.gap) for box in _boxes(canvas) if box.w * box.h < WHOLE * wide * high]
    xs, ys = ((np.arange(count) + 0.5) / count * side for count, side in zip(GRID, (wide, high), strict=True))
    held = np.zeros(GRID, bool)
    for box in boxes:
        held |= np.outer((box.x <= xs) & (xs < box.right), (box.y <= ys) & (ys < box.bottom))
    return float(held.mean())


def _boxes(canvas: Canvas) -> Iterator[Rect]:
    for sheet in canvas.sheet.layers():
        yield from (target.rect for target in sheet.targets)
        yield from (rect for _shapes, rect in sheet.grouped() if rect is not None)
        yield from (photo.rect for photo in sheet.photos)
        yield from (backdrop.rect for backdrop in sheet.backdrops)
        for label in sheet.labels:
            width = min(sheet.measure(label.text, label.size, label.bold), label.rect.w)
            shift = {"left": 0.0, "centre": 0.5, "right": 1.0}[label.align] * (label.rect.w - width)
            yield label.rect._replace(x=label.rect.x + shift, w=width)


def half_empty(shown_pane: Shown) -> list[str]:
    """Return what is wrong with a page of which more than half is void."""
    part, (wide, high) = covered(shown_pane.canvas), shown_pane.canvas.size_px
    least = LEAST_UPRIGHT if wide < high else LEAST_OF_BAR if wide >= BAR * high else LEAST_COVERED
    return [f"only {part:.0%} of the page is filled"] if part < least else []


def accents(shown_pane: Shown) -> list[str]:
    """Return what is wrong where more than one button on a page asks to be the next touch."""
    seen = {target.intent.verb + target.intent.what for target in shown_pane.canvas.sheet.targets}
    filled = [
        button.label
        for button in (*shown_pane.pane.screen.actions, *_buttons(shown_pane.pane.screen.blocks))
        if drawn_look(button) == "primary" and button.intent.verb + button.intent.what in seen
    ]
    return [f"the accent is on {len(filled)} buttons: {filled}"] if len(filled) > 1 else []


def _buttons(blocks: Sequence[Block]) -> Iterator[Button]:
    for block in blocks:
        if isinstance(block, Buttons | Choice):
            yield from block.buttons
        elif isinstance(block, Columns):
            yield from _buttons((*block.left, *block.right))


def confirming(shown: Sequence[Shown], layout: str) -> Iterator[tuple[int, pygame.Rect]]:
    """Yield the number of the half, and the place on the glass, of each button that confirms at a table."""
    for number, shown_pane in enumerate(shown):
        asked = {plain(button.intent) for button in shown_pane.pane.screen.actions if button.intent.verb in CONFIRMING}
        half = number if len(shown) > 1 else int(shown_pane.pane.turned)
        if layout == "one" or len(shown) > 1:
            yield from (
                (half, shown_pane.box_px(t)) for t in shown_pane.canvas.sheet.targets if plain(t.intent) in asked
            )


def confirmed_elsewhere(shown: Sequence[Shown], size_px: tuple[int, int], layout: str) -> list[str]:
    """Return which buttons that confirm don't cover the place where all games have them, in one row with it."""
    found = []
    for half, box in confirming(shown, layout):
        place = pygame.Rect(CONFIRMED_AT[size_px, layout, half])
        if (box.y, box.h) != (place.y, place.h) or not box.contains(place):
            found.append(f"one confirms at {box}, not at {place}")
    return found
