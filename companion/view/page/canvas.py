"""From a Screen to marks: laid out for the size of the display, its shapes in their groups, its letters on top.

Screens are kept as PNG files from here, without a display.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import pygame

from companion.core.errors import CompanionError
from companion.core.outputs import write_output
from companion.core.storage import atomic_write, data_dir
from companion.grounds.store import FOLDER, NO_GROUNDS, Grounds, WaitingGrounds
from companion.ui.intents import Explanation
from companion.ui.screen import MapPicture, Screen
from companion.ui.table_pictures import TablePicture
from companion.view.kit.glass import Glass, Grain
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet, Target
from companion.view.page.layout import layout, layout_between
from companion.view.page.marks import Box, Glow, Ground, Mark, Photo, Shapes, box_of, paint, words_of
from companion.view.page.on_top import draw_explanation, draw_veil

CORNER_PT = 8.0
RIM_PT = 4.0  # shapes of a group may reach so far beyond its place


@dataclass(frozen=True, slots=True)
class Canvas:
    """A screen ready to be painted: its marks over its ground, and the sheet that says what is where."""

    sheet: Sheet
    size_px: tuple[int, int]
    px_per_pt: float
    ground: Ground
    marks: tuple[Mark, ...]

    def paint(self, part: pygame.Rect | None = None) -> pygame.Surface:
        """Paint the picture, or a part of it (pixels, RGB)."""
        part = part or pygame.Rect((0, 0), self.size_px)
        surface = pygame.Surface(part.size)
        paint(surface, self.ground, self.marks, part)
        return surface

    def target_at(self, place_px: tuple[float, float]) -> Target | None:
        """Return what a touch at this pixel is meant for."""
        return self.sheet.hit((place_px[0] / self.px_per_pt, place_px[1] / self.px_per_pt))

    def glow(self, target: Target) -> Glow:
        """Return the mark that lights a target while a finger is on it."""
        box, k = self.box_px(target), self.px_per_pt
        outline = tuple((x * k - box.x, y * k - box.y) for x, y in target.outline)
        return Glow(box_of(box), outline, round(CORNER_PT * k))

    def box_px(self, target: Target) -> pygame.Rect:
        """Return where a target is on the picture."""
        return pygame.Rect(_pixels(target.rect, self.px_per_pt))


def draw(screen: Screen, size_px: tuple[int, int], glass: Glass | None = None) -> Canvas:
    """Lay a screen out for a whole display of that size (width, height)."""
    glass = glass or Glass()
    return draw_part(screen, size_px, (glass, glass.grain(size_px)))


def draw_part(screen: Screen, size_px: tuple[int, int], on: tuple[Glass, Grain], panel_px: int = 0) -> Canvas:
    """Lay a screen out for a part of a display, whose grain is that of the whole.

    panel_px: how wide the part is that its actions have, where that is not all of it.
    """
    sheet = _empty(on, screen.map or (screen.beside if isinstance(screen.beside, MapPicture) else None))
    sheet.panel = panel_px / on[1].px_per_pt
    layout(screen, _points(size_px, on), sheet)
    if screen.spot is not None:
        draw_veil(sheet, screen.spot, _points(size_px, on))
    return _canvas(sheet, size_px)


def draw_between(
    picture: MapPicture | TablePicture, size_px: tuple[int, int], on: tuple[Glass, Grain], turn: int
) -> Canvas:
    """Lay a map or another table out alone, the board turned clockwise by `turn` degrees under upright letters."""
    sheet = _empty(on, picture if isinstance(picture, MapPicture) else None)
    return _canvas(layout_between(picture, _points(size_px, on), sheet, turn), size_px)


def draw_card(card: Explanation, about: Rect, size_px: tuple[int, int], on: tuple[Glass, Grain]) -> tuple[Mark, ...]:
    """Draw a card that explains what lies there (points of a pane of that size), as marks over all else of it."""
    sheet = _empty(on)
    draw_explanation(sheet, card, about, _points(size_px, on))
    return _canvas(sheet, size_px).marks


def _empty(on: tuple[Glass, Grain], shown: MapPicture | None = None) -> Sheet:
    """Return an empty sheet in the look of the map that it shows; where it shows none, of the game at the table."""
    glass, grain = on
    look = glass.look if shown is None else replace(glass, era=shown.board.mode.rulebook).look
    lettering = Lettering(grain.px_per_pt, look.material.heading)
    return Sheet(lettering, grain.px_per_pt, look, grain.touch_pt, grounds=glass.grounds)


def _points(size_px: tuple[int, int], on: tuple[Glass, Grain]) -> tuple[float, float]:
    return size_px[0] / on[1].px_per_pt, size_px[1] / on[1].px_per_pt


def _canvas(sheet: Sheet, size_px: tuple[int, int]) -> Canvas:
    """Turn the sheet into marks on a canvas of that size."""
    k = sheet.px_per_pt
    backdrops = tuple((_pixels(backdrop.rect, k), str(backdrop.path)) for backdrop in sheet.backdrops)
    ground = Ground("".join(sheet.stills), size_px, k, sheet.look.page, sheet.cloth, backdrops)
    marks = tuple(mark for layer in sheet.layers() for mark in _marks(layer, pygame.Rect((0, 0), size_px)))
    return Canvas(sheet, size_px, sheet.px_per_pt, ground, marks)


def _marks(layer: Sheet, whole: pygame.Rect) -> Iterator[Mark]:
    """Yield all photos of a layer, over them all shapes, over them all letters."""
    k = layer.px_per_pt
    for photo in layer.photos:
        left, top, wide, high = (round(value * k) for value in photo.rect)
        if wide > 0 and high > 0:
            yield Photo((left, top, wide, high), photo.data)
    for shapes, rect in layer.grouped():
        box = whole if rect is None else whole.clip(_pixels(rect.shrunk(-RIM_PT), k))
        if box:
            yield Shapes(box_of(box), shapes, k)
    yield from (words for label in layer.labels if (words := words_of(label, k, layer.look.material.heading)))


def _pixels(rect: Rect, px_per_pt: float) -> Box:
    left, top = round(rect.x * px_per_pt), round(rect.y * px_per_pt)
    return left, top, round(rect.right * px_per_pt) - left, round(rect.bottom * px_per_pt) - top


def draw_sprite(sheet: Sheet, side_pt: float) -> pygame.Surface:
    """Draw what stands on a small square sheet with nothing behind it (pixels with transparency)."""
    side = round(side_pt * sheet.px_per_pt)
    (shapes, _corner), *_none = Shapes((0, 0, side, side), "".join(sheet.shapes), sheet.px_per_pt).surfaces()
    sprite = shapes.copy()
    for words in filter(None, (words_of(label, sheet.px_per_pt) for label in sheet.labels)):
        for letters, (right, down) in words.surfaces():
            sprite.blit(letters, (words.box[0] + right, words.box[1] + down))
    return sprite


# ---- kept as files -------------------------------------------------------------------------------


SIZE_PX = (1280, 720)


class PrivateScreenError(CompanionError):
    """A screen that shows a player's own hand was to be kept as a picture."""


