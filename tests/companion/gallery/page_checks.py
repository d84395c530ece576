"""Checks of a page as a whole by code: it is not half empty, and one button alone has the accent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pygame

from companion.ui.screen import Block, Button, Buttons, Choice, Columns
from companion.view.blocks.buttons import drawn_look
from companion.view.kit.sheet import Rect
from companion.view.page.canvas import Canvas
from companion.view.window.knob_order import plain
from companion.view.window.panes import Shown

GRID = (40, 24)  # at so many points across and down a page is looked at
LEAST_COVERED = 0.5
FIELD = "a battlefield is broader than high: the room below it stays free"
NOTHING_YET = "a log of nothing: the game has just begun"
FEW = "few words and nothing to choose, beside the picture: a wide screen leaves half of it free"
HALF = "the words of a player's half, which has no room for a picture beside them"
SPARSE: Mapping[str, str] = {
    "battle_laying_ground": FIELD,
    "battle_scenarios": FIELD,
    "camera_lost_and_why": HALF,
    "dispute_settle_area": HALF,
    "end_of_a_battle": FIELD,
    "halves_end_of_a_battle": FIELD,
    "log_at_the_start_of_a_battle": NOTHING_YET,
    "log_at_the_start_of_a_duel": NOTHING_YET,
    "log_empty": NOTHING_YET,
    "own_battle_alone": FIELD,
    "own_battles_none": FIELD,
    "own_board": FEW,
    "own_draft": FEW,
    "power_under_way": "the last words before the screen goes dark",
    "review_failed": FEW,
    "saved_none": FEW,
    "stick_updating": FEW,
    "unsaved_touched": HALF,
}
"""Scenes that may be half empty, and why."""
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
        yield from (one.rect for one in sheet.targets)
        yield from (rect for _shapes, rect in sheet.grouped() if rect is not None)
        yield from (one.rect for one in sheet.photos)
        yield from (one.rect for one in sheet.backdrops)
        for label in sheet.labels:
            width = min(sheet.measure(label.text, label.size, label.bold), label.rect.w)
            shift = {"left": 0.0, "centre": 0.5, "right": 1.0}[label.align] * (label.rect.w - width)
            yield label.rect._replace(x=label.rect.x + shift, w=width)


def half_empty(one: Shown) -> list[str]:
    """Return what is wrong with a page of which more than half is void."""
    part = covered(one.canvas)
    return [f"only {part:.0%} of the page is filled"] if part < LEAST_COVERED else []


def accents(one: Shown) -> list[str]:
    """Return what is wrong where more than one button on a page asks to be the next touch."""
    seen = {target.intent.verb + target.intent.what for target in one.canvas.sheet.targets}
    filled = [
        button.label
        for button in (*one.pane.screen.actions, *_buttons(one.pane.screen.blocks))
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
    for number, one in enumerate(shown):
        asked = {plain(button.intent) for button in one.pane.screen.actions if button.intent.verb in CONFIRMING}
        half = number if len(shown) > 1 else int(one.pane.turned)
        if layout == "one" or len(shown) > 1:
            yield from ((half, one.box_px(t)) for t in one.canvas.sheet.targets if plain(t.intent) in asked)


def confirmed_elsewhere(shown: Sequence[Shown], size_px: tuple[int, int], layout: str) -> list[str]:
    """Return which buttons that confirm don't cover the place where all games have them, in one row with it."""
    found = []
    for half, box in confirming(shown, layout):
        place = pygame.Rect(CONFIRMED_AT[size_px, layout, half])
        if (box.y, box.h) != (place.y, place.h) or not box.contains(place):
            found.append(f"one confirms at {box}, not at {place}")
    return found
