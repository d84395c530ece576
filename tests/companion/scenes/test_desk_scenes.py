"""The desk in the settings: what is chosen is kept, devices get their roles, buttons are tried out, tags are bound."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import App
from companion.desk.in_use import FACTIONS, DeskInUse
from companion.desk.tags import file_of
from companion.scenes.settings.desk import (
    DeskScene,
    TryScene,
    control_rows,
    desk_summary,
    event_text,
    lamp_names,
    lamps,
)
from companion.scenes.settings.desk_devices import ROLES, TagScene, TagsScene, role_name
from companion.scenes.settings.settings import SettingsScene
from companion.settings.layers import Choices, Settings, load
from companion.text.devices import control_name, device_name, device_state
from companion.ui.screen import Intent, Log
from hardware.device import Health
from hardware.events import CONTROLS, Ailing, Chord, CodeRead, Plugged, Press, Thrown, Turned
from hardware.lights import OFF
from hardware.ports import PluggedPort
from tests.companion.equip import equip
from tests.companion.gallery.rooms.desk import HEALTHS, PICO, READER, heard, opened
from tests.companion.touching import Hand, words

CODE, OTHER = "0F00A1B2C3", "0F00A1B2C4"
NOW_S = 1.0


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """Return a hand at the settings of an app that keeps its choices, with one reader plugged in."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "mine.toml"))
    (tmp_path / "mine.toml").write_text("")
    app = App()
    equip(app.stage, choices=Choices(tmp_path / "mine.chosen.toml"))
    app.stage.desk.devices.ports = lambda: (PluggedPort(READER, "Reader (ttyUSB0)", "/dev/ttyUSB0"),)
    app.scene = SettingsScene(app.stage, app.scene)
    return Hand(app).press("Buttons and readers")


def test_pins_and_the_long_press_are_chosen_and_kept(kept: Hand) -> None:
    kept.app.touch(Intent("flip", "desk_pins"))
    kept.app.touch(Intent("pick", "long_press_s", 2))
    assert (load().desk_pins, load().long_press_s) == (True, 1.0)
    kept.app.touch(Intent("pick", "long_press_s", 9))
    kept.app.touch(Intent("page", "", 1))
    assert load().long_press_s == 1.0
    kept.press("Back")
    assert "buttons" in [button.note for button in kept.all_buttons()]


def test_what_the_desk_is_made_of_stands_on_its_button() -> None:
    whole = Settings(desk_pins=True, controller="c", readers=("a", "b"))
    assert list(map(desk_summary, (Settings(), whole))) == ["none", "buttons · controller · 2 readers"]


@pytest.mark.parametrize("role", ROLES)
def test_a_device_is_used_as_what_it_is(kept: Hand, role: str) -> None:
    kept.press("Devices", "Reader (ttyUSB0)")
    kept.app.touch(Intent("role", "controller"))
    kept.app.touch(Intent("role", "reader/two"))
    kept.app.touch(Intent("role", role))
    kept.app.touch(Intent("role", "dragon"))
    now = load()
    kind, _slash, side = role.partition("/")
    assert now.readers == ((READER,) if kind == "reader" else ())
    assert now.controller == (READER if kind == "controller" else "")
    assert now.reader_sides.get(READER, "") == side
    assert [button.label for button in kept.all_buttons() if button.look == "chosen"] == [role_name(role)]
    kept.press("Back")
    assert role_name(role) in [button.note for button in kept.all_buttons()]
    kept.press("Back")


def notes(hand: Hand) -> list[str]:
    return [button.note for button in hand.all_buttons()][:2]


def test_a_device_that_is_away_keeps_its_role_and_where_none_is_that_is_said(hand: Hand) -> None:
    opened(hand, "Devices")
    assert notes(hand) == ["card reader, side one", "table controller · not plugged in"]
    hand.app.stage.desk.devices.ports = lambda: (PluggedPort(PICO, "Pico", "/dev/ttyACM0"),)
    hand.press("Look again")
    assert notes(hand) == ["table controller", "card reader, side one · not plugged in"]
    hand.app.touch(Intent("page", "", 1))
    hand.app.stage.desk.devices.ports = lambda: ()
    hand.app.stage.change(readers=(), controller="")
    hand.press("Look again")
    assert "No serial device is plugged in." in hand.text()
    hand.press("Back")


def test_devices_and_all_that_can_happen_have_words() -> None:
    assert device_state(HEALTHS[0]) == ("bad", "gpiochip0, Pass, side two is ignored: it sticks or flickers")
    assert device_state(HEALTHS[1]) == ("ok", "12 messages, 3 bytes skipped")
    assert device_state(HEALTHS[2]) == ("bad", f"there is no {PICO}")
    assert device_state(Health("c", "controller", "present", "c", ails=("silent",)))[0] == "bad"
    assert device_name(READER) == "usb-1a86_USB_Serial-if00-port0"
    assert {control_name(control) for control in CONTROLS} & set(CONTROLS) == set()
    for event, told in (
        (Press("choose", "long", NOW_S), "Knob push: held"),
        (Turned(-1, NOW_S), "Knob: 1 click back"),
        (Chord(frozenset({"undo-one", "undo-two"}), NOW_S), "Together: Undo, side one + Undo, side two"),
        (Thrown((1, 2), NOW_S), "Dice in the tray: 1 2"),
        (Thrown((), NOW_S), "Dice in the tray: unreadable"),
        (Plugged("pins", True, NOW_S), "connected"),
        (Ailing("pins", "stuck", "choose", NOW_S), "stuck"),
    ):
        assert told in event_text(event)


