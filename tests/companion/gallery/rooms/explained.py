"""Check of what a long touch says: every icon, every figure and every place of a table's screen has an explanation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from unittest import mock

from companion.app.split_screen import shared_picture
from companion.scenes.table.table import TableScene
from companion.view.kit.sheet import About, Sheet
from tests.companion.gallery.gallery import Variant, drawn, unpainted
from tests.companion.touching import Hand

PLACES = frozenset(
    {"area", "space", "unit", "general", "zone", "pile", "side", "round", "live", "clock", "menu", "lock"}
)
"""Verbs of what is explained without being an icon itself."""
LONGEST = 330  # letters
SENTENCES = 4


def things(sheet: Sheet) -> Iterator[About]:
    """Yield what a finger may ask about: icons and figures, and places of the table."""
    yield from sheet.abouts
    yield from (
        About(target.rect, target.key) for target in sheet.targets if target.intent.verb in PLACES and not target.drag
    )


def unexplained(hand: Hand, variant: Variant) -> list[str]:
    """Return what a table's screen leaves unexplained, or not in one to four sentences; nothing away from a table."""
    table = hand.app.table
    if table is None:
        return []
    assert isinstance(table, TableScene)
    with unpainted():
        shown = drawn(hand, variant)[1]
    pictures = [pane.pane.between or shared_picture(pane.pane.screen) for pane in shown]
    there = next((picture for picture in pictures if picture is not None), None)
    presenter = type(table.presenter)
    with mock.patch.object(presenter, "library", cache(presenter.library)):  # one book for all its things
        pairs = [
            (key, hand.app.explain(key, own or there))
            for pane, own in zip(shown, pictures, strict=True)
            for key in {thing.key for layer in pane.canvas.sheet.layers() for thing in things(layer)}
        ]
    return [key for key, told in pairs if told is None or not told.title or not _is_short(told.text)]


def _is_short(text: str) -> bool:
    return text.endswith((".", "?", "!")) and len(text) <= LONGEST and text.count(". ") < SENTENCES
