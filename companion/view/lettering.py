"""Letters: the packaged typeface (Atkinson Hyperlegible, made to be read at a distance), measured and set."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pygame

from companion.view.sheet import Label

FONTS = Path(__file__).parent / "fonts"
FILES = {False: "AtkinsonHyperlegible-Regular.ttf", True: "AtkinsonHyperlegible-Bold.ttf"}


@lru_cache(maxsize=96)
def _font(size_px: int, bold: bool) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(str(FONTS / FILES[bold]), size_px)


def _size_px(size: float, px_per_pt: float) -> int:
    return max(6, round(size * px_per_pt))


class Lettering:
    """Measures and sets text for a screen of so many pixels a point."""

    def __init__(self, px_per_pt: float) -> None:
        self.px_per_pt = px_per_pt

    def __call__(self, text: str, size: float, bold: bool) -> float:
        """Width of a text in points."""
        width_px, _ = _font(_size_px(size, self.px_per_pt), bold).size(text)
        return width_px / self.px_per_pt

    def place_px(self, label: Label) -> pygame.Rect:
        """Where the label's letters come to stand, in pixels, the line's full height included."""
        width, height = _font(_size_px(label.size, self.px_per_pt), label.bold).size(label.text)
        k = self.px_per_pt
        left, top, wide, high = (value * k for value in label.rect)
        x = {"left": left, "centre": left + (wide - width) / 2, "right": left + wide - width}[label.align]
        return pygame.Rect(round(x), round(top + (high - height) / 2), width, height)

    def draw(self, surface: pygame.Surface, label: Label) -> None:
        """Set one label onto the surface."""
        font = _font(_size_px(label.size, self.px_per_pt), label.bold)
        surface.blit(font.render(label.text, True, label.colour), self.place_px(label))
