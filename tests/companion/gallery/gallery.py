"""The gallery: every scene worth seeing, by name, and how each is drawn for a screen, a layout, a theme, a language.

A scene is a function that brings the app of a Hand into a state. It is registered by `@scene` in a module
of `rooms`, or there in a table of `scenes_after` where it begins as another does and goes on by touches alone. All the
checks of `sheet_checks` and `page_checks` are run over it.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest import mock
from zlib import crc32

import numpy as np
import pygame

import tests.companion.gallery.rooms
from companion.app.app import App
from companion.app.split_screen import SeatScreens
from companion.core import language
from companion.core.language import speaking
from companion.grounds.store import NO_GROUNDS, Grounds
from companion.scenes.base.stage import Table
from companion.ui.screen import Button, Intent, Screen, Stepper
from companion.view.kit.glass import Glass, glass_of
from companion.view.kit.sheet import Rect, Sheet
from companion.view.page import layout
from companion.view.window.panes import Painting, Shown, Size, divide_glass, layer_of
from engine.ruling import use_edition
from tests.companion.gallery.page_checks import accents, confirmed_elsewhere, half_empty
from tests.companion.gallery.sheet_checks import (
    Try,
    breaking,
    broken_words,
    cut_shapes,
    faint,
    faults_on,
    ill_worded,
    pages_that_need_not_be,
)
from tests.companion.owned import shelves
from tests.companion.touching import Hand, steppers
from tests.pictures.sheets import Pixels, changes

Scene = Callable[[Hand], object]
Touch = Intent | str
"""What a touch means, or the label of the button that is touched."""
SIZES = ((800, 480), (1280, 720), (720, 1280))
MIDDLE = (1024, 600)
LAYOUTS = ("one", "two")
THEMES = ("dark", "light", "contrast")
LANGUAGES = ("en", "pt_BR")
MOMENT = datetime(2026, 11, 21, 20, 15)
"""When all of it is played."""
KEPT = Path(__file__).parents[2] / "pictures" / "kept"
"""Where the sheets lie on which each scene's picture is kept, small."""

_REGISTRY: dict[str, tuple[str, Scene]] = {}
"""{a scene's name: (the module it hangs in, what makes it)}."""
_CATALOGUE_OF = cache(language.catalogue_of)  # a table has a language; the gallery changes it four times a scene


def scene(make: Scene) -> Scene:
    """Hang a scene in the gallery under its function's name."""
    _hang(make.__name__, make.__module__, make)
    return make


def scenes_after(module: str, table: Mapping[str, tuple[Scene | str, *tuple[Touch, ...]]]) -> None:
    """Hang scenes that begin as another does and go on by touches.

    table: {name: (what makes its beginning, or the name of the scene it begins as, what is touched then)}.
    """
    for name, (before, *touches) in table.items():
        _hang(name, module, partial(_make_after, before, touches))


def at_home(_hand: Hand) -> None:
    """Leave the app where it begins."""


def _hang(name: str, module: str, make: Scene) -> None:
    if _REGISTRY.setdefault(name, (module, make))[0] != module:
        raise ValueError(f"{name} hangs in the gallery twice: {_REGISTRY[name][0]}, {module}")
    _REGISTRY[name] = module, make


def _make_after(before: Scene | str, touches: Sequence[Touch], hand: Hand) -> None:
    (scenes()[before] if isinstance(before, str) else before)(hand)
    for touch in touches:
        hand.app.touch(hand.button(touch).intent if isinstance(touch, str) else touch)


@cache
def scenes() -> dict[str, Scene]:
    """All scenes by name, of all the gallery's rooms."""
    for module in pkgutil.iter_modules(tests.companion.gallery.rooms.__path__):
        importlib.import_module(f"tests.companion.gallery.rooms.{module.name}")
    return {name: make for name, (_module, make) in sorted(_REGISTRY.items())}


