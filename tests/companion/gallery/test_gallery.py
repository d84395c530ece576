"""Every scene of the gallery, at every size and in every layout, theme and language: whole, apart, large enough."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import resources
from unittest import mock

import pygame
import pytest

from companion.app.split_screen import shared_picture
from companion.scenes.table.table import TableScene
from companion.ui import screen as scr
from companion.ui.screen import Intent, Screen
from companion.ui.small_map import SmallMap
from companion.ui.table_pictures import Picture
from companion.view.kit import kept
from companion.view.kit.sheet import About, Label, Rect, Sheet
from companion.view.page.canvas import draw
from companion.view.window.panes import Pane, Shown
from engine.rulebook import load_readings, load_rules
from tests.companion.gallery.gallery import (
    LANGUAGES,
    MIDDLE,
    SIZES,
    Variant,
    at_a_glance,
    drawn,
    faults_in,
    hung,
    scene,
    scenes,
    unpainted,
    variants,
)
from tests.companion.gallery.page_checks import accents, covered, half_empty
from tests.companion.gallery.sheet_checks import (
    breaking,
    broken_words,
    crossing,
    cut_off,
    cut_shapes,
    faint,
    ill_worded,
    on_top,
    too_small,
)
from tests.companion.touching import Hand

BOOKS = [path.name.removesuffix(".toml") for path in (resources.files("engine") / "data" / "rules").iterdir()]


def inner_names() -> frozenset[str]:
    """Return what rules and readings of every book are called inside the code."""
    rules = {rule for book in BOOKS for rule in load_rules(book)}
    return frozenset(rules | {name for book in BOOKS for name in load_readings(book) if "-" in name})


NOTE = scr.Button("Note", Intent("note"))
WAYS = (scr.back_button(), replace(scr.cancel_button(), label="Table"))
BAR = Variant((1920, 480))
WHOLE = (
    Variant(language="pt_BR"),
    Variant(MIDDLE, language="pt_BR"),
    Variant(SIZES[1]),
    Variant(SIZES[2], language="pt_BR"),
    BAR,
)
"""Where no page may be half empty; a half of a screen has no room for a picture."""
SPARSE = ((BAR, "duel_by_hand"),)  # few numbers to set, in the columns of a bar
INNER = inner_names()
MANY_PARTS = 10_000
WORD = re.compile(r"[a-z][a-z_]*(?:[.-][a-z_]+)+")


# ---- what a long touch says: every icon, figure and place of a table's screen has an explanation -----------

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


# ---- the scenes -----------------------------------------------------------------------------------


def texts(value: object) -> Iterator[str]:
    """All that a screen has to be read, on whatever page; not what touches mean, nor the pictures' own names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from texts(item)
    elif is_dataclass(value) and not isinstance(value, Intent | SmallMap | scr.MapPicture | scr.PhotoPicture | Picture):
        for field in fields(value):
            yield from texts(getattr(value, field.name))


def faults_at_a_glance(hand: Hand, name: str) -> list[str]:
    """Return what is wrong with a scene that is painted; nobody reads what only the house calls a rule."""
    _narrowest, painted = at_a_glance(name)
    found = [
        f"{word} is the house's own name" for word in INNER & set(WORD.findall(" ".join(texts(hand.app.screen()))))
    ]
    found += faults_in(hand, painted, painted_as=name, filled=True)
    return [f"{painted}: {fault}" for fault in (*found, *unexplained(hand, painted))]


@pytest.mark.parametrize("name", scenes())
def test_every_scene_fits_and_stands_out_and_is_in_the_words_of_the_game(name: str) -> None:
    """Where it is narrowest, and painted in one of the themes: a glance, as the whole look below has it too."""
    narrowest, _painted = at_a_glance(name)
    with hung(scenes()[name]) as hand:
        assert faults_at_a_glance(hand, name) == []
        assert faults_in(hand, narrowest, filled=True) == [], narrowest


@pytest.fixture
def _parts_of_many_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what one scene and the next have alike in all variants, and not the last variant's alone."""
    monkeypatch.setattr(kept, "MOST_PARTS", MANY_PARTS)


