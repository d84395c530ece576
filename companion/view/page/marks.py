"""What a picture is made of: marks in pixels, each where it lies, drawn once and kept as long as it is in use.

A picture is its marks laid over one another in order. So what two pictures differ in is known from their marks alone,
and only there is anything painted again.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, Protocol

import pygame

from companion.view.kit.lettering import Lettering, letters
from companion.view.kit.sheet import Label
from intake.errors import Unreadable
from intake.pictures import PNG, check_picture

Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""
Laid = tuple[pygame.Surface, tuple[int, int]]
"""A picture, and how far right of and below the corner of its mark's box it lies."""

LIT = 60  # of 255: how opaque the white is over what a finger is on
MOST_PHOTO_PX = 4096  # across: photos that are shown were made small by us
KEPT_BYTES = 24_000_000  # of drawn shapes: a table's picture on a screen of 1280×720 takes a third of it
GROUND_BYTES = 16_000_000  # of grounds: between two players a field has four, on a screen of 1280×720 6 MB in all


class Mark(Protocol):
    """Something that is drawn: equal marks look the same."""

    @property
    def box(self) -> Box:
        """The rectangle that the mark covers, in pixels."""

    def surfaces(self) -> Sequence[Laid]:
        """Return the mark's pictures, each with its offset inside the box."""


class Shapes(NamedTuple):
    """SVG shapes in points of so many pixels, as far as they lie in the box."""

    box: Box
    svg: str
    px_per_pt: float

    def surfaces(self) -> Sequence[Laid]:
        """Return the shapes, drawn once and kept."""
        return ((_SPRITES.get(self, lambda: _raster(self)), (0, 0)),)


class Words(NamedTuple):
    """A line of text."""

    box: Box
    text: str
    size_px: int
    bold: bool
    colour: str
    face: str = ""

    def surfaces(self) -> Sequence[Laid]:
        """Return the line's pictures: one for each sign if it is all figures, else one for each part in one script."""
        return letters(self.text, self.size_px, self.bold, self.colour, self.face)


@lru_cache(maxsize=2048)
def words_of(label: Label, px_per_pt: float, heading: str = "") -> Words | None:
    """Return the mark of a label's text; None if it is too narrow to be drawn. heading: as for `Lettering`."""
    lettering = Lettering(px_per_pt, heading)
    place = lettering.place_px(label)
    if not place.w:
        return None  # the library refuses to draw it
    return Words(box_of(place), label.text, lettering.size_px(label), label.bold, label.colour,
                 lettering.face(label.text, label.size, label.bold))  # fmt: skip


class Photo(NamedTuple):
    """A picture file (JPEG or PNG) stretched to the box."""

    box: Box
    data: bytes

    def surfaces(self) -> Sequence[Laid]:
        """Decode the photo for drawing; return nothing if its data is broken."""
        picture = _scaled(self.data, self.box[2:])
        return () if picture is None else ((picture, (0, 0)),)


class Glow(NamedTuple):
    """Light over what a finger is on: within its outline (from the corner of the box), or a box with round corners."""

    box: Box
    outline: tuple[tuple[float, float], ...]
    radius: int

    def surfaces(self) -> Sequence[Laid]:
        """Return the glow: translucent white in its outline or box."""
        glow = pygame.Surface(self.box[2:], pygame.SRCALPHA)
        if self.outline:
            pygame.draw.polygon(glow, (255, 255, 255, LIT), self.outline)
        else:
            pygame.draw.rect(glow, (255, 255, 255, LIT), glow.get_rect(), border_radius=self.radius)
        return ((glow, (0, 0)),)


class Ring(NamedTuple):
    """The ring around the focus: lines (colour, width in pixels) over one another, along an outline or else the box."""

    box: Box
    outline: tuple[tuple[int, int], ...]
    lines: tuple[tuple[str, int], ...]
    radius: int

    def surfaces(self) -> Sequence[Laid]:
        """Return the ring on a transparent ground."""
        ring = pygame.Surface(self.box[2:], pygame.SRCALPHA)
        widest = max(width for _colour, width in self.lines)
        for colour, width in self.lines:
            if self.outline:
                pygame.draw.lines(ring, colour, True, self.outline, width)
            else:
                box = ring.get_rect().inflate(width - widest, width - widest)
                pygame.draw.rect(ring, colour, box, width, border_radius=self.radius)
        return ((ring, (0, 0)),)


class Picture(NamedTuple):
    """Pixels shown for a moment of motion. strength: how opaque they are, 0 to 255."""

    box: Box
    pixels: pygame.Surface
    strength: int

    def surfaces(self) -> Sequence[Laid]:
        """Return the pixels, as opaque as `strength` says."""
        self.pixels.set_alpha(self.strength)
        return ((self.pixels, (0, 0)),)


