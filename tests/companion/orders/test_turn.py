"""A turn at the table by touches: how few it takes, what it tells before and after, and that nobody waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.perception.amiss import Item
from companion.perception.sync_monitor import SyncState
from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel, WindowPanel
from companion.scenes.orders.by_hand import SidePanel
from companion.scenes.orders.cards import CardsScene
from companion.scenes.orders.hand_tasks import put_back, tasks
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlaceForm, PlanForm
from companion.scenes.orders.preview import ends
from companion.scenes.orders.targeting import ShotForm
from companion.scenes.orders.task_list import ToDo, ToDoPanel
from companion.scenes.orders.turn import AreaPanel, TurnPanel
from companion.scenes.review.follow import HandTasks
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.side import SideScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Accept, Agreed, Besides, Deploy, Pass, Play, Reroll, Roll, Step
from engine.orders.wire import step_from_json
from tests.boards.practice import castle
from tests.companion.sample_games import played
from tests.companion.touching import Hand, steppers
from tests.tables import after, deploy, rivers, rolled, stand

TO_C4 = {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}}
PASS = {"pass": True}


@pytest.fixture
def table(hand: Hand) -> Hand:
    return hand.start(tokens=("sun/barracks", "moon/war_room", "star/shipyard"))


def scene(hand: Hand) -> BoardTable:
    assert isinstance(hand.app.scene, BoardTable)
    return hand.app.scene


def happened(hand: Hand, *steps: Mapping[str, object]) -> None:
    for step in steps:
        assert scene(hand).match.offer(step_from_json(step)).legal
    scene(hand).refresh()


def last(hand: Hand) -> Step:
    return scene(hand).match.steps[-1]


def listed(hand: Hand) -> list[str]:
    return [line.text for block in hand.screen.blocks if isinstance(block, scr.Checklist) for line in block.lines]


def prompt(screen: scr.Screen) -> str:
    heads = [block.head if isinstance(block, scr.Checklist) else block for block in screen.blocks]
    return next((block.text for block in heads if isinstance(block, scr.Prompt)), "")


# ---- how few touches --------------------------------------------------------------------------

SAIL = [PASS, PASS]
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


# ---- the map ----------------------------------------------------------------------------------


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
    assert {one.rule for one in table.app.scene.ruling.objections} == {"advance.reach"}
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
    assert isinstance(scene(table).panel, PlaceForm)


def test_the_area_panel_drags_too(table: Hand) -> None:
    table.area("d5")
    table.app.touch(Intent("drag", "d5/c4"))
    assert isinstance(scene(table).panel, MoveForm)


# ---- before it is confirmed -------------------------------------------------------------------


def test_what_a_move_changes_is_told_and_drawn(table: Hand) -> None:
    table.area("c5")
    assert "Points: Red 2 (+2), Black 0. Red supplies c5. Red gains Shipyard." in table.text()
    assert table.screen.map is not None
    assert {area.name: area.change for area in table.screen.map.areas if area.change} == {"c5": "gained"}
    table.app.stage.change(forecast=False)
    table.press("Cancel").area("c5")
    assert "Points" not in table.text()
    assert not {area.name for area in table.screen.map.areas if area.change}


def test_every_end_of_a_fight_has_its_chance() -> None:
    position = rivers("e3:3 d3:4 d4:1", "a3:3 c4:2", hands={"red": 1, "black": 2})
    found = ends(position, deploy("advance:c4", "d3:3"))
    assert sum(end.chance for end in found) == 1
    won = [end for end in found if end.position.controller("c4") == "red"]
    assert [(end.gained, {who: more for who, _n, more in end.points}) for end in won] == [
        ((("red", ("c4",)),), {"red": 2, "black": 0})
    ]
    assert ends(position, deploy("advance:c4", "d3:9")) == ()


def test_an_end_that_ends_the_game_says_who_wins() -> None:
    position = rivers("e3:3 d4:1 c3:1 b4:3", "a3:1")
    found = ends(position, deploy("bombard:b4", "a3"))
    assert {end.winner for end in found} == {None, "red"}
    assert found[0].leader == "red"


def test_losses_with_a_choice_are_played_out_too() -> None:
    position = stand(castle(), "a1:3 a2:1+2 b1:2", "c1:3 b2:3+1")
    assert sum(end.chance for end in ends(position, deploy("siege:a2", "b2"))) == 1


# ---- after it: what hands do ------------------------------------------------------------------


def test_hands_are_told_what_to_do_and_tick_it(table: Hand) -> None:
    table.area("c4").press("Deploy")
    assert listed(table) == ["Commander to Advance c4", "2 troops from d5 to c4"]
    table.app.touch(Intent("todo"))
    assert isinstance(scene(table).panel, ToDoPanel)
    table.press("Commander to Advance c4")
    assert table.button("Commander to Advance c4").look == "chosen"
    table.press("Back")
    block = next(block for block in table.screen.blocks if isinstance(block, scr.Checklist))
    assert [line.done for line in block.lines] == [True, False]
    table.app.touch(Intent("did"))
    assert not listed(table)
    assert "Red advanced to c4 with 2 troops from d5." in table.text(), "then there is room for the log"


def test_the_list_never_waits(table: Hand) -> None:
    table.area("c4").press("Deploy")
    table.app.touch(Intent("todo"))
    table.area("b2")
    assert isinstance(scene(table).panel, MoveForm), "a touch on the map goes on"
    table.press("Deploy")
    assert listed(table) == ["Commander to Advance b2", "1 troop from a1 to b2"], "the turn before is taken as done"


def test_the_last_tick_closes_the_list(table: Hand) -> None:
    table.press("Pass")
    table.app.touch(Intent("todo"))
    table.press("Red: put a commander on standby")
    assert isinstance(scene(table).panel, TurnPanel)
    table.press("Pass")
    table.app.touch(Intent("todo"))
    table.press("Done")
    assert isinstance(scene(table).panel, TurnPanel)


def test_hands_put_back_what_is_taken_back(table: Hand) -> None:
    table.area("c4").press("Deploy", "Undo")
    assert listed(table) == ["2 troops from c4 to d5", "Take the commander back from Advance c4"]


def arrows(hand: Hand) -> list[tuple[str, str, str, int]]:
    """What the map shows of moves."""
    assert hand.screen.map is not None
    return [(one.kind, one.start, one.end, one.n) for one in hand.screen.map.traces]


def test_two_steps_taken_back_are_both_put_back_on_the_list_and_on_the_map(table: Hand) -> None:
    table.area("c4").press("Deploy").area("b4")
    table.press("Deploy")
    both = scene(table).match.steps
    assert len(both) == 2
    table.press("Undo")
    second = listed(table)
    table.press("Undo")
    assert listed(table) == [*second, "2 troops from c4 to d5", "Take the commander back from Advance c4"]
    [todo] = [block for block in table.screen.blocks if isinstance(block, scr.Checklist)]
    assert todo.title == "To undo on the board:"
    assert ("move", "c4", "d5", 2) in arrows(table)
    assert len([one for one in arrows(table) if one[0] == "move"]) == 2, "the list and the map tell the same moves"
    table.app.touch(Intent("did"))
    assert not listed(table)
    assert arrows(table) == []


def test_what_is_put_back_goes_with_the_next_turn(table: Hand) -> None:
    table.area("c4").press("Deploy", "Undo", "Pass")
    assert listed(table) == ["Red: put a commander on standby"]
    assert arrows(table) == []


def test_nothing_is_left_to_do_once_it_is_settled_or_put_right(table: Hand) -> None:
    for step in (Agreed(areas=(("c4", (("red", "troop", 1),)),), to_move="black"), Agreed(note="as it stands")):
        table.area("c4").press("Deploy")
        assert listed(table)
        assert scene(table).match.offer(step).legal
        assert not listed(table)
        scene(table).match.undo(2)
        table.app.version += 1
        assert "2 troops from c4 to d5" in listed(table)
        table.app.touch(Intent("did"))
    table.area("c4").press("Deploy")
    assert scene(table).match.offer(Agreed(readings=(("empty-target", "other"),))).legal
    assert listed(table), "a question answered moves nothing"
    scene(table).match.recast(0, (Pass(),))
    assert not listed(table), "the record follows the table"
    scene(table).match.undo(1)
    assert listed(table) == ["Red: take the commander back from standby"]


def test_no_list_where_nobody_wants_it(table: Hand) -> None:
    table.app.stage.change(list_hands=False)
    table.press("Pass")
    assert not listed(table)
    assert "Red passed" in table.text()


def test_the_camera_ticks_what_it_sees_done() -> None:
    position = rivers("e3:3 e4:2 d5:3", "a3:3")
    step = deploy("advance:c4", "d5:2")
    todo = ToDo("", tasks(position, game.apply(position, step), step))
    todo.heed(SyncState("behind", items=(Item("d5", "red", "troop", 2), Item("c4", "red", "troop", -2))))
    assert todo.done == {0}, "the commander stands there"
    todo.heed(SyncState("moving"))
    assert todo.open
    todo.heed(SyncState("sync"))
    assert not todo.open


def test_at_a_rounds_end_each_sides_line_is_ticked_once_its_commanders_are_home(table: Hand) -> None:
    """The last deployment's commander is among them, though no position ever shows it on its space."""
    steps, positions = played()
    last = next(n for n, step in enumerate(steps) if positions[n].round != positions[n + 1].round)
    found = tasks(positions[last], positions[last + 1], steps[last])
    home = [task for task in found if task.text in ("Red: take back all commanders", "Black: take back all commanders")]
    assert any("advance:b1" in task.places for task in home)
    todo = ToDo("", home)
    todo.heed(SyncState("behind", items=(Item("advance:b1", "black", "commander", 1),)))
    assert todo.line() == " Black: take back all commanders"


