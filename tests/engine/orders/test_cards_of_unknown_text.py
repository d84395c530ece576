"""Cards that the players resolve themselves: what they put right on the map, and how the turn goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.orders import game
from engine.orders.board import Board
from engine.orders.cards import announceable_cards
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, OtherCorrections, Pass, Play, Roll
from tests.boards.practice import castle
from tests.tables import after, atoll, deploy, due_in, rolled, stand, units, valley

HANDS = {"blue": "artillery_strike counter_attack ground_assault", "yellow": "ambush"}


def holding(area: str, **force: int) -> Agreed:
    """Return the players' agreement that an area holds these troops, by faction."""
    return Agreed(areas=((area, tuple((faction, "troop", n) for faction, n in force.items())),))


def attacked(**more: Any) -> Position:
    """Blue has moved three troops from b2 into c2, where yellow has two, and yellow has played its Ambush."""
    hands = {"blue": "artillery_strike counter_attack", "yellow": "ambush"}
    start = valley("a1:3 a2:1 b2:4", hands=hands, **more)
    return after(start, deploy("advance:c2", "b2:3"), Play("ambush", "yellow"))


def kind(position: Position) -> str:
    due = game.owed(position)
    return "" if due is None else due.wants


def test_both_sides_may_announce_theirs_once_a_turn() -> None:
    start = valley(hands=HANDS)
    names = [(faction, card.name) for faction, card in announceable_cards(start)]
    assert names == [(0, "counter_attack"), (0, "artillery_strike"), (1, "ambush")]
    now = after(start, Play("ambush", "yellow"))
    assert [card.name for _, card in announceable_cards(now)] == ["counter_attack", "artillery_strike"]
    assert (now.hand("yellow"), now.discard, now.spent) == ((), ("ambush",), ((), ("ambush",)))


def test_a_game_that_is_over_has_none() -> None:
    over = after(
        valley("a1:4 b1:1 b2:3 c2:2", "c3:1", hands=HANDS), deploy("advance:c3", "c2:1"), rolled("yellow", 0), Accept()
    )
    assert over.winner_name == "blue"
    assert announceable_cards(over) == []


def test_what_is_owed_lists_them_with_the_cards_of_the_window() -> None:
    now = after(valley("a1:3 a2:1 b2:4", hands=HANDS), deploy("advance:c2", "b2:3"))
    due = due_in(now)
    assert due.wants == "roll"
    assert sorted(due.cards) == [
        ("blue", "artillery_strike"),
        ("blue", "counter_attack"),
        ("blue", "ground_assault"),
        ("yellow", "ambush"),
    ]
    assert not due.loose
    assert due_in(attacked()).loose


def test_the_conflict_goes_on_with_what_stands_there() -> None:
    now = after(attacked(), holding("c2", blue=3, yellow=4))
    assert (kind(now), due_in(now).dice, due_in(now).area) == ("roll", 1, "c2")
    assert units(after(now, rolled("yellow", 1, 1)), "c2") == "yellow 3 troop"


@pytest.mark.parametrize("force", [{"blue": 2}, {"yellow": 2}, {}])
def test_a_conflict_that_is_over_by_the_card_is_not_rolled_for(force: dict[str, int]) -> None:
    now = after(attacked(), holding("c2", **force))
    assert (game.owed(now), now.to_move_name) == (None, "yellow")
    assert now.units_in("c2") == {faction: {"troop": n} for faction, n in force.items()}


def test_before_the_roll_a_card_of_the_window_may_still_follow() -> None:
    waiting = after(valley("a1:3 a2:1 b2:4", hands=HANDS), deploy("advance:c2", "b2:3"), Play("ambush", "yellow"))
    cleared = after(waiting, holding("c2", blue=3))
    assert (kind(cleared), due_in(cleared).by) == ("accept", "blue")
    joined = after(cleared, Play("ground_assault", "blue"))
    assert (units(joined, "c2"), joined.to_move_name) == ("blue 5 troop", "yellow")


def test_a_card_may_bring_a_conflict_about() -> None:
    window = after(valley("a1:3 a2:1 b2:4", hands={"blue": "mobilize artillery_strike"}), deploy("reinforce:1", "a1:1"))
    fought = after(window, Play("artillery_strike", "blue"), holding("c2", blue=1, yellow=2))
    assert (kind(fought), due_in(fought).area) == ("roll", "c2")


