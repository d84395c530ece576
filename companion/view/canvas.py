"""From a Screen to pixels: laid out for the size of the display, its shapes drawn in one go, its letters set on top."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

import pygame

from companion.scenes.screen import Screen
from companion.view.layout import layout
from companion.view.lettering import Lettering
from companion.view.sheet import Photo, Sheet, Target
from companion.view.theme import HEIGHT_PT, WIDTH_PT, Theme, theme


@dataclass(frozen=True, slots=True)
class Canvas:
    """A drawn screen: its picture (pixels, RGB), and the sheet that says what is where."""

    surface: pygame.Surface
    sheet: Sheet
    px_per_pt: float

    def target_at(self, place_px: tuple[float, float]) -> Target | None:
        """What a touch at this pixel is meant for."""
        return self.sheet.hit((place_px[0] / self.px_per_pt, place_px[1] / self.px_per_pt))

    def pressed(self, target: Target) -> pygame.Surface:
        """The same picture with one target lit, while a finger is on it; this canvas stays as it is."""
        lit = self.surface.copy()
        glow = pygame.Surface(lit.get_size(), pygame.SRCALPHA)
        k = self.px_per_pt
        if target.outline:
            pygame.draw.polygon(glow, (255, 255, 255, 70), [(x * k, y * k) for x, y in target.outline])
        else:
            box = pygame.Rect(*(round(value * k) for value in target.rect))
            pygame.draw.rect(glow, (255, 255, 255, 60), box, border_radius=round(8 * k))
        lit.blit(glow, (0, 0))
        return lit


def points_per_screen(size_px: tuple[int, int]) -> tuple[float, tuple[float, float]]:
    """(pixels a point, (width, height) in points) for a display of that size."""
    width, height = size_px
    px_per_pt = min(height / HEIGHT_PT, width / WIDTH_PT)
    return px_per_pt, (width / px_per_pt, height / px_per_pt)


def draw(screen: Screen, size_px: tuple[int, int], look: Theme | None = None) -> Canvas:
    """Draw a screen for a display of that size (width, height), in that theme."""
    px_per_pt, size_pt = points_per_screen(size_px)
    lettering = Lettering(px_per_pt)
    sheet = layout(screen, size_pt, Sheet(lettering, px_per_pt, look or theme()))
    surface = pygame.Surface(size_px)
    surface.fill(sheet.look.page)
    for layer in sheet.layers():
        for photo in layer.photos:
            _show(surface, photo, px_per_pt)
        surface.blit(_shapes(layer, size_px, px_per_pt), (0, 0))
        for label in layer.labels:
            lettering.draw(surface, label)
    return Canvas(surface, sheet, px_per_pt)


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


def _shapes(sheet: Sheet, size_px: tuple[int, int], px_per_pt: float) -> pygame.Surface:
    width, height = size_px
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<g transform="scale({px_per_pt:.6f})">{"".join(sheet.shapes)}</g></svg>'
    )
    return pygame.image.load(io.BytesIO(svg.encode()), "screen.svg")
