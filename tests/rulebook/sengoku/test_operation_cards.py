"""Operation Cards: spending them, special effects at their moments, rerolls, and the windows in which they fit."""

from __future__ import annotations

import pytest

from engine.orders.game import fold, legal, owed
from engine.orders.steps import Accept, Pass, Play, Reroll, Step
from engine.orders.wire import position_from_json, position_to_json
from tests.tables import (
    ATTACK,
    after,
    allowed,
    assault,
    cards_owed,
    deploy,
    due_in,
    loads,
    refused,
    rivers,
    rolled,
    units,
)

# --- spending cards ---------------------------------------------------------------------


def test_a_card_spent_goes_from_the_hand_to_the_discard_pile() -> None:
    position = after(assault(black="ambush mobilise"), ATTACK, Play("ambush", "black"))
    assert (position.hand("black"), position.discard) == (("mobilise",), ("ambush",))


def test_of_a_hidden_hand_only_the_number_shrinks_and_the_card_gets_its_name() -> None:
    position = after(assault(black=2), ATTACK, Play("ambush", "black"))
    assert (position.hand("black"), position.discard) == (1, ("ambush",))


def test_a_card_of_no_deck_cannot_be_named_with_a_deployment() -> None:
    refused(assault(red="ambush"), deploy("advance:c4", "d3:3", cards="bribery"), "card.known", "bribery")


def test_a_hidden_hand_holds_no_card_whose_copies_are_all_seen() -> None:
    start = rivers("e3:3 d3:5 d4:1", "a3:3 c4:2", hands={"red": "ambush", "black": 3}, discard="ambush ambush")
    refused(after(start, ATTACK), Play("ambush", "black"), "card.held")
    assert ("black", "ambush") not in cards_owed(after(start, ATTACK))


def test_a_single_hidden_card_may_be_the_last_copy() -> None:
    start = rivers("e3:3 d3:5 d4:1", "a3:3 c4:2", hands={"black": 1}, discard="ambush ambush")
    assert after(start, ATTACK, Play("ambush", "black")).hand("black") == 0


def test_in_ones_own_turn_or_in_the_opponents_as_the_icon_says() -> None:
    start = assault(red="ambush", black="ambush ground_assault")
    refused(after(start, ATTACK), Play("ambush", "red"), "card.side", "only Black can play Ambush now")
    with_join = after(assault(red="ground_assault", black="ground_assault"), ATTACK)
    refused(with_join, Play("ground_assault", "black"), "card.side", "only Red can play Ground Assault now")


def test_a_card_named_with_a_deployment_must_go_with_its_action() -> None:
    start = rivers("e3:3 e4:1", hands={"red": "mobilise"})
    step = deploy("embark:1", "e4:2", cards="mobilise")
    refused(start, step, "card.moment", "Mobilise can't be played now. Condition: When you Reinforce.")
    refused(assault(red="ambush"), deploy("advance:c4", "d3:3", cards="ambush"), "card.moment", "opponent's Advance")
    again = rivers("e3:3 d3:2", "a3:3 c3:2", hands={"red": "ship_strike"})
    refused(
        again,
        deploy("shell:d3", "c3", cards="ship_strike"),
        "card.moment",
        "Ship Strike can't be played now. Condition: After you Shell.",
    )


# --- several effects in a turn ----------------------------------------------------------


def test_different_special_effects_in_the_same_turn() -> None:
    start = rivers(
        "e3:3 d3:5 d4:1", "a3:3 c4:2", commanders={"advance:c4": "black"}, hands={"red": "counterattack ground_assault"}
    )
    position = after(start, deploy("advance:c4", "d3:3 reserve:2", cards="counterattack ground_assault"))
    assert units(position, "c4") == "red 5 troop, black 2 troop"
    assert set(position.discard) == {"counterattack", "ground_assault"}


def test_not_the_same_special_effect_twice_in_a_turn() -> None:
    position = after(assault(black="ambush ambush"), ATTACK, Play("ambush", "black"))
    refused(
        position, Play("ambush", "black"), "card.once-per-turn", "Black has already used the effect of Ambush this turn"
    )
    assert cards_owed(position) == set()


def test_not_once_with_the_deployment_and_once_more_as_a_play() -> None:
    start = assault(red="ground_assault ground_assault")
    position = after(start, deploy("advance:c4", "d3:2 reserve:1", cards="ground_assault"))
    assert ("red", "ground_assault") not in cards_owed(position)
    refused(position, Play("ground_assault", "red", units=1), "card.once-per-turn")


def test_in_the_next_turn_the_effect_is_free_again() -> None:
    start = rivers("e3:3 d3:5 e1:5", hands={"red": "ground_assault ground_assault"})
    first = deploy("advance:d2", "d3:1 reserve:1", cards="ground_assault")
    second = deploy("advance:d1", "e1:1 reserve:1", cards="ground_assault")
    position = after(start, first, Pass())
    assert position.spent == ((), ())
    assert units(after(position, second), "d1") == "red 2 troop"


