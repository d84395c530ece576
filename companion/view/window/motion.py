"""Motion that explains a step, never longer than MOST_S.

On the map units slide from where they came, others fade, and what is cut off goes out along its chain; beside
it dice land. On a field bases slide, and in a duel cards, from and to their piles.

The picture that is shown at the end is drawn already. Until then the one before lies over it, fainter and
fainter, and the units that move are drawn on top.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import pygame

from companion.ui.screen import Intent, MapPicture
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import piece, sign
from companion.view.kit.theme import Theme
from companion.view.page.canvas import Canvas, draw_sprite
from companion.view.page.marks import Box, Mark, Picture, box_of, changed_boxes
from companion.view.window.panes import Shown
from companion.view.window.travels import DIE, Journey, Place, gone_out, journeys, outline_px, travels

MOST_S = 0.36
SLOW_S = 0.04  # a frame that takes longer is too slow to explain anything
SLOW_FRAMES = 3  # after so many in a row, motion is off
PIECE_PART = 0.2  # half a unit, as a part of the height of the lowest area
DROP = 0.6  # how much larger a die is as it begins to fall
TILT_DEG = 24.0
GLOW_S = 0.12  # how long an area lights up as it goes out

MOST_TRAVELS = 16  # more at once explain nothing


@dataclass(frozen=True, slots=True)
class Flight:
    """What moves in one pane: what was there before, units with both places, areas that go out, and dice."""

    before: tuple[tuple[Box, pygame.Surface], ...] = ()
    sprites: tuple[tuple[pygame.Surface, Place, Place], ...] = ()
    outs: tuple[Place, ...] = ()
    cut: pygame.Surface | None = None
    dice: tuple[tuple[pygame.Surface, Place], ...] = ()

    def marks(self, part: float) -> Iterator[Mark]:
        """Yield what lies over a pane's new picture when this part (0 to 1) of the time has passed."""
        for box, picture in self.before:
            yield Picture(box, picture, round(255 * (1 - part)))
        for sprite, start, end in self.sprites:
            along = 1 - (1 - part) ** 2  # it slows down as it arrives
            x, y = (first + (last - first) * along for first, last in zip(start, end, strict=True))
            yield _centred(sprite, (x, y))
        for die, place in self.dice:
            yield _centred(pygame.transform.rotozoom(die, TILT_DEG * (1 - part), 1 + DROP * (1 - part) ** 2), place)
        for n, place in enumerate(self.outs):
            begins = n / max(len(self.outs), 1) * (1 - GLOW_S / MOST_S)
            if self.cut is not None and begins <= part <= begins + GLOW_S / MOST_S:
                yield _centred(self.cut, place)


def _centred(picture: pygame.Surface, place: Place) -> Picture:
    return Picture(box_of(picture.get_rect(center=place)), picture, 255)


@dataclass(slots=True)
class Motion:
    """Everything in motion on the glass, by pane; times are monotonic. slow: how many frames in a row were too slow."""

    flights: dict[int, Flight] = field(default_factory=dict)
    began_s: float = 0.0
    slow: int = 0

    @property
    def asleep(self) -> bool:
        """Whether motion is off, as frames take too long on this machine."""
        return self.slow >= SLOW_FRAMES

    def begin(self, before: Sequence[Shown], after: Sequence[Shown], look: Theme, now_s: float) -> None:
        """Start the motion from the old pictures of the panes to the new ones, unless it is off; any before is over."""
        self.flights = {}
        if self.asleep:
            return
        for n, (old, new) in enumerate(zip(before, after, strict=False)):
            flight = flight_between(old, new, look)
            if flight is not None:
                self.flights[n] = flight
        self.began_s = now_s

    def stop(self) -> None:
        """End all motion at once, with everything where it was going."""
        self.flights = {}

    def moves(self, now_s: float) -> bool:
        """Return whether anything is on its way, ending what has taken long enough."""
        if self.flights and now_s - self.began_s >= MOST_S:
            self.stop()
        return bool(self.flights)

    def marks(self, number: int, now_s: float) -> Iterator[Mark]:
        """Return what lies over a pane's picture at this moment."""
        flight = self.flights.get(number)
        part = (now_s - self.began_s) / MOST_S
        return iter(()) if flight is None or part >= 1 else flight.marks(max(0.0, part))

    def record_frame(self, took_s: float) -> None:
        """Record how long a frame took; after several slow ones in a row, motion is switched off."""
        self.slow = self.slow + 1 if took_s > SLOW_S else 0
        if self.asleep:
            self.stop()


def flight_between(old: Shown, new: Shown, look: Theme) -> Flight | None:
    """Return what moves between two pictures of a pane; None if nothing is to move."""
    if not _lie_alike(old, new):
        return None
    dice = tuple(_landing(old.canvas, new.canvas))
    flight = _over_map(old, new, look) or _over_table(old, new)
    if flight is None:
        return Flight(dice=dice) if dice else None
    return replace(flight, dice=dice)


