"""The picture on the glass: panes side by side, painted again only where what they show has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pygame

from companion.view.page.marks import Ground, Mark, changed_boxes, paint


class Layer(NamedTuple):
    """What a pane shows: its place on the upright glass, whether it is turned for the player opposite, its marks."""

    rect_px: pygame.Rect
    turned: bool
    ground: Ground
    marks: tuple[Mark, ...]

    def outer(self, box_px: pygame.Rect) -> pygame.Rect:
        """Return where a rectangle of the pane's own picture is on the upright glass."""
        x, y = box_px.topleft
        if self.turned:
            x, y = self.rect_px.w - box_px.right, self.rect_px.h - box_px.bottom
        return pygame.Rect(self.rect_px.x + x, self.rect_px.y + y, *box_px.size)

    @property
    def whole(self) -> pygame.Rect:
        """All of the pane's own picture."""
        return pygame.Rect((0, 0), self.rect_px.size)

    def is_on_same(self, other: Layer) -> bool:
        """Return whether both layers have the same place and ground."""
        return (self.rect_px, self.turned, self.ground) == (other.rect_px, other.turned, other.ground)


class Painting:
    """The picture, and the layers that it shows."""

    def __init__(self, size_px: tuple[int, int]) -> None:
        self.picture = pygame.Surface(size_px)
        self._edge = ""
        self._layers: tuple[Layer, ...] = ()

    def show(self, layers: tuple[Layer, ...], edge: str) -> Sequence[pygame.Rect]:
        """Show these layers, the colour `edge` between them; return the rectangles of the glass that were painted."""
        before, self._layers = self._layers, layers
        if edge == self._edge and [layer.rect_px for layer in before] == [layer.rect_px for layer in layers]:
            pairs = zip(before, layers, strict=True)
            return [painted for old, new in pairs for painted in self._paint(new, _changed(old, new))]
        self._edge = edge
        self.picture.fill(edge)
        for layer in layers:
            self._paint(layer, [layer.whole])
        return [self.picture.get_rect()]

    def _paint(self, layer: Layer, parts: Sequence[pygame.Rect]) -> Sequence[pygame.Rect]:
        """Paint parts of a layer; return where they are on the glass."""
        places = [layer.outer(part).clip(self.picture.get_rect()) for part in parts]
        for part, place in zip(parts, places, strict=True):
            if not place:
                continue  # beside the glass
            if layer.turned:
                upright = pygame.Surface(part.size)
                paint(upright, layer.ground, layer.marks, part)
                self.picture.blit(pygame.transform.rotate(upright, 180), place)
            else:
                paint(self.picture.subsurface(place), layer.ground, layer.marks, part)
        return places


def _changed(before: Layer, after: Layer) -> Sequence[pygame.Rect]:
    """Return the parts in which two layers may differ."""
    if not before.is_on_same(after):
        return [after.whole]
    return changed_boxes(before.marks, after.marks, after.whole)