def test_dice_that_lie_there_count_against_what_stands_there() -> None:
    rolled_for = after(attacked(), rolled("yellow", 1, 1))
    assert kind(rolled_for) == ""
    lying = after(
        valley("a1:3 a2:1 b2:4", hands={**HANDS, "yellow": "ambush anti_air"}),
        deploy("advance:c2", "b2:3"),
        Play("anti_air", "yellow"),
        rolled("yellow", 2),
    )
    assert kind(lying) == "accept"
    now = after(lying, holding("c2", blue=5, yellow=2), Accept())
    assert units(now, "c2") == "blue 1 troop"


def test_a_shot_goes_on_too() -> None:
    start = valley("a1:4 a2:2", "c3:4 c2:3", hands=HANDS)
    shot = after(start, deploy("barrage:a2", "c2"), Play("artillery_strike", "blue"), holding("c2", yellow=1))
    assert kind(shot) == "roll"
    assert units(after(shot, Roll((1, 1, 1, 1), "blue"), Accept()), "c2") == ""


def test_a_headquarters_emptied_by_a_card_loses_at_once() -> None:
    now = after(attacked(), holding("c3"))
    assert (now.winner_name, now.reason) == ("blue", "hq_lost")
    both = Agreed(areas=(("c3", ()), ("a1", ())))
    assert after(attacked(initiative="yellow"), both).winner_name == "yellow"


def test_between_turns_it_is_still_the_same_players_turn() -> None:
    now = after(valley(hands=HANDS), Play("artillery_strike", "blue"), holding("c2", yellow=1))
    assert (game.owed(now), now.to_move_name, units(now, "c2")) == (None, "blue", "yellow 1 troop")
    assert due_in(after(now, deploy("barrage:a2", "c2"))).loose


def test_whose_turn_begins_may_be_said_which_ends_the_turn() -> None:
    step = Agreed(areas=(("c2", (("yellow", "troop", 2),)),), to_move="yellow")
    now = after(attacked(), step)
    assert (game.owed(now), now.to_move_name, now.spent) == (None, "yellow", ((), ()))


def test_commanders_put_right_end_the_turn() -> None:
    step = Agreed(areas=(("c2", (("yellow", "troop", 2),)),), spaces=(("advance:c2", ()),))
    assert game.owed(after(attacked(), step)) is None


def test_without_such_a_card_the_turn_ends_as_ever() -> None:
    now = after(valley("a1:3 a2:1 b2:4"), deploy("advance:c2", "b2:3"), holding("c2", blue=1))
    assert (game.owed(now), now.to_move_name) == (None, "blue")


def test_what_is_agreed_besides_the_map_leaves_the_roll_as_it_is() -> None:
    now = after(attacked(), Agreed(other=OtherCorrections(dice=4)))
    assert due_in(now).dice == 4


def test_losses_still_owed_are_no_more_than_what_stands_there() -> None:
    start = stand(_with_table_card(), "a1:3 a2:2+3", "c1:3 b2:2+2", hands={"red": "omen"})
    owed = after(start, deploy("siege:a2", "b2"), Play("omen", "red"), rolled("red", 1, 1, 1))
    assert (kind(owed), due_in(owed).units) == ("remove", 3)
    fewer = Agreed(areas=(("b2", (("black", "troop", 1), ("black", "siege", 1))),))
    assert units(after(owed, fewer), "b2") == ""
    gone = after(owed, Agreed(areas=(("b2", ()),)))
    assert (game.owed(gone), gone.to_move_name) == (None, "black")


def _with_table_card() -> Board:
    board = castle()
    omen = Card("omen", 3, "Omen", "?", "?", "either", "", "any", "table", 0)
    return replace(board, mode=replace(board.mode, cards={**board.mode.cards, "omen": omen}))


def test_a_card_of_unknown_text_has_no_other_form() -> None:
    ruling = game.judge(atoll(hands={"blue": "wingman"}), Play("wingman", "blue", units=2))
    assert [finding.rule for finding in ruling.objections] == ["card.form"]
    assert game.judge(after(atoll(), Pass()), Play("wingman", "nobody")).objections[0].rule == "faction.known"
