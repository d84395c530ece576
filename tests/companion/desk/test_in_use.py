"""The desk is opened as the settings say, its lamps follow the game and go out after it; nothing stops the app."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import App
from companion.app.cues import CUES
from companion.desk import dark
from companion.desk.in_use import BUZZES, FACTIONS, FAINT, TURN_S, DeskInUse, State, colour_of, lights, plan_of
from companion.perception.area_questions import AreaQuestion
from companion.perception.sync.status import SyncStatus
from companion.settings.layers import PALETTES, Settings
from companion.ui.screen import Intent
from companion.view.window import ambience as around
from companion.view.window.ambience import Ambience, state
from hardware.desk import Desk, DeskPlan, open_desk
from hardware.errors import PinsError, WiringError
from hardware.events import Event, Press
from hardware.lights import DARK, OFF, Buzz, Lights
from hardware.simulated_pins import SimulatedPins
from hardware.wiring import Wiring
from tests.companion.desk.desk import DeskOf
from tests.companion.equip import equip
from tests.companion.sample_games import played
from tests.companion.situations import stands

READER = "/dev/serial/by-id/reader"


class Opened(Desk):
    """An open desk that remembers."""

    def __init__(self, plan: DeskPlan) -> None:
        super().__init__(())
        self.plan = plan
        self.told: list[object] = []

    def start(self, put: Callable[[Event], None]) -> None:
        """Begin nothing."""

    def show(self, lights: Lights) -> None:
        self.told.append(lights)

    def buzz(self, pattern: Buzz) -> None:
        self.told.append(pattern)

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
    kept.attend(0.0)
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
    kept.attend(0.0)
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


START = played()[1][0]
BOTH = frozenset(START.board.factions)


def test_without_a_game_all_is_dark() -> None:
    assert lights(State()) == OFF


def test_turn_and_initiative_shine_in_the_factions_colours() -> None:
    shown = lights(State(stands(START, waits_for=frozenset({"red"}))))
    assert shown.turn == FACTIONS["red"] == shown.initiative
    assert not shown.unsure
    assert not shown.out_of_sync
    assert lights(State(stands(START, waits_for=frozenset({"black"})))).turn == FACTIONS["black"] == (1.0, 1.0, 1.0)


def test_where_nobody_is_waited_for_the_turn_is_dark() -> None:
    shown = lights(State(stands(START, waits_for=frozenset())), TURN_S)
    assert (shown.turn, shown.initiative) == (DARK, FACTIONS["red"])


def test_where_both_are_waited_for_the_lamp_shows_one_after_the_other() -> None:
    shown = [lights(State(stands(START, waits_for=BOTH)), n * TURN_S).turn for n in (0.1, 1.1, 2.1)]
    assert shown == [FACTIONS["red"], FACTIONS["black"], FACTIONS["red"]]
    still = {lights(State(stands(START, waits_for=BOTH), motion=False), n * TURN_S).turn for n in (0.1, 1.1, 2.1)}
    assert still == {FACTIONS["red"]}, "it's nothing blinks where nothing's turn"


def test_the_winner_shines_in_the_end() -> None:
    end = played()[1][-1]
    assert end.winner_name is not None
    assert lights(State(stands(end, waits_for=BOTH)), 99.0).turn == FACTIONS[end.winner_name]


@pytest.mark.parametrize(
    ("sense", "unsure", "out"),
    [
        (SyncStatus("sync"), False, False),
        (SyncStatus("unsure"), True, False),
        (SyncStatus("lost"), True, False),
        (SyncStatus("out"), False, True),
        (SyncStatus("turn", question=AreaQuestion("b2", ())), True, False),
    ],
)
def test_the_camera_s_doubts_have_lamps_of_their_own(sense: SyncStatus, unsure: bool, out: bool) -> None:
    shown = lights(State(stands(START, waits_for=BOTH), sense))
    assert (shown.unsure, shown.out_of_sync) == (unsure, out)


def test_the_strip_has_an_end_for_each_side_and_a_lamp_for_each_round() -> None:
    strip = lights(State(stands(START, waits_for=frozenset({"black"})))).strip
    assert len(strip) == 2 + START.board.mode.rounds
    assert strip[0] == (FAINT, 0.0, 0.0)
    assert strip[-1] == FACTIONS["black"]
    assert [colour != DARK for colour in strip[1:-1]] == [n < START.round for n in range(START.board.mode.rounds)]


@pytest.mark.parametrize("palette", PALETTES)
def test_the_sides_of_a_board_differ_in_every_palette(palette: str) -> None:
    for faction, other in (("red", "black"), ("blue", "yellow")):
        first, second = colour_of(faction, palette), colour_of(other, palette)
        assert [part >= 0.5 for part in first] != [part >= 0.5 for part in second], "on lamps that are on or off, too"


class Lamps:
    """A desk that remembers what it was told."""

    def __init__(self) -> None:
        self.shown: list[Lights] = []
        self.buzzed: list[str] = []
        self.closed = False

    def show(self, wanted: Lights) -> None:
        self.shown.append(wanted)

    def buzz(self, cue: str, **_: bool) -> None:
        self.buzzed.append(cue)

    def close(self) -> None:
        self.closed = True


def test_the_attendant_lights_them_with_the_game_and_darkens_them_with_the_screen(desk_of: DeskOf) -> None:
    desk = desk_of(0)
    around, lamps = Ambience(desk.app), Lamps()
    equip(desk.app.stage, devices=lamps)
    around.idle.after_s = 10
    around.attend(0.0)
    desk.touch(Intent("pass"))
    around.attend(1.0)
    assert [lighting.turn for lighting in lamps.shown] == [FACTIONS["red"], FACTIONS["black"]]
    assert lamps.buzzed == ["turn"]
    around.attend(500.0)
    assert lamps.shown[-1] == OFF
    desk.app.scene = desk.app.home
    desk.app.touch(Intent("nothing"))
    assert state(desk.app) == State()
    around.close()
    assert lamps.closed


def test_every_cue_has_its_buzz() -> None:
    assert set(CUES) | {"no"} == set(BUZZES)
