"""The table, its scenes and its games by touches: how few a usual turn takes, and what the map answers."""

from __future__ import annotations

from collections.abc import Mapping
from unittest import mock

import pytest

from companion.core import storage
from companion.games.match import Match
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlaceForm
from companion.scenes.orders.targeting import ShotForm
from companion.scenes.orders.turn import AreaPanel, TurnPanel
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Pass, Roll, Step
from engine.ruling import Finding
from tests.companion.orders.turn.playing import PASS, TO_C4, happened, last, scene
from tests.companion.touching import Hand, Player
from tests.tables import rivers


def ruled(hand: Hand) -> tuple[Finding, ...]:
    """All that the ruling on the screen looked at."""
    assert isinstance(hand.app.scene, RulingScene)
    return hand.app.scene.ruling.findings


# ---- a turn -----------------------------------------------------------------------------------


def test_the_status_is_always_there_and_a_step_on_the_disk_before_the_screen_shows_it(table: Hand) -> None:
    status = table.screen.status
    assert status is not None
    assert (status.round, status.rounds, status.deck) == (1, 4, 24)
    assert [(side.label, side.points, side.commanders_left, side.commanders, side.hand) for side in status.sides] == [
        ("Red", 0, 5, 5, 0),
        ("Black", 0, 5, 5, 0),
    ]
    assert [side.initiative for side in status.sides] == [True, False]
    table.press("Pass")
    assert scene(table).match.steps == (Pass(),)
    assert scene(table).match.path.read_text().splitlines()[-1].startswith('{"pass": true')
    status = table.screen.status
    assert status is not None
    assert [side.standby for side in status.sides] == [1, 0]


def test_where_the_disk_refuses_the_game_goes_on_in_memory(table: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "append", mock.Mock(side_effect=OSError(28, "No space left on device")))
    table.press("Pass")
    assert scene(table).match.steps == (Pass(),)
    table.app.tick(0.0)
    assert "Not saved: the disk is full. You can keep playing; 1 step is unsaved." in table.screen.banner


def test_undo_takes_steps_back_and_says_when_there_is_none(table: Hand) -> None:
    assert table.button("Undo").look == "off"
    table.press("Pass", "Undo")
    assert scene(table).match.steps == ()
    [todo] = table.blocks(scr.Checklist)
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
    monkeypatch.setattr(storage, "write_new", mock.Mock(side_effect=OSError(28, "disk full")))
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
    assert area in {shown.name for shown in table.picture.areas if shown.mark}, "the map shows what it speaks of"


def test_support_spaces_are_once_a_round(table: Hand) -> None:
    table.press("Plan 1", "Deploy", "Pass", "Plan 2")
    lines = ruled(table)
    assert [line.rule for line in lines if not line.holds] == ["plan.one-per-round"]
    table.press("Back")
    assert table.button("Plan 1").note == "taken by Red"


def test_once_a_whole_game_by_touches_alone_is_over_only_the_score_is_left(table: Hand) -> None:
    match = scene(table).match
    assert Player(table, 1).play(3000) < 3000
    assert isinstance(table.app.scene, EndScene)
    assert match.position.winner_name is not None
    assert sum(isinstance(step, Deploy) for step in match.steps) > 5
    table.press("Back")
    assert "has won" in table.text()
    assert table.labels == ["Undo", "Score", "Ask"]
    table.app.touch(Intent("pass"))
    assert isinstance(table.app.scene, RulingScene), "a touch on what is not there is still answered"
    table.press("Back", "Score")
    assert isinstance(table.app.scene, EndScene)
    match.close()
    assert Match.open(match.path).position == match.position


# ---- what the table shows, and how few touches the usual turn takes ---------------------------------


def test_areas_cut_off_are_told_from_supplied_ones(table: Hand) -> None:
    table.app.touch(Intent("space", "advance:c4"))
    table.area("d5", "d5").press("Deploy")
    areas = {area.name: area for area in table.picture.areas}
    assert areas["c4"].controller == "red"
    assert areas["c4"].supplied
    assert areas["c3"].controller is None
    assert not areas["c3"].supplied


SHOTS = [{"deploy": "sail:c6", "moves": {"e4": {"ship": 2}}}]