@pytest.mark.long
@pytest.mark.usefixtures("_parts_of_many_variants")
@pytest.mark.parametrize("name", scenes())
def test_every_scene_fits_at_every_size_and_in_every_layout_and_language(name: str) -> None:
    """Each is hung once for each language, as what a scene has said stays as it was said."""
    _narrowest, painted = at_a_glance(name)
    found = []
    for spoken in LANGUAGES:
        with hung(scenes()[name], spoken) as hand:
            if spoken == painted.language:
                found += faults_at_a_glance(hand, name)
            for variant in (*variants(name), BAR):
                if variant.language == spoken and variant != painted._replace(theme=variant.theme):
                    faults = faults_in(hand, variant, filled=variant in WHOLE and (variant, name) not in SPARSE)
                    # a map on a bar is as high as the glass, and its areas may be smaller than a finger
                    found += [
                        f"{variant}: {fault}" for fault in faults if variant != BAR or not fault.startswith("area ")
                    ]
    assert found == []


def test_a_name_hangs_in_the_gallery_once() -> None:
    def menu(_hand: object) -> None:
        pass

    menu.__module__ = "elsewhere"
    assert "menu" in scenes()
    with pytest.raises(ValueError, match="menu hangs in the gallery twice"):
        scene(menu)


def test_what_has_no_explanation_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    with hung(scenes()["attack"]) as hand:
        assert unexplained(hand, Variant()) == []
        monkeypatch.setattr("companion.scenes.table.orders_presenter.ORDERS_MEANINGS", {})
        assert {"initiative", "commanders", "deck", "worth"} <= set(unexplained(hand, Variant()))


def test_the_checks_see_what_is_wrong() -> None:
    canvas = draw(Screen("Too long a title to fit", (scr.Text("a"),)), (800, 480))
    label = canvas.sheet.labels[0]
    canvas.sheet.labels.append(Label(label.rect._replace(w=20), "much too long for this", 16, False, "#ffffff", "left"))
    canvas.sheet.labels.append(label)
    canvas.sheet.labels.append(replace(label, colour=canvas.sheet.look.page))
    canvas.sheet.target(Rect(0, 0, 20, 50), Intent("small"))
    canvas.sheet.target(Rect(0, 0, 70, 70), Intent("large"))
    assert cut_off(canvas)
    assert on_top(canvas)
    assert faint(canvas)
    assert too_small(canvas) == ["small is only 3.8 by 9.5 mm"]
    assert crossing(canvas)


def test_the_checks_see_shapes_that_are_cut() -> None:
    screen = Screen("Title", (scr.Text("a"),))
    shown = Shown(Pane("", screen, pygame.Rect(0, 0, 800, 480)), draw(screen, (800, 480)))
    sheet = shown.canvas.sheet
    assert cut_shapes(shown) == []
    for x, place in ((90, Rect(90, 90, 30, 30)), (115, Rect(90, 90, 30, 30)), (300, Rect(10, 10, 30, 30))):
        sheet.raw(f'<rect x="{x}" y="95" width="20" height="20" fill="#fff"/>')
        sheet.groups.append((len(sheet.shapes), place))
    _beyond_its_edge, _elsewhere = cut_shapes(shown)


def test_the_checks_see_a_void_and_an_accent_too_many() -> None:
    main = scr.Button("On", Intent("on"), "primary")
    void, two = Screen("Title", (scr.Log(("a",)),)), Screen("Title", (scr.Buttons((main,)),), (main, NOTE))
    shown = [Shown(Pane("", screen, pygame.Rect(0, 0, 800, 480)), draw(screen, (800, 480))) for screen in (void, two)]
    assert covered(shown[0].canvas) < 0.1
    assert half_empty(shown[0]) == ["only 1% of the page is filled"]
    assert accents(shown[0]) == []
    assert accents(shown[1]) == ["the accent is on 2 buttons: ['On', 'On']"]


def test_the_checks_see_words_that_go_wrong() -> None:
    narrow = Screen("Somethingelse" * 9, (scr.Columns((scr.Text("no general can act."),), ()),), (NOTE, NOTE, *WAYS))
    with breaking() as ends:
        canvas = draw(narrow, (800, 480))
    assert broken_words(canvas, ends)
    assert ill_worded(narrow) == [
        "'Note' is there 2 times",
        "'Table' leaves in words of its own",
        "two buttons leave",
        "'no general can act.' begins with a small letter",
    ]
    with breaking() as ends:
        assert broken_words(draw(Screen("All words whole", (scr.Text("c4 is empty."),)), (800, 480)), ends) == []
    assert ill_worded(Screen("", (scr.Text("c4 is empty."),), (NOTE,))) == []
