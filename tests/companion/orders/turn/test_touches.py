"""How few touches the usual turn takes, and what the map answers."""

from __future__ import annotations

import pytest

from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlaceForm
from companion.scenes.orders.targeting import ShotForm
from companion.scenes.orders.turn import AreaPanel
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Pass, Roll, Step
from tests.companion.orders.turn.playing import PASS, TO_C4, happened, last, scene
from tests.companion.touching import Hand
from tests.tables import rivers

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
    ],
)
def test_the_usual_turn_takes_three_touches_at_most(
    table: Hand, before: list[dict[str, object]], touches: list[Intent | str], step: Step
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


def test_a_roll_is_a_touch_a_die_and_one_to_confirm(table: Hand) -> None:
    happened(table, TO_C4, PASS, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    table.dice(1).press("Confirm")
    assert last(table) == Roll((1,), "black")


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
    assert table.screen.map is not None
    reached = {area.name for area in table.screen.map.areas if area.mark == "live"}
    assert reached == {"c4", "c5", "c6", "d4", "e4"}
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


def test_touching_where_they_come_from_never_leaves_nothing_to_move(table: Hand) -> None:
    table.area("c4")
    seen = []
    for _touch in range(4):
        seen.append(scene(table).panel.show().marks.changes["c4", "troop"])
        table.area("d5")
    assert seen == [2, 1, 2, 1], "all were filled in; the first touch is not a dead end"
    assert table.button("Deploy").look == "primary"


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


def test_the_area_panel_drags_too(table: Hand) -> None:
    table.area("d5")
    table.app.touch(Intent("drag", "d5/c4"))
    assert isinstance(scene(table).panel, MoveForm)