class Ground(NamedTuple):
    """What lies under all marks: shapes that seldom change, on pictures and the page's own ground.

    cloth: the page's ground as SVG, on its colour; backdrops: picture files, each with the box that it fills.
    """

    shapes: str
    size_px: tuple[int, int]
    px_per_pt: float
    colour: str
    cloth: str = ""
    backdrops: tuple[tuple[Box, str], ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is the page's colour and nothing else."""
        return not (self.shapes or self.cloth or self.backdrops)


def box_of(rect: pygame.Rect) -> Box:
    """Return a rectangle as the box of a mark."""
    return rect.x, rect.y, rect.w, rect.h


def paint(onto: pygame.Surface, ground: Ground, marks: Sequence[Mark], part: pygame.Rect) -> None:
    """Paint a part of a picture onto a surface as large as that part."""
    if not ground.is_plain:
        onto.blit(_painted_ground(ground), (0, 0), part)
    else:
        onto.fill(ground.colour)
    for number in part.collidelistall([mark.box for mark in marks]):
        mark = marks[number]
        x, y = mark.box[0] - part.x, mark.box[1] - part.y
        onto.blits([(picture, (x + right, y + down)) for picture, (right, down) in mark.surfaces()], False)


def prepare(ground: Ground, marks: Sequence[Mark]) -> Iterator[None]:
    """Draw a picture's ground and marks ahead of time, one at each step, so that painting it later is quick."""
    if not ground.is_plain:
        _painted_ground(ground)
        yield
    for mark in marks:
        mark.surfaces()
        yield


def changed_boxes(before: Sequence[Mark], after: Sequence[Mark], whole: pygame.Rect) -> list[pygame.Rect]:
    """Return where two pictures on the same ground may differ: boxes within the whole, none of which overlap.

    Outside the boxes of marks that only one of them has, both look the same; if the marks they share are not in the
    same order, that is the whole.
    """
    had, has = set(before), set(after)
    if [mark for mark in before if mark in has] != [mark for mark in after if mark in had]:
        return [whole.copy()]
    return _apart(pygame.Rect(mark.box).clip(whole) for mark in had ^ has)


def _apart(boxes: Iterable[pygame.Rect]) -> list[pygame.Rect]:
    """Return boxes that cover all of these, those that overlap as one."""
    found: list[pygame.Rect] = []
    for rect in boxes:
        box = rect.copy()
        if not box.w or not box.h:
            continue
        while (number := box.collidelist(found)) >= 0:
            box.union_ip(found.pop(number))
        found.append(box)
    return found


# ---- pixels that are kept -----------------------------------------------------------------------


class Sprites:
    """A cache of pictures by what they show, which drops the least recently used ones when it is full."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.held_bytes = 0
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def get(self, what: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the picture kept for `what`, or make and keep it, dropping the least recently used ones when full."""
        picture = self._kept.get(what)
        if picture is not None:
            self._kept.move_to_end(what)
            return picture
        picture = self._kept[what] = make()
        self.held_bytes += _bytes_of(picture)
        while self.held_bytes > self.most_bytes and len(self._kept) > 1:
            self.held_bytes -= _bytes_of(self._kept.popitem(last=False)[1])
        return picture


def _bytes_of(picture: pygame.Surface) -> int:
    return picture.get_pitch() * picture.get_height()


_SPRITES, _GROUNDS = Sprites(KEPT_BYTES), Sprites(GROUND_BYTES)


def _painted_ground(ground: Ground) -> pygame.Surface:
    return _GROUNDS.get(ground, lambda: _paint_ground(ground))


def _paint_ground(ground: Ground) -> pygame.Surface:
    surface = pygame.Surface(ground.size_px)
    surface.fill(ground.colour)
    whole = 0, 0, *ground.size_px
    if ground.cloth:
        surface.blit(_raster(Shapes(whole, ground.cloth, ground.px_per_pt)), (0, 0))
    for box, path in ground.backdrops:
        with suppress(pygame.error, OSError):  # removed or damaged since: the page's ground shows
            surface.blit(pygame.transform.smoothscale(pygame.image.load(path).convert(surface), box[2:]), box[:2])
    if ground.shapes:
        surface.blit(_raster(Shapes(whole, ground.shapes, ground.px_per_pt)), (0, 0))
    return surface


def _raster(mark: Shapes) -> pygame.Surface:
    """Draw the shapes within their box: pixels with transparency, in the order of colours that is quick to blit.

    SDL_image draws SVG without text (nanosvg), so letters are never among the shapes.
    """
    left, top, width, height = mark.box
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<g transform="translate({-left} {-top}) scale({mark.px_per_pt:.6f})">{mark.svg}</g></svg>'
    )
    drawn = pygame.image.load(io.BytesIO(svg.encode()), "screen.svg")
    drawn.set_alpha(None)  # its transparency is taken over, not blended
    surface = pygame.Surface(drawn.get_size(), pygame.SRCALPHA, 32)
    surface.blit(drawn, (0, 0))
    return surface


@lru_cache(maxsize=4)
def _scaled(data: bytes, size_px: tuple[int, int]) -> pygame.Surface | None:
    """Decode a JPEG or PNG file into 24 bits a pixel; None if broken, or larger than a screen is made for."""
    try:
        check_picture(data, MOST_PHOTO_PX)
        loaded = pygame.image.load(io.BytesIO(data), "photo.png" if data.startswith(PNG) else "photo.jpg")
    except (pygame.error, Unreadable):
        return None
    plain = pygame.Surface(loaded.get_size(), depth=24)  # smooth scaling takes pictures of 24 or 32 bits
    plain.blit(loaded, (0, 0))
    return pygame.transform.smoothscale(plain, size_px)
