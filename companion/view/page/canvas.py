"""From a Screen to pixels: laid out for the size of the display, its shapes drawn in one go, its letters set on top."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import pygame

from companion.ui.screen import MapPicture, Screen
from companion.ui.table_pictures import TablePicture
from companion.view.kit.glass import Glass, Grain
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet, Target
from companion.view.page.layout import layout, layout_between
from intake.errors import Unreadable
from intake.pictures import PNG, check_picture

LIT = 60  # of 255: how much white lies over what a finger is on
CORNER_PT = 8.0
RIM_PT = 4.0  # shapes of a group may reach so far beyond its place
MOST_PHOTO_PX = 4096  # across: photos that are shown were made small by us


@dataclass(frozen=True, slots=True)
class Canvas:
    """A drawn screen: its picture (pixels, RGB), and the sheet that says what is where."""

    surface: pygame.Surface
    sheet: Sheet
    px_per_pt: float

    def target_at(self, place_px: tuple[float, float]) -> Target | None:
        """What a touch at this pixel is meant for."""
        return self.sheet.hit((place_px[0] / self.px_per_pt, place_px[1] / self.px_per_pt))

    def pressed(self, *targets: Target) -> pygame.Surface:
        """The same picture with targets lit, while fingers are on them; this canvas stays as it is."""
        lit = self.surface.copy()
        for target in targets:
            box, k = self.box_px(target), self.px_per_pt
            glow = pygame.Surface(box.size, pygame.SRCALPHA)
            if target.outline:
                outline = [(x * k - box.x, y * k - box.y) for x, y in target.outline]
                pygame.draw.polygon(glow, (255, 255, 255, LIT), outline)
            else:
                pygame.draw.rect(glow, (255, 255, 255, LIT), glow.get_rect(), border_radius=round(CORNER_PT * k))
            lit.blit(glow, box.topleft)
        return lit

    def box_px(self, target: Target) -> pygame.Rect:
        """Where a target is on the picture."""
        return _pixels(target.rect, self.px_per_pt)


def draw(screen: Screen, size_px: tuple[int, int], glass: Glass | None = None) -> Canvas:
    """Draw a screen for a whole display of that size (width, height)."""
    glass = glass or Glass()
    return draw_part(screen, size_px, (glass, glass.grain(size_px)))


def draw_part(screen: Screen, size_px: tuple[int, int], on: tuple[Glass, Grain]) -> Canvas:
    """Draw a screen for a part of a display, whose grain is that of the whole."""
    sheet = _empty(on)
    return _paint(layout(screen, _points(size_px, on), sheet), size_px)


def draw_between(
    picture: MapPicture | TablePicture, size_px: tuple[int, int], on: tuple[Glass, Grain], turn: int
) -> Canvas:
    """Draw a map or another table alone, the board turned clockwise by `turn` degrees under upright letters."""
    sheet = _empty(on)
    return _paint(layout_between(picture, _points(size_px, on), sheet, turn), size_px)


def _empty(on: tuple[Glass, Grain]) -> Sheet:
    glass, grain = on
    return Sheet(Lettering(grain.px_per_pt), grain.px_per_pt, glass.look, grain.touch_pt)


def _points(size_px: tuple[int, int], on: tuple[Glass, Grain]) -> tuple[float, float]:
    return size_px[0] / on[1].px_per_pt, size_px[1] / on[1].px_per_pt


def _paint(sheet: Sheet, size_px: tuple[int, int]) -> Canvas:
    """The sheet as a picture."""
    lettering = Lettering(sheet.px_per_pt)
    ground = Ground("".join(sheet.stills), size_px, sheet.px_per_pt, sheet.look.page)
    surface = _painted_ground(ground).copy()
    for layer in sheet.layers():
        for photo in layer.photos:
            left, top, wide, high = (round(value * sheet.px_per_pt) for value in photo.rect)
            picture = _decode(photo.data)
            if picture is not None and wide > 0 and high > 0:
                surface.blit(pygame.transform.smoothscale(picture, (wide, high)), (left, top))
        for shapes, rect in layer.grouped():
            box = surface.get_rect()
            if rect is not None:
                box = box.clip(_pixels(rect.shrunk(-RIM_PT), sheet.px_per_pt))
            if layer is sheet and not layer.photos:
                surface.blit(_on_ground(ground, shapes, tuple(box)), box)
            else:
                surface.blit(_raster(shapes, tuple(box), sheet.px_per_pt), box)
        for label in layer.labels:
            lettering.draw(surface, label)
    return Canvas(surface, sheet, sheet.px_per_pt)


def _pixels(rect: Rect, px_per_pt: float) -> pygame.Rect:
    left, top = round(rect.x * px_per_pt), round(rect.y * px_per_pt)
    return pygame.Rect(left, top, round(rect.right * px_per_pt) - left, round(rect.bottom * px_per_pt) - top)


@lru_cache(maxsize=4)
def _decode(data: bytes) -> pygame.Surface | None:
    """(24 bits a pixel) what a JPEG or PNG file shows; None for broken data, and for more than a screen is made for."""
    try:
        check_picture(data, MOST_PHOTO_PX)
        loaded = pygame.image.load(io.BytesIO(data), "photo.png" if data.startswith(PNG) else "photo.jpg")
    except (pygame.error, Unreadable):
        return None
    plain = pygame.Surface(loaded.get_size(), depth=24)  # smooth scaling takes pictures of 24 or 32 bits
    plain.blit(loaded, (0, 0))
    return plain


class Ground(NamedTuple):
    """What lies under all else: shapes that stay as they are, on the page's colour."""

    shapes: str
    size_px: tuple[int, int]
    px_per_pt: float
    colour: str


@lru_cache(maxsize=3)
def _painted_ground(ground: Ground) -> pygame.Surface:
    surface = pygame.Surface(ground.size_px)
    surface.fill(ground.colour)
    if ground.shapes:
        surface.blit(_raster(ground.shapes, (0, 0, *ground.size_px), ground.px_per_pt), (0, 0))
    return surface


@lru_cache(maxsize=8)
def _on_ground(ground: Ground, shapes: str, box_px: tuple[int, ...]) -> pygame.Surface:
    """Shapes over the ground within a box: what has not changed is not drawn again."""
    part = _painted_ground(ground).subsurface(box_px).copy()
    part.blit(_raster(shapes, box_px, ground.px_per_pt), (0, 0))
    return part


def _raster(shapes: str, box_px: tuple[int, ...], px_per_pt: float) -> pygame.Surface:
    """(pixels with transparency) SVG shapes in points, as far as they lie in a box (left, top, width, height).

    SDL_image draws SVG without text (nanosvg), so letters are never among the shapes.
    """
    left, top, width, height = box_px
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<g transform="translate({-left} {-top}) scale({px_per_pt:.6f})">{shapes}</g></svg>'
    )
    return pygame.image.load(io.BytesIO(svg.encode()), "screen.svg")


def draw_sprite(sheet: Sheet, side_pt: float) -> pygame.Surface:
    """(pixels with transparency) what stands on a small square sheet, on nothing."""
    side = round(side_pt * sheet.px_per_pt)
    surface = _raster("".join(sheet.shapes), (0, 0, side, side), sheet.px_per_pt)
    for label in sheet.labels:
        Lettering(sheet.px_per_pt).draw(surface, label)
    return surface
