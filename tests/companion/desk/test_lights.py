"""The lamps follow the game, and nothing else."""

from __future__ import annotations

import pytest

from companion.app.cues import CUES
from companion.desk.in_use import BUZZES, FACTIONS, FAINT, TURN_S, State, colour_of, lights
from companion.perception.area_questions import AreaQuestion
from companion.perception.sync.status import SyncStatus
from companion.settings.layers import PALETTES
from companion.ui.screen import Intent
from companion.view.window.ambience import Ambience, state
from hardware.lights import DARK, OFF, Lights
from tests.companion.desk.desk import Desk
from tests.companion.equip import equip
from tests.companion.sample_games import played
from tests.companion.situations import stands

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


@pytest.mark.usefixtures("app")
def test_the_attendant_lights_them_with_the_game_and_darkens_them_with_the_screen() -> None:
    desk = Desk(0)
    around, lamps = Ambience(desk.app), Lamps()
    equip(desk.app.stage, devices=lamps)
    around.idle.after_s = 10
    around.brightness(0.0)
    desk.touch(Intent("pass"))
    around.brightness(1.0)
    assert [lighting.turn for lighting in lamps.shown] == [FACTIONS["red"], FACTIONS["black"]]
    assert lamps.buzzed == ["turn"]
    around.brightness(500.0)
    assert lamps.shown[-1] == OFF
    desk.app.scene = desk.app.home
    desk.app.touch(Intent("nothing"))
    assert state(desk.app) == State()
    around.close()
    assert lamps.closed


def test_every_cue_has_its_buzz() -> None:
    assert set(CUES) | {"no"} == set(BUZZES)