class Variant(NamedTuple):
    """How a scene is drawn."""

    size_px: tuple[int, int] = (800, 480)
    layout: str = "one"
    theme: str = "dark"
    language: str = "en"
    text_scale: float = 1.0

    def __str__(self) -> str:
        width, height = self.size_px
        scale = f"-{self.text_scale:g}" if self.text_scale != 1 else ""
        return f"{width}x{height}-{self.layout}-{self.theme}-{self.language}{scale}"


def variants(name: str) -> list[Variant]:
    """Return the variants in which the tests look at a scene; for all variants see `pictures`.

    Every size, layout and language, each with some of the others, and larger letters. The theme changes no place
    of anything. A middle screen and a wide one are as high to their width as a small one, within four per cent: they
    take turns.
    """
    small, wide, high = SIZES
    return [
        Variant(small, language="pt_BR"),
        Variant(small),
        Variant(small, "two", language="pt_BR"),
        Variant(small, text_scale=1.25),
        (Variant(MIDDLE, language="pt_BR"), Variant(wide))[number_of(name) % 2],
        Variant(wide, "two"),
        Variant(high, language="pt_BR"),
        Variant(high, "two"),
    ]


def number_of(name: str) -> int:
    """Return the number of a scene, the same whatever others there are."""
    return crc32(name.encode())


def at_a_glance(name: str) -> tuple[Variant, Variant]:
    """Return two for each scene: where it is narrowest, and the one to paint, in layouts and themes by turns."""
    number = number_of(name)
    narrowest, *small = variants(name)[:3]
    return narrowest, small[number % 2]._replace(theme=THEMES[number % len(THEMES)], language="en")


def sheet_of(name: str) -> Path:
    """Return the sheet on which a scene's picture is kept: one for each of the gallery's rooms."""
    return KEPT / f"scenes-{_REGISTRY[name][0].rpartition('.')[2]}.png"


def pixels_of(picture: pygame.Surface) -> Pixels:
    """Return a picture as an array, height × width × 3, RGB."""
    return np.ascontiguousarray(pygame.surfarray.array3d(picture).swapaxes(0, 1))


class Remembering(Hand):
    """A hand that is told what to touch in English, and does the same again in any other language."""

    def __init__(self, app: App, found: list[Intent], *, again: bool = False) -> None:
        super().__init__(app)
        self._found = iter(found) if again else None
        self._finds = found

    def button(self, label: str) -> Button:
        if self._found is None:
            self._finds.append((button := super().button(label)).intent)
            return button
        wanted = next(self._found)
        return next(button for button in self.all_buttons() if button.intent == wanted)

    def stepper(self, label: str) -> Stepper:
        if self._found is None:
            stepper = super().stepper(label)
            self._finds.append(Intent(stepper.verb, stepper.what))
            return stepper
        wanted = next(self._found)
        return next(stepper for stepper in steppers(self.screen.blocks) if Intent(stepper.verb, stepper.what) == wanted)


_TOUCHED: dict[Scene, list[Intent]] = {}
"""What was touched to make a scene, in English: it is found again by that in other languages."""


@contextmanager
def hung(make: Scene, spoken: str = "en") -> Iterator[Hand]:
    """Yield a hand with the scene on stage, in an app with a data folder of its own, while that language is spoken."""
    again = spoken != "en"
    if again and make not in _TOUCHED:
        with hung(make):
            pass
    found = _TOUCHED[make] if again else []
    with (
        mock.patch.object(language, "catalogue_of", _CATALOGUE_OF),
        speaking(spoken),
        _hung(lambda app: make(Remembering(app, found, again=again))) as hand,
    ):
        _TOUCHED[make] = found
        yield hand


@contextmanager
def always_the_same() -> Iterator[None]:
    """Stop the clocks that a screen tells of, and let chance bring what it brought before."""
    clock = mock.Mock(now=lambda: MOMENT, fromtimestamp=lambda *_of_a_file: MOMENT)
    with (
        mock.patch("companion.text.saved_games.datetime", clock),
        mock.patch("companion.games.saved.shelf.datetime", clock),
        mock.patch.multiple(
            "companion.games.sharing", date=mock.Mock(fromtimestamp=lambda _of_a_file: MOMENT.date()), datetime=clock
        ),
        mock.patch("companion.games.chance.random.SystemRandom", partial(Random, 1)),
    ):
        yield