def test_a_whole_turn_with_cards_is_told_to_the_hands() -> None:
    position = rivers("e3:3 d3:4 d4:1", "a3:3 c4:2", hands={"red": "ground_assault", "black": 2})
    turn: list[Step] = [deploy("advance:c4", "d3:2 reserve:1", cards="ground_assault"), Play("ambush", "black")]
    now, told = position, []
    turn += [rolled("black", 0, 1, 1), Reroll("mobilise", "black"), rolled("black", 1, 1, 1)]
    for step in turn:
        following = game.apply(now, step)
        told.append([task.text for task in tasks(now, following, step)])
        assert put_back(now, following, step) or not told[-1]
        now = following
    assert told == [
        [
            "Discard Ground Assault",
            "Commander to Advance c4",
            "2 troops from d3 to c4",
            "1 troop from reserve to c4",
        ],
        ["Discard Ambush"],
        [],
        ["Discard Mobilise"],
        ["Remove 3 red troops from c4"],
    ]
    assert tasks(position, position, Agreed()) == put_back(position, position, Agreed()) == ()


def test_a_new_round_is_told_once_and_clearly(table: Hand) -> None:
    happened(table, TO_C4, *[PASS] * 8)
    table.app.stage.change(round_end=False)
    table.press("Pass")
    assert prompt(table.screen) == "Round 2: Red to move"
    assert listed(table)[-2:] == ["Red: take back all commanders", "Round marker to 2"]
    table.press("Undo")
    assert "Round marker back to 1" in listed(table)
    assert "Commanders back to Advance c4" in listed(table)
    table.press("Pass", "Pass")
    assert prompt(table.screen) == "Black to move"