def test_both_players_may_resolve_effects_in_one_turn() -> None:
    position = after(
        assault(red="ground_assault", black="ambush"),
        ATTACK,
        Play("ground_assault", "red", units=2),
        Play("ambush", "black"),
        rolled("black", 2, 1, 0),
    )
    assert units(position, "c4") == ""


# --- rerolls ----------------------------------------------------------------------------


def test_any_card_rolls_all_the_dice_again() -> None:
    position = after(assault(black="ambush mobilise"), ATTACK, Play("ambush", "black"), rolled("black", 0, 0, 1))
    position = after(position, Reroll("mobilise", "black"))
    assert due_in(position).dice == 3
    refused(position, rolled("black", 2), "roll.dice", "roll 3 dice, not 1")
    position = after(position, rolled("black", 2, 1, 0))
    assert units(position, "c4") == "black 2 troop"
    assert position.discard == ("ambush", "mobilise")


def test_the_next_roll_replaces_the_last() -> None:
    position = after(assault(black="mobilise"), ATTACK, rolled("black", 2), Reroll("mobilise", "black"))
    assert units(after(position, rolled("black", 0)), "c4") == "red 1 troop"


def test_as_often_as_cards_last() -> None:
    position = after(assault(black="mobilise mobilise"), ATTACK, rolled("black", 0))
    for _ in range(2):
        position = after(position, Reroll("mobilise", "black"), rolled("black", 0))
    assert position.hand("black") == ()
    assert owed(position) is None


def test_a_card_whose_effect_was_resolved_may_still_be_spent_on_a_reroll() -> None:
    position = after(assault(black="ambush ambush"), ATTACK, Play("ambush", "black"), rolled("black", 0, 0, 0))
    assert units(after(position, Reroll("ambush", "black"), rolled("black", 1, 1, 1)), "c4") == "black 2 troop"


def test_only_whoever_rolled_rolls_again() -> None:
    start = rivers("e3:3 d4:2", "a3:3 c4:5", hands={"red": "mobilise", "black": "ambush"})
    position = after(start, deploy("bombard:d4", "c4"), rolled("red", 1, 2))
    refused(position, Reroll("ambush", "black"), "reroll.own", "only Red may reroll these dice")
    refused(position, Reroll("ambush", "green"), "faction.known reroll.own")
    assert due_in(after(position, Reroll("mobilise", "red"))).dice == 2


def test_a_card_that_adds_dice_comes_before_the_roll_not_before_the_reroll() -> None:
    position = after(assault(black="ambush mobilise"), ATTACK, rolled("black", 0), Reroll("mobilise", "black"))
    refused(position, Play("ambush", "black"), "card.moment")
    assert cards_owed(position) == set()


# --- windows ----------------------------------------------------------------------------


def test_what_may_be_played_is_said_with_what_is_owed() -> None:
    assert cards_owed(after(assault(red="ground_assault", black="ambush"), ATTACK)) == {
        ("red", "ground_assault"),
        ("black", "ambush"),
    }


def test_a_window_is_open_only_while_a_card_fits_it() -> None:
    assert owed(after(rivers("e3:3 d3:3", hands={"red": "mobilise"}), deploy("advance:d2", "d3:1"))) is None
    due = due_in(after(rivers("e3:3 d3:3", hands={"red": "ground_assault"}), deploy("advance:d2", "d3:1")))
    assert (due.wants, due.by, due.text) == ("accept", "red", "Red may play a card")


def test_accept_passes_a_window_by() -> None:
    position = after(rivers("e3:3 d3:3", hands={"red": "ground_assault"}), deploy("advance:d2", "d3:1"))
    assert position.to_move_name == "red"
    assert after(position, Accept()).to_move_name == "black"
    assert after(position, Accept("red")).to_move_name == "black"


def test_a_deployment_or_pass_of_the_next_turn_closes_what_is_open() -> None:
    position = after(rivers("e3:3 d3:3", hands={"red": "ground_assault"}), deploy("advance:d2", "d3:1"))
    assert legal(position).may_pass
    assert "reinforce:1" in legal(position).spaces
    assert after(position, Pass()).standing_by("black") == 1
    assert after(position, deploy("plan:1", 1)).hand("black") == 1


def test_a_roll_closes_the_window_before_it() -> None:
    position = after(assault(red="ground_assault"), ATTACK, rolled("black", 0))
    assert position.hand("red") == ("ground_assault",)
    refused(position, Play("ground_assault", "red", units=2), "card.moment")


# --- all of it together -----------------------------------------------------------------


def test_a_turn_with_everything() -> None:
    start = rivers(
        "e3:3 d3:5 d4:1 e1:1 d1:1",
        "a3:3 c4:4",
        bonuses={"sun": "hidden_base"},
        commanders={"advance:c4": "black"},
        hands={"red": "counterattack ground_assault", "black": "ambush mobilise"},
    )
    steps: list[Step] = [
        deploy("advance:c4", "d3:4", cards="counterattack"),
        Play("ground_assault", "red", units=2),
        Play("ambush", "black"),
        rolled("black", 0, 0, 0),
        Reroll("mobilise", "black"),
        rolled("black", 1, 1, 0),
    ]
    position = fold(start, steps)
    assert units(position, "c4") == "red 1 troop"
    assert position.hands == ((), ())
    assert set(position.discard) == {"counterattack", "ground_assault", "ambush", "mobilise"}


