"""Checks of a page as a whole by code: it is not half empty, and one button alone has the accent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from companion.ui.screen import Block, Button, Buttons, Choice, Columns
from companion.view.blocks.buttons import drawn_look
from companion.view.kit.sheet import Rect
from companion.view.page.canvas import Canvas
from companion.view.window.panes import Shown

GRID = (40, 24)  # at so many points across and down a page is looked at
LEAST_COVERED = 0.5
LEAST_UPRIGHT = 0.45  # of a portrait screen, whose words reach from side to side only in long lines
LEAST_OF_BAR = 0.36  # of a bar of 1920x480, on which few words fill a column
BAR = 3.0  # a page so much wider than high is a bar
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
    part, (wide, high) = covered(one.canvas), one.canvas.size_px
    least = LEAST_UPRIGHT if wide < high else LEAST_OF_BAR if wide >= BAR * high else LEAST_COVERED
    return [f"only {part:.0%} of the page is filled"] if part < least else []


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