def test_a_desk_that_cannot_be_is_told_above_all_and_the_page_of_presses_names_every_one(kept: Hand) -> None:
    kept.app.stage.desk.devices.fault = "confirm_one and pass_one are both on pin 5"
    assert "both on pin 5" in kept.text()
    kept.press("What the buttons do")
    assert len(control_rows()) == 10
    kept.app.touch(Intent("page", "", 1))
    kept.press("Back")
    assert isinstance(kept.app.scene, DeskScene)


# ---- trying it out ----------------------------------------------------------------------------------


def test_each_press_is_shown_and_does_nothing_else(hand: Hand) -> None:
    opened(hand, "Test the buttons")
    events = (Press("confirm-one", "short", NOW_S), Turned(2, NOW_S), CodeRead(READER, CODE, NOW_S))
    for event in events:
        assert hand.app.hearing.hear(event)
    [log] = hand.blocks(Log)
    assert log.lines == tuple(map(event_text, reversed(events)))
    hand.app.tick(1.0)
    assert isinstance(hand.app.scene, TryScene)


@pytest.mark.parametrize("control", ["undo-one", "undo-two", "choose"])
def test_holding_a_button_leaves(hand: Hand, control: str) -> None:
    opened(hand, "Test the buttons", "Turn")
    heard(hand, Press(control, "long", NOW_S))
    hand.app.tick(1.0)
    assert isinstance(hand.app.scene, DeskScene)
    assert hand.app.stage.desk.devices.trial is None


def test_every_lamp_is_lit_alone_and_all_go_dark_again(hand: Hand) -> None:
    opened(hand, "Test the buttons")
    desk = hand.app.stage.desk.devices
    for name, label in lamp_names().items():
        hand.press(label)
        assert desk.trial == lamps()[name] != OFF
        hand.press(label)
        assert desk.trial == OFF
    hand.press("Turn", "Beep", "Back")
    assert desk.trial is None
    each = lamps()
    together = each.pop("all")
    assert together.turn == FACTIONS["black"]
    assert each == {name: replace(OFF, **{name: getattr(together, name)}) for name in each}


def test_without_a_desk_that_is_said(hand: Hand) -> None:
    hand.app.scene = TryScene(hand.app.stage, hand.app.scene)
    assert "No buttons or readers are connected." in hand.text()
    assert not DeskInUse().is_there


# ---- tags -------------------------------------------------------------------------------------------


def tags(hand: Hand) -> TagsScene:
    scene = TagsScene(hand.app.stage, hand.app.scene)
    hand.app.scene = scene
    return scene


def read(hand: Hand, code: str = CODE) -> None:
    heard(hand, CodeRead(READER, code, NOW_S))


def codes(hand: Hand, card: str) -> tuple[str, ...]:
    return hand.app.stage.desk.tags.codes(hand.app.stage.board.mode, card)


def test_a_card_is_chosen_its_tags_are_laid_down_and_then_the_next(hand: Hand) -> None:
    tags(hand)
    first, second, *rest = hand.app.stage.board.mode.cards.values()
    hand.app.touch(Intent("card", first.name))
    for n in range(first.copies):
        read(hand, f"TAG{n}")
        read(hand, f"TAG{n}")
    assert codes(hand, first.name) == tuple(f"TAG{n}" for n in range(first.copies))
    assert "Every copy is tagged." in hand.text()
    read(hand, "MORE")
    assert "all copies of" in hand.text()
    hand.press("Next card")
    assert isinstance(hand.app.scene, TagScene)
    assert hand.app.scene.card == second
    hand.press("Back")
    mode = hand.app.stage.board.mode
    for card in (second, *rest):
        for n in range(card.copies):
            hand.app.stage.desk.tags.bind(mode, f"{card.name}{n}", card.name)
    hand.app.touch(Intent("card", second.name))
    hand.press("Next card")
    assert isinstance(hand.app.scene, TagsScene), "after the last card comes the deck"


def test_a_tag_is_taken_off_and_taken_over(hand: Hand) -> None:
    tags(hand)
    first, second, *_rest = hand.app.stage.board.mode.cards.values()
    hand.app.touch(Intent("card", first.name))
    read(hand)
    hand.press("Back")
    hand.app.touch(Intent("card", second.name))
    read(hand)
    assert codes(hand, second.name) == ()
    hand.press(f"Move it here from {first.heading}")
    assert (codes(hand, first.name), codes(hand, second.name)) == ((), (CODE,))
    hand.app.touch(Intent("move"))
    hand.press(CODE)
    assert codes(hand, second.name) == ()
    assert not hand.app.hearing.hear(Press("choose", "short", NOW_S)), "buttons go on meaning what they mean"


def test_which_card_is_this(hand: Hand) -> None:
    scene = tags(hand)
    assert "Put a card on the reader" in hand.text()
    read(hand)
    assert "isn't linked to a card yet" in hand.text()
    hand.app.touch(Intent("card", "mobilise"))
    read(hand)
    hand.press("Back")
    read(hand)
    assert "is Mobilise." in words(scene.show().blocks)
    assert [button.label for button in hand.all_buttons() if button.look == "chosen"] == ["Mobilise"]
    assert not scene.hear(Turned(1, NOW_S))
    hand.app.touch(Intent("page", "", 1))
    hand.press("Back")


def test_a_damaged_file_is_told_on_the_page(hand: Hand) -> None:
    path = file_of(hand.app.stage.board.mode)
    path.parent.mkdir(parents=True)
    path.write_text("nonsense")
    tags(hand)
    assert "set aside as" in hand.text()
    read(hand)
    assert "isn't linked to a card yet" in hand.text()
