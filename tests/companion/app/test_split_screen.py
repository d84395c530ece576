"""Two players at one screen: what each half shows, where a touch leads, and what both see together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.app import App
from companion.scenes.base.stage import Scene
from companion.scenes.home.home import HomeScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.game_menu import MenuScene
from companion.ui.screen import Intent, Screen
from tests.companion.touching import two_sided


class Page:
    """A scene that leads where it is told to."""

    def __init__(self, title: str, leads: dict[str, Scene] | None = None) -> None:
        self.title = title
        self.leads = leads or {}
        self.ticks = 0

    def show(self) -> Screen:
        return Screen(title=self.title)

    def touch(self, intent: Intent) -> Scene | None:
        return self.leads.get(intent.verb)


class Facing(Page):
    """A scene that both players see, each in an own way."""

    shared = True

    def show_to(self, faction: str) -> Screen:
        return Screen(title=f"{self.title} for {faction}")


class Wide(Page):
    """A scene that needs the whole glass."""

    whole = True


class Moving(Page):
    """A scene whose picture changes by itself, once, and then leads on."""

    def tick(self, now_s: float) -> Scene | None:
        self.ticks += 1
        return self if self.ticks == 1 else self.leads.get("on")


@pytest.fixture
def app(app: App) -> App:
    return two_sided(app)


def titles(app: App) -> tuple[str, ...]:
    return tuple(face.screen.title for face in app.faces().faces)


def opened(app: App, seat: str, page: Scene) -> None:
    """Let a half open a page, as the table would."""
    assert app.table is not None
    app.scene = app.seats.follow(seat, (app.table, page), app.table)


def test_the_players_share_the_table_and_its_map_stands_between_them(app: App) -> None:
    shown = app.faces()
    assert [face.seat for face in shown.faces] == ["red", "black"]
    assert all(face.screen.map is None and face.screen.status for face in shown.faces)
    assert shown.middle is not None
    assert shown.middle.seat == "red"
    assert shown.middle.screen.map is not None
    app.touch(Intent("pass", seat="red"))
    middle = app.faces().middle
    assert middle is not None
    assert middle.seat == "black", "the map faces whom the table waits for"


def test_one_half_opens_a_page_while_the_other_plays_on(app: App) -> None:
    app.touch(Intent("menu", seat="black"))
    table = app.table
    assert app.scene is table
    assert isinstance(app.seats.own["black"], MenuScene)
    assert titles(app)[0] == ""
    assert titles(app)[1] == app.seats.own["black"].show().title
    app.touch(Intent("pass", seat="red"))
    assert isinstance(app.seats.own["black"], MenuScene)
    app.touch(Intent("back", seat="black"))
    assert app.seats.own == {}
    assert app.scene is table


def test_leaving_the_game_is_for_both(app: App) -> None:
    app.touch(Intent("menu", seat="red"))
    app.touch(Intent("menu", seat="black"))
    home = app.table.home if app.table else None
    opened(app, "red", Page("way out", {"home": home} if home else None))
    app.touch(Intent("home", seat="red"))
    assert isinstance(app.scene, HomeScene)
    assert app.seats.own == {}
    [face] = app.faces().faces
    assert face.seat == ""


def test_a_page_for_the_whole_glass_has_the_picture_beside_it_too(app: App) -> None:
    assert all(face.screen.beside is None for face in app.faces().faces), "a half has no room for it"
    app.scene, app.table = Page("about"), None
    [face] = app.faces().faces
    assert face.screen.beside is not None


def test_what_concerns_both_is_shown_to_both_and_leads_back_to_who_opened_it(app: App) -> None:
    log = Page("log")
    consent = Facing("agree", {"yes": log})
    log.leads["ask"] = consent
    opened(app, "red", log)
    opened(app, "black", Page("rules"))
    app.touch(Intent("ask", seat="red"))
    assert titles(app) == ("agree for red", "agree for black")
    app.touch(Intent("yes", seat="black"))
    assert titles(app) == ("log", "rules")


def test_what_concerns_both_ends_at_the_table_for_who_opened_it_alone(app: App) -> None:
    assert app.table is not None
    consent = Facing("agree", {"yes": app.table})
    opened(app, "red", Page("log", {"ask": consent}))
    opened(app, "black", Page("rules"))
    app.touch(Intent("ask", seat="red"))
    app.touch(Intent("yes", seat="black"))
    assert titles(app) == ("", "rules")


def test_a_keyboard_takes_the_whole_glass_turned_to_who_types(app: App) -> None:
    opened(app, "black", Wide("name"))
    shown = app.faces()
    assert [face.seat for face in shown.faces] == ["black"]
    assert shown.turned
    app.seats.clear()
    opened(app, "red", Wide("name"))
    assert not app.faces().turned


def test_a_fault_is_told_to_who_met_it(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(intent: Intent) -> None:
        raise OSError("the disk is full")

    assert app.table is not None
    monkeypatch.setattr(app.table, "touch", broken)
    app.touch(Intent("pass", seat="black"))
    assert [face.screen.banner for face in app.faces().faces] == ["", "the disk is full"]


def test_a_page_of_one_half_lives_on_its_own(app: App) -> None:
    after = Page("found")
    moving = Moving("looking", {"on": after})
    opened(app, "black", moving)
    for second in range(2):
        app.tick(float(second))
    assert titles(app) == ("", "found")


def test_one_screen_again_shows_the_page_that_was_touched_last(app: App) -> None:
    page = Page("settings")
    opened(app, "black", page)
    app.stage.settings = replace(app.stage.settings, layout="one")
    app.touch(Intent("anything", seat="black"))
    assert app.scene is page
    assert app.seats.own == {}


def test_a_game_that_is_over_is_for_both(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    table = app.table
    assert isinstance(table, BoardTable)
    over = Page("score")
    monkeypatch.setattr(type(table), "winner", "red")
    app.scene = app.seats.follow("red", (table, over), table)
    assert app.scene is over