@contextmanager
def _hung(make: Callable[[App], object]) -> Iterator[Hand]:
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"GUNBAI_DATA": folder}),
        mock.patch("companion.app.app.today", return_value="game"),
        mock.patch("companion.scenes.settings.pages.find_voice", return_value=None),  # as a bare machine is
        shelves(),
        always_the_same(),
    ):
        app = App()
        make(app)
        try:
            yield Hand(app)
        finally:
            use_edition()


def drawn(hand: Hand, variant: Variant, grounds: Grounds = NO_GROUNDS) -> tuple[pygame.Surface, tuple[Shown, ...]]:
    """Draw what the app shows now in that way; return (the picture, its panes)."""
    stage, before = hand.app.stage, hand.app.stage.settings
    stage.settings = replace(before, layout=variant.layout, theme=variant.theme, text_scale=variant.text_scale)
    try:
        with speaking(variant.language):
            return draw_glass(hand.app.faces(), variant.size_px, glass_of(stage.settings, grounds=grounds))
    finally:
        stage.settings = before


def draw_glass(faces: SeatScreens, size_px: Size, glass: Glass) -> tuple[pygame.Surface, tuple[Shown, ...]]:
    """Draw what is to be shown on a screen of that size (width, height); return the picture and its panes."""
    glass = replace(glass, era=faces.era)
    on = glass, glass.grain(size_px, len(faces.faces) > 1)
    shown = tuple(Shown(pane, pane.draw(on)) for pane in divide_glass(faces, size_px, on))
    painting = Painting(size_px)
    painting.show(tuple(map(layer_of, shown)), glass.look.edge)
    return painting.picture, shown


def faults_in(hand: Hand, variant: Variant, *, painted_as: str = "", filled: bool = False) -> list[str]:
    """Return what is wrong with the places of all things in what the app shows now, laid out in that way.

    painted_as: the scene's name, where the screen is to be painted too, which takes most of the time: then colours and
    the edges of shapes are looked at, and the picture is compared with the one kept. filled: no page of it may be half
    empty.
    """
    with tried() as tries, breaking() as ends, nullcontext() if painted_as else unpainted():
        picture, shown = drawn(hand, variant)
    with speaking(variant.language):
        worded = [
            fault
            for shown_pane in shown
            for fault in (*broken_words(shown_pane.canvas, ends), *ill_worded(shown_pane.pane.screen))
        ]
    worded += [
        fault for shown_pane in shown for fault in (*accents(shown_pane), *(half_empty(shown_pane) if filled else ()))
    ]
    if isinstance(hand.app.table or hand.app.scene, Table) and variant.size_px in SIZES and variant.text_scale == 1:
        worded += confirmed_elsewhere(shown, variant.size_px, variant.layout)
    found = [fault for shown_pane in shown for fault in faults_on(shown_pane)] + pages_that_need_not_be(tries) + worded
    if painted_as:
        found += [fault for shown_pane in shown for fault in (*faint(shown_pane.canvas), *cut_shapes(shown_pane))]
        found += changes(sheet_of(painted_as), painted_as, pixels_of(picture))
    return found


@contextmanager
def tried() -> Iterator[list[Try]]:
    """How the screens that are drawn meanwhile were tried to be arranged."""
    tries: list[Try] = []
    arranged = layout._arrange

    def watched(sheet: Sheet, screen: Screen, place: Rect) -> layout.Arranged:
        tries.append(Try(sheet, screen, arranged(sheet, screen, place)))
        return tries[-1].found

    with mock.patch.object(layout, "_arrange", watched):
        yield tries


def unpainted() -> AbstractContextManager[object]:
    """Screens are laid out and not painted, which takes most of the time."""
    return mock.patch("companion.view.window.panes.paint", _leave_unpainted)


def _leave_unpainted(*_of_a_layer: object) -> None:
    """Stand for what paints: cheaper than a mock, which there are thousands of."""
