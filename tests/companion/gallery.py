"""The gallery: every scene worth seeing, by name, and how each is drawn for a screen, a layout, a theme, a language.

A scene is a function that brings the app of a Hand into a state. It is registered by `@scene` in a module
`gallery_<part>.py` beside this one, and all the checks of `sheet_checks` are run over it.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import NamedTuple
from unittest import mock

import tests.companion
from companion.app import App
from companion.language import use_language
from companion.view.canvas import Canvas, draw
from tests.companion.touching import Hand

Scene = Callable[[Hand], None]
SIZES = ((800, 480), (1280, 720), (720, 1280))
LAYOUTS = ("one",)
THEMES = ("dark",)
LANGUAGES = ("en",)
PREFIX = "gallery_"

_REGISTRY: dict[str, Scene] = {}


def scene(make: Scene) -> Scene:
    """Hang a scene in the gallery under its function's name."""
    known = _REGISTRY.setdefault(make.__name__, make)
    if known is not make and known.__module__ != make.__module__:
        raise ValueError(f"{make.__name__} hangs in the gallery twice: {known.__module__}, {make.__module__}")
    _REGISTRY[make.__name__] = make
    return make


def scenes() -> dict[str, Scene]:
    """All scenes by name, of all modules `gallery_*.py` beside this one."""
    for module in pkgutil.iter_modules(tests.companion.__path__):
        if module.name.startswith(PREFIX):
            importlib.import_module(f"tests.companion.{module.name}")
    return dict(sorted(_REGISTRY.items()))


class Variant(NamedTuple):
    """How a scene is drawn."""

    size_px: tuple[int, int] = (800, 480)
    layout: str = "one"
    theme: str = "dark"
    language: str = "en"

    def __str__(self) -> str:
        width, height = self.size_px
        return f"{width}x{height}-{self.layout}-{self.theme}-{self.language}"


def variants() -> list[Variant]:
    """Every size, layout, theme and language with one another."""
    return [Variant(*one) for one in product(SIZES, LAYOUTS, THEMES, LANGUAGES)]


@contextmanager
def hung(make: Scene) -> Iterator[Hand]:
    """The scene on the stage of an app with a data folder of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"GUNBAI_DATA": folder}),
        mock.patch("companion.app.today", return_value="game"),
    ):
        hand = Hand(App())
        make(hand)
        yield hand


def drawn(hand: Hand, variant: Variant) -> Canvas:
    """What the app shows now, drawn in that way."""
    use_language(variant.language)
    try:
        return draw(hand.screen, variant.size_px)
    finally:
        use_language("en")
