"""The desk is opened as the settings say, and nothing of it stops the app; after that its lamps are put out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import App
from companion.desk import dark
from companion.desk.in_use import DeskInUse, plan_of
from companion.settings.layers import Settings
from companion.view.window import ambience as around
from hardware.desk import DeskPlan, open_desk
from hardware.device import Health
from hardware.errors import PinsError, WiringError
from hardware.events import Event, Press
from hardware.lights import OFF, Buzz, Lights
from hardware.simulated_pins import SimulatedPins
from hardware.wiring import Wiring
from tests.companion.equip import equip

READER = "/dev/serial/by-id/reader"


class Opened:
    """An open desk that remembers."""

    def __init__(self, plan: DeskPlan) -> None:
        self.plan = plan
        self.told: list[object] = []
        self.put: Callable[[Event], None] | None = None

    def start(self, put: Callable[[Event], None]) -> None:
        self.put = put

    def show(self, lights: Lights) -> None:
        self.told.append(lights)

    def buzz(self, pattern: Buzz) -> None:
        self.told.append(pattern)

    def health(self) -> tuple[Health, ...]:
        return (Health("pins", "pins", "present"),)

    def close(self) -> None:
        self.told.append("closed")


class Openers:
    """Opens desks, or refuses."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.opened: list[Opened] = []

    def __call__(self, plan: DeskPlan) -> Opened:
        if self.fault:
            raise PinsError(self.fault)
        self.opened.append(Opened(plan))
        return self.opened[-1]


def nobody(_event: Event) -> None:
    pass


def test_settings_without_devices_are_no_desk() -> None:
    assert plan_of(Settings()) is None
    opener = Openers()
    desk = DeskInUse(opener)
    desk.begin(Settings(), nobody)
    desk.show(OFF)
    desk.buzz("no")
    desk.close()
    assert opener.opened == []
    assert (desk.is_there, desk.health(), desk.fault) == (False, (), "")


def test_the_plan_says_what_the_settings_say() -> None:
    settings = Settings(desk_pins=True, pins={"buzzer": 0}, readers=(READER,), controller="c", long_press_s=1.0)
    assert plan_of(settings) == DeskPlan(Wiring(buzzer=0), (READER,), "c", 1.0)
    inverted = Settings(desk_pins=True, inverted=("lamps",))
    assert plan_of(inverted) == DeskPlan(Wiring(inverted=("lamps",)))
    assert plan_of(Settings(readers=(READER,))) == DeskPlan(None, (READER,), None, 0.7)
    with pytest.raises(WiringError, match="bell"):
        plan_of(Settings(desk_pins=True, pins={"bell": 4}))
    with pytest.raises(WiringError, match="bell can't be inverted"):
        plan_of(Settings(desk_pins=True, inverted=("bell",)))


def test_it_is_opened_anew_when_the_settings_change_and_only_then() -> None:
    opener, desk = Openers(), None
    desk = DeskInUse(opener)
    first = Settings(readers=(READER,))
    desk.begin(first, nobody)
    desk.heed(replace(first, theme="light"))
    assert len(opener.opened) == 1
    desk.heed(replace(first, controller="c"))
    assert opener.opened[0].told == [OFF, "closed"]
    assert opener.opened[1].plan.controller == "c"
    desk.heed(Settings())
    assert opener.opened[1].told[-1] == "closed"
    assert not desk.is_there


def test_lamps_are_told_once_and_the_buzzer_heeds_the_sounds() -> None:
    opener = Openers()
    desk = DeskInUse(opener)
    desk.begin(Settings(readers=(READER,), sound=False), nobody)
    lit = Lights(unsure=True)
    desk.show(lit)
    desk.show(lit)
    desk.buzz("no")
    assert opener.opened[0].told == [lit]
    desk.buzz("no", asked=True)
    desk.trial = Lights(out_of_sync=True)
    desk.show(lit)
    desk.trial = None
    desk.show(lit)
    assert opener.opened[0].told[2:] == [Lights(out_of_sync=True), lit]
    desk.heed(Settings(readers=(READER,)))
    desk.buzz("turn")
    assert len(opener.opened[0].told) == 5


def test_a_desk_that_cannot_be_opened_is_a_sentence(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(around, "keep_awake", lambda wanted: None)
    equip(app.stage, devices=DeskInUse(Openers("this machine has no pins")))
    app.stage.settings = replace(app.stage.settings, desk_pins=True)
    kept = around.ambience_of(app)
    assert app.screen().banner == "", "the picture comes first"
    kept.brightness(0.0)
    assert app.screen().banner == "No buttons or readers: this machine has no pins. Everything works by touch."
    app.stage.apply(replace(app.stage.settings, pins={"bell": 4}))
    assert "bell" in app.stage.desk.devices.fault
    kept.close()


def test_the_window_s_attendant_opens_a_real_desk_of_simulated_pins(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(around, "keep_awake", lambda wanted: None)
    told: list[Event] = []
    monkeypatch.setattr(around, "post", told.append)
    equip(app.stage, devices=DeskInUse(lambda plan: open_desk(replace(plan, pins="simulated"))))
    app.stage.settings = replace(app.stage.settings, desk_pins=True)
    kept = around.ambience_of(app)
    kept.brightness(0.0)
    assert app.stage.desk.devices.is_there
    assert [device.state for device in app.stage.desk.devices.health()] == ["present"]
    app.stage.apply(replace(app.stage.settings, long_press_s=1.5))
    kept.close()
    assert not app.stage.desk.devices.is_there
    assert all(not isinstance(event, Press) for event in told)


def test_what_is_plugged_in_has_an_address_and_a_name() -> None:
    from hardware.ports import PluggedPort

    desk = DeskInUse(Openers())
    desk.ports = lambda: (PluggedPort(READER, "Reader (ttyUSB0)", "/dev/ttyUSB0"),)
    assert desk.plugged_names() == {READER: "Reader (ttyUSB0)"}


Taken = list[SimulatedPins]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Taken:
    pins: Taken = []

    def open_pins(wiring: Wiring) -> SimulatedPins:
        pins.append(SimulatedPins(wiring))
        return pins[-1]

    monkeypatch.setattr(dark, "open_gpio", open_pins)
    return pins


@pytest.fixture
def wish(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    def write(text: str) -> None:
        (tmp_path / "settings.toml").write_text(text)
        monkeypatch.setenv("GUNBAI_SETTINGS", str(tmp_path / "settings.toml"))

    return write


def test_the_wired_pins_are_taken_and_let_go_of(wish: Callable[[str], None], taken: Taken) -> None:
    wish("[desk]\npins = true\ninverted = ['lamps']\n[pins]\nbuzzer = 10\n")
    assert dark.main() == 0
    assert [pins.wiring for pins in taken] == [Wiring(buzzer=10, inverted=("lamps",))]
    assert [pins.closed for pins in taken] == [True]


@pytest.mark.parametrize("text", ["", "[desk]\npins = false\n", '[desk]\ncontroller = "/dev/table"\n'])
def test_pins_that_are_not_ours_are_left_alone(wish: Callable[[str], None], taken: Taken, text: str) -> None:
    wish(text)
    assert dark.main() == 0
    assert taken == []


def test_pins_that_cannot_be_had_are_one_line(
    wish: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(wiring: Wiring) -> SimulatedPins:
        raise PinsError("this machine isn't a Raspberry Pi, so it has no pins")

    wish("[desk]\npins = true\n")
    monkeypatch.setattr(dark, "open_gpio", refuse)
    assert dark.main() == 1
    assert capsys.readouterr().err == "gunbai: this machine isn't a Raspberry Pi, so it has no pins\n"
