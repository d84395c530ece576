"""What travels between two pictures of a table: bases on a field, cards of a duel, each cut out as it is shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pygame

from companion.view.page.canvas import Canvas
from companion.view.page.marks import Box, box_of
from companion.view.window.panes import Shown

BOARD, UNIT, CARD, PILES, DIE = "board", "unit ", "card ", "piles ", "die "
"""Of the names of a sheet's pieces, how they begin."""
LEAST_PX = 3.0  # what moves less stays

Place = tuple[float, float]
Outline = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Travel:
    """A piece of a canvas within its outline, and the middles of both its places in pixels of the new picture."""

    canvas: Canvas
    outline: Outline
    start: Place
    end: Place

    @property
    def sprite(self) -> pygame.Surface:
        """What it looks like."""
        return _cut(self.canvas, self.outline)

    @property
    def box(self) -> Box:
        """Where it goes along."""
        box = outline_px(self.canvas, self.outline)
        one, other = (pygame.Rect(x - box.w / 2, y - box.h / 2, *box.size) for x, y in (self.start, self.end))
        return box_of(one.union(other))


def travels(old: Shown, new: Shown) -> Iterator[Travel]:
    """Yield the pieces that lie elsewhere now.

    A new card comes from its side's piles; one that is gone goes there.
    """
    was, now = old.canvas.sheet.pieces, new.canvas.sheet.pieces
    turned = old.pane.turned != new.pane.turned
    if BOARD not in was or BOARD not in now or not _lies_alike(old.canvas, new.canvas, turned):
        return
    for name, outline in now.items():
        before = was.get(name) or (was.get(_piles(name)) if name.startswith(CARD) else None)
        if name.startswith((UNIT, CARD)) and before is not None:
            places = _middle(old.canvas, before, turned), _middle(new.canvas, outline)
            yield from _travel(new.canvas, outline, places)
    for name, outline in was.items():
        if name.startswith(CARD) and name not in now and (piles := now.get(_piles(name))) is not None:
            places = _middle(old.canvas, outline, turned), _middle(new.canvas, piles)
            yield from _travel(old.canvas, outline, places)


def _lies_alike(old: Canvas, new: Canvas, turned: bool) -> bool:
    """Return whether the board is where it was on the glass, and as large as before."""
    before, after = old.sheet.pieces[BOARD], new.sheet.pieces[BOARD]
    sizes = [outline_px(canvas, outline).size for canvas, outline in ((old, before), (new, after))]
    return math.dist(*sizes) < LEAST_PX and math.dist(_middle(old, before, turned), _middle(new, after)) < LEAST_PX


def _travel(canvas: Canvas, outline: Outline, places: tuple[Place, Place]) -> Iterator[Travel]:
    """Yield the way of what lies inside an outline of a canvas; nothing where it stays."""
    if math.dist(*places) >= LEAST_PX:
        yield Travel(canvas, outline, *places)


def _piles(card: str) -> str:
    """Return the name of the piles of a card's side."""
    return PILES + card.split(" ")[1]


def outline_px(canvas: Canvas, outline: Outline) -> pygame.Rect:
    """Return the box around an outline, in pixels, as far as it is on the canvas."""
    k = canvas.px_per_pt
    xs, ys = zip(*outline, strict=True)
    left, top = math.floor(min(xs) * k), math.floor(min(ys) * k)
    box = pygame.Rect(left, top, math.ceil(max(xs) * k) - left, math.ceil(max(ys) * k) - top)
    return box.clip(((0, 0), canvas.size_px))


def _middle(canvas: Canvas, outline: Outline, turned: bool = False) -> Place:
    x, y = outline_px(canvas, outline).center
    return (canvas.size_px[0] - x, canvas.size_px[1] - y) if turned else (x, y)


def _cut(canvas: Canvas, outline: Outline) -> pygame.Surface:
    """Cut out what lies inside an outline (pixels with transparency)."""
    box, k = outline_px(canvas, outline), canvas.px_per_pt
    cut = pygame.Surface(box.size, pygame.SRCALPHA)
    pygame.draw.polygon(cut, (255, 255, 255, 255), [(x * k - box.x, y * k - box.y) for x, y in outline])
    cut.blit(canvas.paint(box), (0, 0), special_flags=pygame.BLEND_RGB_MULT)
    return cut
