"""What is told before a turn, what hands do after it, and what both agree on and set by hand."""

from __future__ import annotations

from companion.core.language import use_language
from companion.perception.sync.status import Item, SyncStatus
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.by_hand import SidePanel
from companion.scenes.orders.forecast import ends
from companion.scenes.orders.hand_tasks import ToDo, ToDoPanel, announced_tasks, tasks, tasks_to_undo
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.turn import AreaPanel, TurnPanel
from companion.scenes.review.follow import HandTasks
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.map_table import SideScene
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Agreed, Deploy, OtherCorrections, Pass, Play, Reroll, Step
from tests.boards.practice import castle
from tests.companion.orders.turn.playing import PASS, TO_C4, agreed, happened, last, listed, prompt, scene
from tests.companion.sample_games import played
from tests.companion.touching import Hand
from tests.tables import deploy, rivers, rolled, stand


def test_what_a_move_changes_is_told_and_drawn(table: Hand) -> None:
    table.area("c5")
    assert "Points: Red 2 (+2), Black 0. Red supplies c5. Red gains Shipyard." in table.text()
    assert {area.name: area.change for area in table.picture.areas if area.change} == {"c5": "gained"}
    table.app.stage.change(forecast=False)
    table.press("Cancel").area("c5")
    assert "Points" not in table.text()
    assert not {area.name for area in table.picture.areas if area.change}


def test_every_end_of_a_fight_has_its_chance() -> None:
    position = rivers("e3:3 d3:4 d4:1", "a3:3 c4:2", hands={"red": 1, "black": 2})
    found = ends(position, deploy("advance:c4", "d3:3"))
    assert sum(end.chance for end in found) == 1
    won = [end for end in found if end.position.controller("c4") == "red"]
    assert [(end.gained, {who: more for who, _n, more in end.points}) for end in won] == [
        ((("red", ("c4",)),), {"red": 2, "black": 0})
    ]
    assert ends(position, deploy("advance:c4", "d3:9")) == ()
    bombarded = ends(rivers("e3:3 d4:1 c3:1 b4:3", "a3:1"), deploy("bombard:b4", "a3"))
    assert {end.winner for end in bombarded} == {None, "red"}, "one that ends the game says who wins"
    assert bombarded[0].leader == "red"
    siege = stand(castle(), "a1:3 a2:1+2 b1:2", "c1:3 b2:3+1")
    assert sum(end.chance for end in ends(siege, deploy("siege:a2", "b2"))) == 1, "losses with a choice too"


def test_hands_are_told_what_to_do_and_tick_it(table: Hand) -> None:
    table.area("c4").press("Deploy")
    assert listed(table) == ["Commander to Advance c4", "2 troops from d5 to c4"]
    table.app.touch(Intent("todo"))
    assert isinstance(scene(table).panel, ToDoPanel)
    table.press("Commander to Advance c4")
    assert table.button("Commander to Advance c4").ticked
    table.press("Back")
    block = table.blocks(scr.Checklist)[0]
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
    table.app.stage.change(list_hands=False)
    table.press("Pass")
    assert not listed(table), "nor is there one where nobody wants it"
    assert "Red passed" in table.text()


def arrows(hand: Hand) -> list[tuple[str, str, str, int]]:
    """Return what the map shows of moves."""
    return [(trace.kind, trace.start, trace.end, trace.n) for trace in hand.picture.traces]


def test_two_steps_taken_back_are_both_put_back_on_the_list_and_on_the_map(table: Hand) -> None:
    table.area("c4").press("Deploy").area("b4")
    table.press("Deploy")
    both = scene(table).match.steps
    assert len(both) == 2
    table.press("Undo")
    second = listed(table)
    table.press("Undo")
    assert listed(table) == [*second, "2 troops from c4 to d5", "Recall the commander from Advance c4"]
    [todo] = table.blocks(scr.Checklist)
    assert todo.title == "To undo on the board:"
    assert ("move", "c4", "d5", 2) in arrows(table)
    assert [arrow[0] for arrow in arrows(table)].count("move") == 2, "the list and the map tell the same moves"
    table.app.touch(Intent("did"))
    assert not listed(table)
    assert arrows(table) == []
    table.area("c4").press("Deploy", "Undo", "Pass")
    assert listed(table) == ["Red: put a commander on standby"], "what is put back goes with the next turn"
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


def test_the_list_is_told_anew_in_another_language(table: Hand) -> None:
    table.area("c4").press("Deploy").app.touch(Intent("tick", "", 0))
    todo = scene(table).hands.todo
    assert listed(table) == ["Commander to Advance c4", "2 troops from d5 to c4"]
    use_language("pt_BR")
    table.app.version += 1
    assert listed(table) == ["Pôr o comandante em Avançar c4", "2 tropas de d5 para c4"]
    assert todo.title == "Agora no tabuleiro:"
    assert scene(table).hands.todo is todo, "what is ticked stays ticked"