class Showing(Protocol):
    """Whatever has a screen to show: the app."""

    def screen(self) -> Screen:
        """Return the screen to show."""


def painted_grounds() -> WaitingGrounds:
    """Return the grounds that the app keeps, for a picture that is kept itself."""
    return WaitingGrounds(data_dir() / FOLDER)


def save_screen(
    showing: Showing, path: Path, size_px: tuple[int, int] = SIZE_PX, grounds: Grounds = NO_GROUNDS
) -> None:
    """Write what is shown now as a PNG of that size (width, height), its map on these grounds.

    OutputError where the file cannot be written, PrivateScreenError where a player's own hand is shown.
    """
    surface = draw(_shareable(showing.screen()), size_px, Glass(grounds=grounds)).paint()
    data = io.BytesIO()
    pygame.image.save(surface, data, "screen.png")
    write_output(path, data.getvalue())


def save_card(screen: Screen, path: Path) -> None:
    """Write a screen as a PNG to pass on, light as on paper, whatever the app's own look. Errors as above."""
    data = io.BytesIO()
    pygame.image.save(_card(screen, SIZE_PX), data, "card.png")
    atomic_write(path, data.getvalue())


def card_pixels(screen: Screen, size_px: tuple[int, int], grounds: Grounds = NO_GROUNDS, era: str = "") -> bytes:
    """Draw the screen as bytes: rows from the top, three bytes for each pixel (RGB).

    size_px: the picture's width and height. era: of the game that it shows. PrivateScreenError where a player's own
    hand is shown.
    """
    return pygame.image.tobytes(_card(screen, size_px, grounds, era), "RGB")


def _card(screen: Screen, size_px: tuple[int, int], grounds: Grounds = NO_GROUNDS, era: str = "") -> pygame.Surface:
    return draw(_shareable(screen), size_px, Glass(theme="light", era=era, grounds=grounds)).paint()


def _shareable(screen: Screen) -> Screen:
    if screen.private:
        raise PrivateScreenError("a player's own hand is on the screen: no picture of it is kept")
    return screen