def test_a_card_for_units_needs_a_reserve() -> None:
    full = ("e3:5 d3:5 e1:5 d5:5 c5:5 d4:1", "a3:3 c4:2")
    strict = rivers(*full, hands={"red": "ground_assault"}, readings="short-reserve")
    assert cards_owed(after(strict, deploy("advance:c4", "d3:1"))) == set()
    start = rivers(*full, hands={"red": "ground_assault"})
    assert cards_owed(after(start, deploy("advance:c4", "d3:1"))) == {("red", "ground_assault")}, "after a recall"


def test_words_of_a_card_that_holds() -> None:
    step = deploy("advance:c4", "d3:1 reserve:2", cards="ground_assault")
    allowed(assault(red="ground_assault"), step, "card.held", "Red has Ground Assault in hand")
    allowed(assault(red="ground_assault"), step, "card.reserve-units", "lets 2 troops join")


def test_what_a_space_offers_counts_no_card() -> None:
    hand = "commandeer counterattack ground_assault mobilise river_assault ship_strike shore_strike"
    units_ = ("e3:3 d4:2 e1:1", "a3:3 c4:2")
    taken = {"advance:d1": "black"}
    with_cards = legal(rivers(*units_, hands={"red": hand}, commanders=taken))
    assert with_cards == legal(rivers(*units_, commanders=taken))
    assert (with_cards.spaces["reinforce:1"].amount, with_cards.spaces["embark:1"].amount) == (6, 3)
    assert with_cards.spaces["bombard:d4"].dice == 2
    assert "advance:d1" not in with_cards.spaces


# --- the same special effect twice, whatever has become of the turn ---------------------


TWO_OF_EACH = {"red": "mobilise mobilise commandeer commandeer ship_strike ship_strike ground_assault ground_assault"}
TWICE: dict[str, tuple[Step, ...]] = {
    "mobilise": (deploy("reinforce:1", "e3:2"), Play("mobilise", "red", place=loads("d3:1", "troop"))),
    "ground_assault": (deploy("advance:d2", "d3:1"), Play("ground_assault", "red", units=1)),
    "commandeer": (deploy("embark:1", "e4:1"), Play("commandeer", "red", place=loads("e4:1", "ship"))),
    "ship_strike": (
        deploy("shell:d3", "d4"),
        rolled("red", 0, 0),
        Accept(),
        Play("ship_strike", "red", target="d4"),
        rolled("red", 0, 0),
        Accept(),
    ),
}


@pytest.mark.parametrize("card", TWICE)
def test_you_cannot_resolve_two_of_the_same_special_effects_in_the_same_turn(card: str) -> None:
    steps = TWICE[card]
    position = after(rivers("e3:3 d3:3", "a3:3 d4:2", hands=TWO_OF_EACH), *steps)
    assert position.turn is None, "playing it has ended the turn"
    again = next(step for step in steps if isinstance(step, Play))
    words = f"Red has already used the effect of {position.board.mode.card_title(card)} this turn"
    refused(position, again, "card.once-per-turn", words)
    kept = position_from_json(position_to_json(position))
    refused(kept, again, "card.once-per-turn", words)
    refused(after(position, Pass()), again, "card.moment")


# --- whose dice they are ----------------------------------------------------------------


def test_you_reroll_the_dice_you_rolled_however_the_game_has_gone_on() -> None:
    """The defender has no card, so that nothing is waited for; the dice still lie there, and are the defender's."""
    for dice in (0, 1):
        position = after(assault(red="mobilise"), ATTACK, rolled("black", dice))
        own = "reroll.own reroll.owed"
        refused(position, Reroll("mobilise", "red"), own, "only Black may reroll these dice")
        kept = position_from_json(position_to_json(position))
        refused(kept, Reroll("mobilise", "red"), own, "only Black may reroll these dice")
        refused(after(position, Pass()), Reroll("mobilise", "red"), "reroll.owed", "no dice can be rerolled now")


def test_a_reroll_with_too_few_dice_is_cited_from_the_cards() -> None:
    start = rivers("e3:3 d4:2", "a3:3 c4:5", hands={"red": "mobilise"})
    shot = after(start, deploy("bombard:d4", "c4"))
    assert str(refused(shot, rolled("red", 1), "roll.dice").citation) == "Bombard"
    again = after(shot, rolled("red", 0, 0), Reroll("mobilise", "red"))
    again = position_from_json(position_to_json(again))
    assert str(refused(again, rolled("red", 1), "roll.dice", "roll 2 dice, not 1").citation) == "Operation Cards"
    assert due_in(again).dice == 2