def test_the_camera_ticks_what_it_sees_done() -> None:
    position = rivers("e3:3 e4:2 d5:3", "a3:3")
    step = deploy("advance:c4", "d5:2")
    todo = ToDo(lambda: ("", tasks(position, game.apply(position, step), step)))
    todo.heed(SyncStatus("behind", items=(Item("d5", "red", "troop", 2), Item("c4", "red", "troop", -2))))
    assert todo.done_tasks == {0}, "the commander stands there"
    todo.heed(SyncStatus("moving"))
    assert todo.open
    todo.heed(SyncStatus("sync"))
    assert not todo.open


def test_at_a_rounds_end_each_sides_line_is_ticked_once_its_commanders_are_home(table: Hand) -> None:
    """The last deployment's commander is among them, though no position ever shows it on its space."""
    steps, positions = played()
    last = next(n for n, step in enumerate(steps) if positions[n].round != positions[n + 1].round)
    found = tasks(positions[last], positions[last + 1], steps[last])
    home = [task for task in found if task.text in ("Red: recall all commanders", "Black: recall all commanders")]
    assert any("advance:b1" in task.places for task in home)
    todo = ToDo(lambda: ("", home))
    todo.heed(SyncStatus("behind", items=(Item("advance:b1", "black", "commander", 1),)))
    assert todo.line() == " Black: recall all commanders"


def test_a_whole_turn_with_cards_is_told_to_the_hands() -> None:
    position = rivers("e3:3 d3:4 d4:1", "a3:3 c4:2", hands={"red": "ground_assault", "black": 2})
    turn: list[Step] = [deploy("advance:c4", "d3:2 reserve:1", cards="ground_assault"), Play("ambush", "black")]
    now, told = position, []
    turn += [rolled("black", 0, 1, 1), Reroll("mobilise", "black"), rolled("black", 1, 1, 1)]
    for step in turn:
        following = game.apply(now, step)
        told.append([task.text for task in tasks(now, following, step)])
        assert tasks_to_undo(now, following, step) or not told[-1]
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
    assert tasks(position, position, Agreed()) == tasks_to_undo(position, position, Agreed()) == ()
    position, plan = rivers("e3:3", "a3:3", to_move="black", initiative="red"), Deploy("plan:1", draw=1)
    found = [task.text for task in tasks(position, game.apply(position, plan), plan)]
    assert found == ["Commander to Plan 1", "Black draws 1 card", "Flip the round marker to Black"]


def test_a_new_round_is_told_once_and_clearly(table: Hand) -> None:
    happened(table, TO_C4, *[PASS] * 8)
    table.app.stage.change(round_end=False)
    table.press("Pass")
    assert prompt(table.screen) == "Round 2: Red to move"
    assert listed(table)[-2:] == ["Red: recall all commanders", "Round marker to 2"]
    table.press("Undo")
    assert "Round marker back to 1" in listed(table)
    assert "Commanders back to Advance c4" in listed(table)
    table.press("Pass", "Pass")
    assert prompt(table.screen) == "Black to move"


def test_what_was_announced_and_is_done_is_ticked_and_a_round_s_end_is_not(table: Hand) -> None:
    match = scene(table).match
    hands, lone = HandTasks(match), 0
    for step in played()[0][:30]:
        number, before = len(match.steps), match.position
        assert match.offer(step).legal
        hands.follow(match)
        asked = [n for n, request in enumerate(hands._asked) if request.step == number]
        announced = announced_tasks(before, match.position, step)
        hands.mark_done(number)
        assert sorted(hands.todo.done_tasks & set(asked)) == asked[: len(announced)]
        lone += len(asked) == 1
    assert lone, "some step asks for one thing alone"


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


# ---- set by hand ---------------------------------------------------------------------------------


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
    assert [area.name for area in table.picture.areas if area.by_hand] == ["d5"]
    happened(table, {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}})
    assert not [area.name for area in table.picture.areas if area.by_hand], "play has changed it since"


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
    assert isinstance(table.press("Cards", "Back").app.scene, SideScene)
    table.press("Back")
    happened(table, {"agreed": {}, "bonuses": {"sun": "hidden_base"}, "winner": "red"})
    assert "points" in marked(table)["red"], "and so are tokens"


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
    table.area("c4")
    assert isinstance(scene(table).panel, AreaPanel | MoveForm), "the map is the table's"
    table.app.touch(Intent("side", "black"))
    assert isinstance(table.press("Back").app.scene, BoardTable)


def test_a_half_that_waits_corrects_nothing(table: Hand) -> None:
    side = scene(table).touch(Intent("side", "black", seat="black"))
    assert isinstance(side, SideScene)
    assert [action.label for action in side.show_to("black").actions] == ["Back", "Cards"]
    assert [action.label for action in side.show_to("red").actions] == ["Back", "Cards", "Correct"]
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
    assert last(table) == Agreed(note="set by hand", other=OtherCorrections(dice=2))
    assert prompt(table.screen) == "Black rolls 2 dice for b5"
    assert "1 for defence + 1 set by hand" in table.text()


def test_what_one_declines_is_not_set(table: Hand) -> None:
    table.app.touch(Intent("side", "red"))
    table.press("Correct").count("Cards", 1).press("Set by hand", "Cancel")
    assert scene(table).match.steps == ()