def _landing(old: Canvas, new: Canvas) -> Iterator[tuple[pygame.Surface, Place]]:
    """Yield the dice that are known now and were not before, with the middles of their places."""
    for name, outline in new.sheet.pieces.items():
        if name.startswith(DIE) and name not in old.sheet.pieces:
            box = outline_px(new, outline)
            yield new.paint(box), box.center


def _over_map(old: Shown, new: Shown, look: Theme) -> Flight | None:
    """Return what moves over the map of a pane; None without a map, or where all of it stays."""
    before, after = _map_of(old), _map_of(new)
    if before is None or after is None or before.board != after.board:
        return None
    moved, outs = journeys(before, after), gone_out(before, after)
    if not moved and not outs:
        return None
    k = new.canvas.px_per_pt
    half = PIECE_PART * min(_height(new.canvas, area.name) for area in after.areas)
    sprites = tuple(
        (_sprite(journey, look, half, k), _middle(new.canvas, journey.start), _middle(new.canvas, journey.end))
        for journey in moved
    )
    places = tuple(_middle(new.canvas, name) for name in outs)
    return Flight(_faded(old, new, _map_box(new.canvas)), sprites, places, _cut_sign(look, half * 0.8, k))


def _over_table(old: Shown, new: Shown) -> Flight | None:
    """Return what moves over a field or between the cards of a duel; None where all of it stays."""
    moved = tuple(travels(old, new))
    if not moved or len(moved) > MOST_TRAVELS:
        return None
    boxes = [pygame.Rect(travel.box) for travel in moved]
    faded = _faded(old, new, boxes[0].unionall(boxes[1:]).clip(((0, 0), new.canvas.size_px)))
    return Flight(faded, tuple((travel.sprite, travel.start, travel.end) for travel in moved))


def _faded(old: Shown, new: Shown, box: pygame.Rect) -> tuple[tuple[Box, pygame.Surface], ...]:
    """Return what was in a box where it changes: all of it, where the board was turned."""
    if old.pane.turned != new.pane.turned:
        return ((box_of(box), pygame.transform.rotate(old.canvas.paint(), 180).subsurface(box).copy()),)
    changed = changed_boxes(old.canvas.marks, new.canvas.marks, box)
    return tuple((box_of(part), old.canvas.paint(part)) for part in changed)


def _lie_alike(old: Shown, new: Shown) -> bool:
    """Return whether the board lies on the glass as before."""
    one, other = old.pane, new.pane
    turned = 180 if one.turned != other.turned else 0  # where the letters turn round, the board in the pane does too
    alike = one.rect_px == other.rect_px and (one.turn - other.turn) % 360 == turned
    return alike and old.canvas is not new.canvas


def _map_of(shown: Shown) -> MapPicture | None:
    pane = shown.pane
    return pane.between if isinstance(pane.between, MapPicture) else pane.screen.map


def _outline(canvas: Canvas, area: str) -> Iterator[tuple[float, float]]:
    wanted = Intent("area", area)
    return (point for target in canvas.sheet.targets if target.intent == wanted for point in target.outline)


def _map_box(canvas: Canvas) -> pygame.Rect:
    """Return where the areas are on a canvas, in pixels."""
    boxes = [
        canvas.box_px(target) for target in canvas.sheet.targets if target.intent.verb == "area" and target.outline
    ]
    return boxes[0].unionall(boxes[1:]).clip(((0, 0), canvas.size_px))


def _middle(canvas: Canvas, area: str) -> tuple[float, float]:
    """Return the middle of an area on a canvas, in pixels."""
    xs, ys = zip(*_outline(canvas, area), strict=True)
    k = canvas.px_per_pt
    return (min(xs) + max(xs)) / 2 * k, (min(ys) + max(ys)) / 2 * k


def _height(canvas: Canvas, area: str) -> float:
    """Return the height of an area, in points."""
    ys = [y for _x, y in _outline(canvas, area)]
    return max(ys) - min(ys)


@lru_cache(maxsize=32)
def _sprite(journey: Journey, look: Theme, half: float, px_per_pt: float) -> pygame.Surface:
    """Draw units as they are drawn on the map, with their number."""
    sheet = Sheet(Lettering(px_per_pt), px_per_pt, look)
    side = half * 4
    piece(sheet, journey.faction, journey.unit, ((side / 2, side / 2), half))
    box = Rect(side / 2 - half, side / 2 - half * 1.06, 2 * half, 2 * half)
    sheet.label(box, str(journey.n), (look.sides[journey.faction].text, half * 1.4, True), "centre")
    return draw_sprite(sheet, side)


@lru_cache(maxsize=4)
def _cut_sign(look: Theme, half: float, px_per_pt: float) -> pygame.Surface:
    """Draw the broken link that marks what is cut off."""
    sheet = Sheet(Lettering(px_per_pt), px_per_pt, look)
    side = half * 4
    sheet.disc((side / 2, side / 2), half, look.glow.bad, look.ink, 1.6)
    sign(sheet, "cut", ((side / 2, side / 2), half * 0.66), look.ink)
    return draw_sprite(sheet, side)