def test_planning_is_told_to_the_hands() -> None:
    position = rivers("e3:3", "a3:3", to_move="black", initiative="red")
    step = Deploy("plan:1", draw=1)
    found = [task.text for task in tasks(position, game.apply(position, step), step)]
    assert found == ["Commander to Plan 1", "Black draws 1 card", "Flip the round marker to Black"]


def test_the_end_is_told(table: Hand) -> None:
    table.app.stage.change(score_at_end=False)
    happened(table, *[PASS] * 39)
    table.press("Pass")
    assert prompt(table.screen) == "Red has won"
    assert scene(table).hands.news == "The last round is over."
    hands = HandTasks(scene(table).match)
    table.press("Undo")
    happened(table, {"agreed": {}, "winner": "black"})
    hands.follow(scene(table).match)
    assert hands.news == "As agreed by the players."


# ---- cards ------------------------------------------------------------------------------------


def windowed(hand: Hand) -> None:
    """Red, with two unknown cards, has reinforced: Mobilise may follow."""
    happened(hand, {"deploy": "plan:2", "draw": 2}, PASS, {"deploy": "reinforce:1", "place": {"e1": {"troop": 2}}})


def test_a_window_is_closed_by_going_on(table: Hand) -> None:
    windowed(table)
    assert isinstance(scene(table).panel, WindowPanel)
    assert "Or start the next turn to skip." in table.text()
    table.area("b2")
    assert isinstance(scene(table).panel, MoveForm)
    table.press("Deploy")
    assert last(table) == Deploy("advance:b2", moves=(("a1", "troop", 1),)), "black's turn, without a word on cards"


