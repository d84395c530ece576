"""From a Screen to pixels: laid out for the size of the display, its shapes drawn in one go, its letters set on top."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import pygame

from companion.scenes.screen import MapPicture, Screen
from companion.view.glass import Glass, Grain
from companion.view.layout import layout, layout_map
from companion.view.lettering import Lettering
from companion.view.sheet import Photo, Rect, Sheet, Target

LIT = 60  # of 255: how much white lies over what a finger is on
CORNER_PT = 8.0


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
            self._light(lit, target)
        return lit

    def box_px(self, target: Target) -> pygame.Rect:
        """Where a target is on the picture."""
        return _pixels(target.rect, self.px_per_pt)

    def _light(self, lit: pygame.Surface, target: Target) -> None:
        box, k = self.box_px(target), self.px_per_pt
        glow = pygame.Surface(box.size, pygame.SRCALPHA)
        if target.outline:
            outline = [(x * k - box.x, y * k - box.y) for x, y in target.outline]
            pygame.draw.polygon(glow, (255, 255, 255, LIT), outline)
        else:
            pygame.draw.rect(glow, (255, 255, 255, LIT), glow.get_rect(), border_radius=round(CORNER_PT * k))
        lit.blit(glow, box.topleft)


def draw(screen: Screen, size_px: tuple[int, int], glass: Glass | None = None) -> Canvas:
    """Draw a screen for a whole display of that size (width, height)."""
    glass = glass or Glass()
    return draw_part(screen, size_px, (glass, glass.grain(size_px)))


def draw_part(screen: Screen, size_px: tuple[int, int], on: tuple[Glass, Grain]) -> Canvas:
    """Draw a screen for a part of a display, whose grain is that of the whole."""
    sheet = _empty(on)
    return _painted(layout(screen, _points(size_px, on), sheet), size_px)


def draw_map_part(picture: MapPicture, size_px: tuple[int, int], on: tuple[Glass, Grain], turn: int) -> Canvas:
    """Draw a map alone, the board turned clockwise by `turn` degrees under upright letters."""
    sheet = _empty(on)
    return _painted(layout_map(picture, _points(size_px, on), sheet, turn), size_px)


def _empty(on: tuple[Glass, Grain]) -> Sheet:
    glass, grain = on
    return Sheet(Lettering(grain.px_per_pt), grain.px_per_pt, glass.look, grain.touch_pt)


def _points(size_px: tuple[int, int], on: tuple[Glass, Grain]) -> tuple[float, float]:
    return size_px[0] / on[1].px_per_pt, size_px[1] / on[1].px_per_pt


def _painted(sheet: Sheet, size_px: tuple[int, int]) -> Canvas:
    """The sheet as a picture."""
    lettering = Lettering(sheet.px_per_pt)
    surface = pygame.Surface(size_px)
    surface.fill(sheet.look.page)
    for layer in sheet.layers():
        for still in layer.stills:
            surface.blit(_rendered(still, size_px, sheet.px_per_pt), (0, 0))
        for photo in layer.photos:
            _show(surface, photo, sheet.px_per_pt)
        _blit_shapes(surface, layer)
        for label in layer.labels:
            lettering.draw(surface, label)
    return Canvas(surface, sheet, sheet.px_per_pt)


def _pixels(rect: Rect, px_per_pt: float) -> pygame.Rect:
    left, top = round(rect.x * px_per_pt), round(rect.y * px_per_pt)
    return pygame.Rect(left, top, round(rect.right * px_per_pt) - left, round(rect.bottom * px_per_pt) - top)


def _show(surface: pygame.Surface, photo: Photo, px_per_pt: float) -> None:
    """A photo at its place; a file that is no picture leaves its place dark."""
    left, top, wide, high = (round(value * px_per_pt) for value in photo.rect)
    picture = _decoded(photo.data)
    if picture is not None and wide > 0 and high > 0:
        surface.blit(pygame.transform.smoothscale(picture, (wide, high)), (left, top))


@lru_cache(maxsize=4)
def _decoded(data: bytes) -> pygame.Surface | None:
    """(24 bits a pixel) what a JPEG or PNG file shows; None for broken data."""
    try:
        loaded = pygame.image.load(io.BytesIO(data), "photo.png" if data[:4] == b"\x89PNG" else "photo.jpg")
    except pygame.error:
        return None
    plain = pygame.Surface(loaded.get_size(), depth=24)  # smooth scaling takes pictures of 24 or 32 bits
    plain.blit(loaded, (0, 0))
    return plain


@lru_cache(maxsize=4)
def _rendered(shapes: str, size_px: tuple[int, int], px_per_pt: float) -> pygame.Surface:
    """Shapes that stay as they are, kept as pixels."""
    return _raster((shapes,), size_px, px_per_pt)


def _blit_shapes(surface: pygame.Surface, sheet: Sheet) -> None:
    if sheet.shapes:
        surface.blit(_raster(sheet.shapes, surface.get_size(), sheet.px_per_pt), (0, 0))


def _raster(shapes: Iterable[str], size_px: tuple[int, int], px_per_pt: float) -> pygame.Surface:
    """(pixels with transparency) SVG shapes in points."""
    width, height = size_px
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<g transform="scale({px_per_pt:.6f})">{"".join(shapes)}</g></svg>'
    )
    return pygame.image.load(io.BytesIO(svg.encode()), "screen.svg")
