"""What a step did between two pictures of a table, as motion tells it.

On a map: journeys of units, and areas cut off in order. On a field its bases travel, and in a duel the cards, each cut
out as it is shown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pygame

from companion.ui.screen import AreaPicture, MapPicture
from companion.view.page.canvas import Canvas
from companion.view.page.marks import Box, box_of
from companion.view.window.panes import Shown


@dataclass(frozen=True, slots=True)
class Journey:
    """Units of one kind that went from one area to another, and how many."""

    faction: str
    unit: str
    n: int
    start: str
    end: str


def journeys(before: MapPicture, after: MapPicture) -> tuple[Journey, ...]:
    """Return which units went where: those missing in one area and new in another, not any from the reserve."""
    was, now = _standing(before), _standing(after)
    return tuple(_matched(was - now, now - was))


Standing = Counter[tuple[str, tuple[str, str]]]
"""{(area, (faction, unit)): how many}."""


def _standing(picture: MapPicture) -> Standing:
    stacks = ((area.name, stack) for area in picture.areas for stack in area.stacks if stack.n)
    return Counter({(area, (stack.faction, stack.unit)): stack.n for area, stack in stacks})


def _matched(left: Standing, came: Standing) -> Iterator[Journey]:
    """Yield the ways of the units that left an area to where as many came, counting both down."""
    for end, kind in came:
        for start, other in left:
            n = min(came[end, kind], left[start, kind]) if other == kind else 0
            if n:
                left[start, kind] -= n
                came[end, kind] -= n
                yield Journey(*kind, n, start, end)


def gone_out(before: MapPicture, after: MapPicture) -> tuple[str, ...]:
    """Return the areas that have lost their supply but not their holder, those nearest to the break first."""
    was = {area.name: area for area in before.areas}
    both = [(was[area.name], area) for area in after.areas if area.name in was]
    dark = [area.name for old, area in both if _is_cut(old, area)]
    changed = [area.name for old, area in both if old.controller != area.controller]
    return tuple(sorted(dark, key=lambda name: _way(after, changed, name)))


def _is_cut(was: AreaPicture, now: AreaPicture) -> bool:
    kept = was.controller is not None and was.controller == now.controller
    return kept and was.supplied and not now.supplied


def _way(picture: MapPicture, sources: list[str], name: str) -> int:
    """Return how many borders lie between an area and the nearest one that changed hands."""
    board = picture.board
    reached, edge, steps = set(sources), set(sources), 0
    while edge and name not in reached:
        edge = {other for area in edge for other in board.area(area).adjacent} - reached
        reached |= edge
        steps += 1
    return steps


# ---- pieces of a field or a duel -----------------------------------------------------------------

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
        """The picture of the piece."""
        return _cut(self.canvas, self.outline)

    @property
    def box(self) -> Box:
        """The box that it moves in, in pixels."""
        box = outline_px(self.canvas, self.outline)
        one, other = (pygame.Rect(x - box.w / 2, y - box.h / 2, *box.size) for x, y in (self.start, self.end))
        return box_of(one.union(other))


def travels(old: Shown, new: Shown) -> Iterator[Travel]:
    """Yield the pieces that lie elsewhere now; new cards come from their side's piles, those that are gone go there."""
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