@pytest.mark.parametrize(
    ("before", "touches", "step"),
    [
        ([], [Intent("area", "c4"), "Deploy"], Deploy("advance:c4", moves=(("d5", "troop", 2),))),
        ([], [Intent("drag", "d5/c4"), "Deploy"], Deploy("advance:c4", moves=(("d5", "troop", 2),))),
        (
            [],
            [Intent("area", "d5"), Intent("area", "c4"), "Deploy"],
            Deploy("advance:c4", moves=(("d5", "troop", 2),)),
        ),
        ([], [Intent("area", "d4"), "Deploy"], Deploy("sail:d4", moves=(("e4", "ship", 2),))),
        (SHOTS, [Intent("area", "b5"), "Shell from b5", "Deploy"], Deploy("shell:b5", target="c6")),
        (SHOTS, [Intent("area", "b5"), Intent("area", "c6"), "Deploy"], Deploy("shell:b5", target="c6")),
        ([*SHOTS, PASS], [Intent("drag", "c6/b5"), "Deploy"], Deploy("bombard:c6", target="b5")),
        ([], ["Plan 1", "Deploy"], Deploy("plan:1", draw=1)),
        ([], ["Pass"], Pass()),
        (
            [TO_C4, PASS, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}}],
            [Intent("die", "", 1), "Confirm"],
            Roll((1,), "black"),
        ),
    ],
)
def test_the_usual_turn_takes_three_touches_at_most(
    table: Hand, before: list[Mapping[str, object]], touches: list[Intent | str], step: Step
) -> None:
    happened(table, *before)
    assert len(touches) <= 3
    for touch in touches:
        if isinstance(touch, str):
            table.press(touch)
        else:
            table.app.touch(touch)
    assert last(table) == step


@pytest.mark.parametrize(("space", "units"), [("Reinforce 1", 6), ("Reinforce 2", 5), ("Embark 1", 3), ("Embark 2", 2)])
def test_placements_are_filled_in_where_the_enemy_is_near(table: Hand, space: str, units: int) -> None:
    table.press(space, "Deploy")
    step = last(table)
    assert isinstance(step, Deploy)
    assert sum(n for _area, _unit, n in step.place) == units


def test_the_headquarters_is_spared_by_what_is_filled_in() -> None:
    form = MoveForm(rivers("e3:4 d3:3", "a3:3 d2:1"), "advance:d2")
    form.begin()
    assert form.step().moves == (("d3", "troop", 2),)
    alone = MoveForm(rivers("e3:4 e1:1", "a3:3"), "advance:d1")
    alone.begin()
    assert not alone.step().moves, "nothing can come from e1's last unit"
    home = MoveForm(rivers("e3:4", "a3:3"), "advance:e1")
    home.begin()
    assert home.step().moves == (("e3", "troop", 2),), "one more stays at home than must"


def test_an_area_of_ones_own_shows_what_it_can_reach(table: Hand) -> None:
    table.area("d5")
    assert isinstance(scene(table).panel, AreaPanel)
    reached = {area.name for area in table.picture.areas if area.mark == "live"}
    assert reached == {"c4", "c5", "c6", "d4", "e4"}
    table.app.touch(Intent("drag", "d5/c4"))
    assert isinstance(scene(table).panel, MoveForm)
    table.press("Cancel").area("d5")
    table.area("c6")
    panel = scene(table).panel
    assert isinstance(panel, ShotForm)
    assert panel.target == "c6"


def test_another_area_is_gone_to_instead(table: Hand) -> None:
    table.area("c4", "c5")
    panel = scene(table).panel
    assert isinstance(panel, MoveForm)
    assert panel.space.name == "advance:c5"
    table.area("c5")
    assert isinstance(scene(table).panel, AreaPanel), "its target again: all about it"
    table.area("b3")
    assert isinstance(scene(table).panel, AreaPanel)


def test_a_drag_that_is_no_move_is_explained(table: Hand) -> None:
    table.app.touch(Intent("drag", "e1/c4"))
    assert isinstance(table.app.scene, RulingScene)
    assert {objection.rule for objection in table.app.scene.ruling.objections} == {"advance.reach"}
    table.press("Back")
    table.app.touch(Intent("drag", "c4/c4"))
    assert isinstance(scene(table).panel, MoveForm)
    table.app.touch(Intent("drag", "d5/c4"))
    changes = scene(table).panel.show().marks.changes
    assert changes == {("d5", "troop"): -1, ("c4", "troop"): 1}, "from source to target: as a touch on the source"


def test_what_is_asked_next_begins_on_its_first_page(table: Hand) -> None:
    table.press("Reinforce 1")
    table.app.touch(Intent("page", "", 1))
    assert table.screen.page == 1
    table.press("Deploy")
    assert table.screen.page == 0


def test_a_dead_space_asks_why_not_instead_of_what_it_gives(table: Hand) -> None:
    table.press("Plan 2", "Deploy")
    assert [table.button(f"Plan {n}").note for n in (1, 2)] == ["1 card + initiative", "taken by Red"]
    table.press("Pass")
    assert table.button("Plan 1").note == "why not?", "nobody keeps it; Red holds the other one"


def test_an_area_that_cannot_take_units_says_why(table: Hand) -> None:
    table.press("Reinforce 1").area("c4")
    assert isinstance(table.app.scene, RulingScene)
    table.press("Back")
    assert isinstance(scene(table).panel, PlaceForm), "what was filled in is still there"
