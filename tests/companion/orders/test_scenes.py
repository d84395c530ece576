"""The table, its scenes and its games, driven by touches and without a screen."""

from __future__ import annotations

import pytest

from companion.core import storage
from companion.games.match import Match
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.turn import AreaPanel, TurnPanel
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Pass
from engine.ruling import Finding
from tests.companion.orders.turn.playing import scene
from tests.companion.touching import Hand, Player


@pytest.fixture
def table(hand: Hand) -> Hand:
    return hand.start()


def ruled(hand: Hand) -> tuple[Finding, ...]:
    """All that the ruling on the screen looked at."""
    assert isinstance(hand.app.scene, RulingScene)
    return hand.app.scene.ruling.findings


# ---- a turn -----------------------------------------------------------------------------------


def test_a_step_is_on_the_disk_before_the_screen_shows_it(table: Hand) -> None:
    table.press("Pass")
    assert scene(table).match.steps == (Pass(),)
    assert scene(table).match.path.read_text().splitlines()[-1].startswith('{"pass": true')
    assert table.screen.status is not None
    assert [side.standby for side in table.screen.status.sides] == [1, 0]


def test_where_the_disk_refuses_the_game_goes_on_in_memory(table: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, size: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage, "append", full)
    table.press("Pass")
    assert scene(table).match.steps == (Pass(),)
    table.app.tick(0.0)
    assert "Not saved: the disk is full. You can keep playing; 1 step is unsaved." in table.screen.banner


def test_undo_takes_steps_back_and_says_when_there_is_none(table: Hand) -> None:
    assert table.button("Undo").look == "off"
    table.press("Pass", "Undo")
    assert scene(table).match.steps == ()
    [todo] = [block for block in table.screen.blocks if isinstance(block, scr.Checklist)]
    assert (todo.title, [line.text for line in todo.lines]) == (
        "To undo on the board:",
        ["Red: take the commander back from standby"],
    )
    table.press("Undo")
    assert "Nothing to undo" in table.screen.banner
    table.press("Pass")
    assert not table.screen.banner


def test_an_undo_that_cannot_be_saved_says_so(table: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    table.press("Pass")
    monkeypatch.setattr(storage, "write_new", lambda path, data: (_ for _ in ()).throw(OSError(28, "disk full")))
    table.press("Undo")
    table.app.tick(0.0)
    assert "Not saved: the disk is full. You can keep playing; 1 step is unsaved." in table.screen.banner
    assert scene(table).match.steps == ()


def test_touching_an_area_lists_its_spaces_and_facts(table: Hand) -> None:
    table.area("c5", "c5")
    assert "c5 · land" in table.text()
    assert "2 victory points" in table.text()
    assert "Shipyard" in table.text()
    assert table.button("Advance to c5").look == "plain"
    table.area("c5")
    assert isinstance(scene(table).panel, TurnPanel)
    table.area("a3")
    assert "Black's headquarters" in table.text()
    assert "Port to a4, b4" in table.text()
    assert "in supply" in table.text()
    table.area("b2").press("Back")
    assert isinstance(scene(table).panel, TurnPanel)


def test_a_live_space_on_the_map_opens_its_form_at_once(table: Hand) -> None:
    table.app.touch(Intent("space", "advance:c4"))
    assert "Advance to c4" in table.text()
    table.press("Cancel")
    assert isinstance(scene(table).panel, TurnPanel)


def test_a_dead_space_says_why_not_with_its_citation(table: Hand) -> None:
    table.area("d3").press("Advance to d3")
    assert isinstance(table.app.scene, RulingScene)
    lines = ruled(table)
    broken = [line for line in lines if not line.holds]
    assert [line.rule for line in broken] == ["advance.not-controlled"]
    assert broken[0].citation.section == "Advance"
    assert "d3" in broken[0].message
    table.app.touch(Intent("page", "", 1))
    assert table.screen.page == 1
    table.press("Back")
    assert isinstance(table.app.scene, BoardTable)


@pytest.mark.parametrize(
    ("area", "space", "rule"),
    [
        ("a1", "Advance to a1", "advance.reach"),
        ("b3", "Shell from b3", "shell.supply"),
        ("b4", "Bombard from b4", "bombard.supply"),
        ("c2", "Sail to c2", "sail.reach"),
    ],
)
def test_a_dead_space_is_judged_as_a_player_would_mean_it(table: Hand, area: str, space: str, rule: str) -> None:
    table.area(area).press(space)
    lines = ruled(table)
    assert rule in [line.rule for line in lines if not line.holds]
    assert not [line.rule for line in lines if not line.holds and line.rule.endswith(".target")]


def test_a_ruling_shows_the_areas_it_speaks_of(table: Hand) -> None:
    table.area("c2").press("Sail to c2")
    assert table.screen.map is not None
    assert {area.name for area in table.screen.map.areas if area.mark} >= {"c2"}


def test_support_spaces_are_once_a_round(table: Hand) -> None:
    table.press("Plan 1", "Deploy", "Pass", "Plan 2")
    lines = ruled(table)
    assert [line.rule for line in lines if not line.holds] == ["plan.one-per-round"]
    table.press("Back")
    assert table.button("Plan 1").note == "taken by Red"


def test_once_the_game_is_over_only_the_score_is_left(table: Hand) -> None:
    Player(table, 1).play(3000)
    assert isinstance(table.app.scene, EndScene)
    table.press("Back")
    assert "has won" in table.text()
    assert [button.label for button in table.all_buttons()] == ["Undo", "Score", "Ask"]
    table.app.touch(Intent("pass"))
    assert isinstance(table.app.scene, RulingScene), "a touch on what is not there is still answered"
    table.press("Back", "Score")
    assert isinstance(table.app.scene, EndScene)


# ---- a whole game, by touches only ------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_game_by_touches_alone(table: Hand, seed: int) -> None:
    match = scene(table).match
    assert Player(table, seed).play(3000) < 3000
    assert isinstance(table.app.scene, EndScene)
    assert match.position.winner_name is not None
    assert sum(isinstance(step, Deploy) for step in match.steps) > 5
    match.close()
    assert Match.open(match.path).position == match.position


# ---- menu -------------------------------------------------------------------------------------


def test_home_lets_go_of_the_game_and_leave_leaves(table: Hand) -> None:
    table.app.touch(Intent("menu"))
    table.press("Home", "Continue last game")
    assert isinstance(table.app.scene, BoardTable)
    table.app.touch(Intent("menu"))
    table.press("More", "Quit Gunbai")
    assert not table.app.running


def test_the_status_is_always_there(table: Hand) -> None:
    status = table.screen.status
    assert status is not None
    assert (status.round, status.rounds, status.deck) == (1, 4, 24)
    assert [(s.label, s.points, s.commanders_left, s.commanders, s.hand) for s in status.sides] == [
        ("Red", 0, 5, 5, 0),
        ("Black", 0, 5, 5, 0),
    ]
    assert [s.initiative for s in status.sides] == [True, False]


def test_areas_cut_off_are_told_from_supplied_ones(table: Hand) -> None:
    table.app.touch(Intent("space", "advance:c4"))
    table.area("d5", "d5").press("Deploy")
    assert table.screen.map is not None
    areas = {area.name: area for area in table.screen.map.areas}
    assert areas["c4"].controller == "red"
    assert areas["c4"].supplied
    assert areas["c3"].controller is None
    assert not areas["c3"].supplied


def test_an_area_panel_stays_when_another_area_is_touched(table: Hand) -> None:
    table.area("b5", "a1")
    panel = scene(table).panel
    assert isinstance(panel, AreaPanel)
    assert panel.area.name == "a1"