def test_who_does_not_want_to_be_asked_is_not_but_may_play(table: Hand) -> None:
    table.app.stage.change(ask_cards=False)
    windowed(table)
    assert isinstance(scene(table).panel, TurnPanel)
    assert prompt(table.screen) == "Black to move"
    table.press("Play a card")
    assert isinstance(scene(table).panel, WindowPanel)
    table.press("Mobilise")
    table.area("e1").press("Play it")
    assert last(table) == Play("mobilise", "red", place=(("e1", "troop", 1),))


def test_before_a_roll_a_card_is_a_touch_away_without_a_question(table: Hand) -> None:
    table.app.stage.change(ask_cards=False)
    happened(table, TO_C4, {"deploy": "plan:2", "draw": 2}, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    assert "may first play" not in table.text()
    table.press("Play a card", "Ambush")
    assert last(table) == Play("ambush", "black")
    assert not any(one.look == "plain" and one.label == "Play a card" for one in table.all_buttons())


def test_nobody_is_asked_who_holds_no_card(table: Hand) -> None:
    happened(table, TO_C4, PASS, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    assert [one.label for one in table.all_buttons()] == ["Undo", "Ask", "Wrong number of dice?", "Confirm"]
    table.dice(0).press("Confirm")
    assert not isinstance(last(table), Accept)
    assert isinstance(scene(table).panel, TurnPanel)


# ---- two halves -------------------------------------------------------------------------------


def test_each_half_has_what_is_its_own(table: Hand) -> None:
    table.area("c4")
    mine, theirs = scene(table).show_to("red"), scene(table).show_to("black")
    assert prompt(mine) == prompt(theirs) == "Red: Advance to c4"
    assert [one.label for one in theirs.actions] == ["Ask", "Cards"]
    assert "Deploy" in [one.label for one in mine.actions]
    table.app.touch(Intent("confirm", seat="black"))
    assert isinstance(scene(table).panel, MoveForm), "it is not black's to confirm"
    for verb in ("todo", "round", "otherwise", "window"):
        table.app.touch(Intent(verb, "d5", seat="black"))
        assert isinstance(scene(table).panel, MoveForm), "nor black's to put away"
    assert isinstance(scene(table).touch(Intent("side", "red", seat="black")), SideScene)
    table.app.touch(Intent("confirm", seat="red"))
    theirs = scene(table).show_to("red")
    assert [type(block) for block in theirs.blocks] == [scr.Prompt, scr.Checklist, scr.Log]
    mine = scene(table).show_to("black")
    assert mine.blocks[0] == scr.Text("Your turn", "strong")


def test_the_next_player_does_not_wait_for_a_card(table: Hand) -> None:
    windowed(table)
    assert prompt(scene(table).show_to("red")) == "Red may play a card"
    assert scene(table).show_to("black").blocks[0] == scr.Text("Your turn", "strong")
    table.app.touch(Intent("area", "b2", seat="black"))
    assert isinstance(scene(table).panel, MoveForm)
    assert prompt(scene(table).show_to("red")) == "Black: Advance to b2"


def test_both_may_act_before_a_roll(table: Hand) -> None:
    happened(table, TO_C4, {"deploy": "plan:2", "draw": 2}, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    assert scene(table).waits_for == {"black"}
    assert prompt(scene(table).show_to("red")) == "Black rolls 1 die for b5"
    assert scene(table).show_to("black").blocks[0] == scr.Text("Black rolls 1 die for b5", "strong")
    assert "1 for defence" in str(scene(table).show_to("black").blocks)
    table.app.touch(Intent("area", "c5", seat="black"))
    assert isinstance(scene(table).panel, RollPanel)


def test_an_area_in_a_half_is_shown_without_a_prompt(table: Hand) -> None:
    table.area("d5")
    assert prompt(scene(table).show_to("black")) == "Red to move"
    assert scene(table).show_to("red").blocks[0] == scr.Text("d5 · land", "title")


# ---- set by hand ------------------------------------------------------------------------------


def agreed(hand: Hand) -> None:
    """Both players agree."""
    assert isinstance(hand.app.scene, ConsentScene)
    for faction in ("red", "black"):
        hand.app.touch(Intent("agree", faction))


def marked(hand: Hand) -> dict[str, frozenset[str]]:
    assert hand.screen.status is not None
    return {side.faction: side.by_hand for side in hand.screen.status.sides}


def test_an_area_is_set_by_hand_when_both_agree(table: Hand) -> None:
    table.area("b5").press("Advance to b5")
    table.press("Back").area("b5", "b5").area("d5").press("Board is different")
    assert table.button("Set by hand").look == "off"
    table.press("Set by hand").count("Red troops", 1).press("Black on Shell from d5", "Set by hand")
    agreed(table)
    assert table.position.units_in("d5") == {"red": {"troop": 4}}
    assert table.position.commanders_on("shell:d5") == ("black",)
    assert table.screen.map is not None
    assert [area.name for area in table.screen.map.areas if area.by_hand] == ["d5"]
    happened(table, {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}})
    assert not [area.name for area in table.screen.map.areas if area.by_hand], "play has changed it since"


def test_what_the_box_cannot_hold_is_told(table: Hand) -> None:
    table.area("d5").press("Board is different").count("Red troops", 40)
    assert "the box only has 25" in table.text()
    table.press("Set by hand")
    assert isinstance(table.app.scene, RulingScene)
    table.press("Back", "Cancel")
    assert isinstance(scene(table).panel, TurnPanel)


def test_a_side_is_set_by_hand(table: Hand) -> None:
    table.app.touch(Intent("side", "black"))
    assert isinstance(table.app.scene, SideScene)
    table.press("Correct").count("Commanders", -1).count("Standby", 1).count("Cards", 2).press(
        "Initiative", "Set by hand"
    )
    agreed(table)
    position = table.position
    assert (position.left("black"), position.standing_by("black"), position.hand("black")) == (4, 1, 2)
    assert position.initiative_name == "black"
    assert marked(table) == {"red": {"initiative"}, "black": {"left", "standby", "hand", "initiative"}}
    table.app.touch(Intent("side", "black"))
    assert isinstance(table.press("Cards").app.scene, CardsScene)


def test_a_side_s_panel_says_what_its_figures_mean(table: Hand) -> None:
    table.app.touch(Intent("side", "red"))
    assert table.text().splitlines() == [
        "Red",
        "0 points if the game ended now.",
        "5 areas in supply; only those count.",
        "5 of 5 commanders left to deploy.",
        "0 cards in hand.",
        "In reserve: 15 troops and 7 ships.",
        "Has the initiative: starts the next round and wins a tie.",
    ]
    table.app.touch(Intent("side", "black"))
    assert table.text().startswith("Black\n")
    assert isinstance(table.press("Cards", "Back").app.scene, SideScene)
    table.area("c4")
    assert isinstance(scene(table).panel, AreaPanel | MoveForm), "the map is the table's"
    table.app.touch(Intent("side", "black"))
    assert isinstance(table.press("Back").app.scene, BoardTable)


def test_a_half_that_waits_corrects_nothing(table: Hand) -> None:
    side = scene(table).touch(Intent("side", "black", seat="black"))
    assert isinstance(side, SideScene)
    assert [one.label for one in side.show_to("black").actions] == ["Back", "Cards"]
    assert [one.label for one in side.show_to("red").actions] == ["Back", "Cards", "Correct"]
    assert side.show_to("red").map is None
    assert side.touch(Intent("correct", seat="black")) is None
    assert side.touch(Intent("correct", seat="red")) is scene(table)
    assert isinstance(scene(table).panel, SidePanel)


def test_the_round_and_the_discard_pile_are_set_by_hand(table: Hand) -> None:
    table.app.touch(Intent("round"))
    table.count("Round", 2).count("Ambush", 1).press("Set by hand")
    agreed(table)
    assert (table.position.round, table.position.discard) == (3, ("ambush",))


def test_the_number_of_dice_is_set_by_hand_and_the_turn_goes_on(table: Hand) -> None:
    happened(table, TO_C4, PASS, {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}})
    table.press("Wrong number of dice?").count("Dice", 1).press("Set by hand")
    agreed(table)
    assert last(table) == Agreed(note="set by hand", besides=Besides(dice=2))
    assert prompt(table.screen) == "Black rolls 2 dice for b5"
    assert "1 for defence + 1 set by hand" in table.text()


def test_what_one_declines_is_not_set(table: Hand) -> None:
    table.app.touch(Intent("side", "red"))
    table.press("Correct").count("Cards", 1).press("Set by hand", "Cancel")
    assert scene(table).match.steps == ()


def test_tokens_are_marked_too(table: Hand) -> None:
    happened(table, {"agreed": {}, "bonuses": {"sun": "hidden_base"}, "winner": "red"})
    assert marked(table)["red"] == {"points"}


# ---- ways out ---------------------------------------------------------------------------------


def test_the_table_leads_everywhere_in_one_touch(table: Hand) -> None:
    table.press("Pass")
    for verb, follows in {
        "dispute": DisputeScene,
        "cards": CardsScene,
        "log": LogScene,
        "undo-list": UndoScene,
    }.items():
        at_table = scene(table)
        table.app.touch(Intent(verb))
        assert isinstance(table.app.scene, follows)
        table.app.scene = at_table
    table.app.touch(Intent("did"))
    table.app.touch(Intent("window"))
    assert isinstance(scene(table).panel, TurnPanel)


def test_a_plan_with_open_hands_is_named(table: Hand) -> None:
    table.press("Plan 1")
    assert isinstance(scene(table).panel, PlanForm)
    assert "Draw 1 card from the deck. Leave the round marker as it is." in table.text(), "Red begins"
    table.press("Cancel")
    happened(table, PASS)
    table.press("Plan 1")
    assert "Draw 1 card from the deck. Flip the round marker: you have the initiative." in table.text()
    assert not steppers(table.screen.blocks)


def test_a_window_that_cannot_be_closed_stays_open(table: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    happened(table, {"deploy": "plan:2", "draw": 2}, PASS)
    offer = scene(table).match.offer

    def full(step: Step) -> object:
        if isinstance(step, Accept):
            from companion.core.errors import MatchError

            raise MatchError("no room")
        return offer(step)

    monkeypatch.setattr(scene(table).match, "offer", full)
    table.press("Reinforce 1", "Deploy")
    assert table.screen.banner == "no room"
    assert isinstance(scene(table).panel, WindowPanel)
    assert replace(table.screen, banner="").banner == ""


def test_positions_are_followed_by_what_was_played(table: Hand) -> None:
    hands = scene(table).hands
    hands.follow(scene(table).match)
    assert hands.todo.tasks == ()
    assert after(scene(table).match.position, Pass()).to_move_name == "black"
