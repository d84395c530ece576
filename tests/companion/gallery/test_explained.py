"""Every icon and every figure on a table's screen says what it is when a finger rests on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.app.split_screen import shared_picture
from companion.ui.about import Explanation
from companion.view.kit.sheet import About, Sheet
from companion.view.window.panes import Shown
from tests.companion.gallery.gallery import Variant, drawn, hung, scenes, unpainted
from tests.companion.touching import Hand

PLACES = frozenset(
    {"area", "space", "unit", "general", "zone", "pile", "side", "round", "live", "clock", "menu", "lock"}
)
"""Verbs of what is explained without being an icon itself."""
LONGEST = 330  # letters
SENTENCES = 4


def things(sheet: Sheet) -> Iterator[About]:
    """What a finger may ask about: icons and figures, and places of the table."""
    yield from sheet.abouts
    yield from (About(one.rect, one.key) for one in sheet.targets if one.intent.verb in PLACES and not one.drag)


def asked(hand: Hand, shown: tuple[Shown, ...]) -> Iterator[tuple[About, Explanation | None]]:
    """All of them with the answers."""
    pictures = [one.pane.between or shared_picture(one.pane.screen) for one in shown]
    for one, own in zip(shown, pictures, strict=True):
        picture = own or next(filter(None, pictures), None)
        for layer in one.canvas.sheet.layers():
            yield from ((about, hand.app.explain(about.key, picture)) for about in things(layer))


@pytest.mark.parametrize(("number", "name"), list(enumerate(scenes())))
def test_every_icon_and_figure_of_a_table_is_explained(number: int, name: str) -> None:
    variant = Variant(layout="one" if number % 2 else "two")
    with hung(scenes()[name]) as hand, unpainted():
        if hand.app.table is None:
            return
        for about, told in asked(hand, drawn(hand, variant)[1]):
            assert told is not None, about
            assert told.title, about
            assert told.text.endswith((".", "?", "!")), told
            assert len(told.text) <= LONGEST, told
            assert told.text.count(". ") < SENTENCES, told
