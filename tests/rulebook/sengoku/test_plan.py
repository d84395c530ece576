"""Plan: cards from the deck, and with the symbol the initiative."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal, play
from engine.orders.steps import Deploy, Pass
from tests.tables import after, allowed, deploy, refused, rivers

ALL = "ambush commandeer counterattack ground_assault mobilise river_assault ship_strike shore_strike"
DECK = " ".join([ALL] * 3)


def test_one_card_at_the_first_space_and_two_at_the_second() -> None:
    spaces = legal(rivers("e3:1")).spaces
    assert (spaces["plan:1"].draw, spaces["plan:2"].draw) == (1, 2)


def test_the_cards_join_the_hand() -> None:
    position = after(rivers("e3:1", hands={"red": "mobilise"}), deploy("plan:2", "ambush mobilise"))
    assert position.hand("red") == ("ambush", "mobilise", "mobilise")


def test_hidden_cards_are_a_number() -> None:
    assert after(rivers("e3:1", hands={"red": 1}), deploy("plan:2", 2)).hand("red") == 3


@pytest.mark.parametrize(("hand", "draw"), [("ambush", 1), (1, "ambush")])
def test_a_hand_is_hidden_once_a_part_of_it_is(hand: str | int, draw: str | int) -> None:
    assert after(rivers("e3:1", hands={"red": hand}), deploy("plan:1", draw)).hand("red") == 2


def test_there_is_no_limit_to_the_hand() -> None:
    position = rivers("e3:1", hands={"red": 20})
    assert after(position, deploy("plan:2", 2)).hand("red") == 22


def test_only_cards_of_the_deck_are_drawn() -> None:
    refused(rivers("e3:1"), deploy("plan:1", "bribery"), "card.known", "bribery")


def test_no_card_is_drawn_that_is_no_longer_in_the_deck() -> None:
    position = rivers("e3:1", hands={"red": "ambush", "black": "ambush"})
    allowed(position, deploy("plan:1", "ambush"), "plan.copies", "Ambush: 1 drawn of 1 left")
    refused(position, deploy("plan:2", "ambush ambush"), "plan.copies", "Ambush: only 1 left to draw, not 2")
    spent = rivers("e3:1", discard="ambush ambush ambush")
    refused(spent, deploy("plan:1", "ambush"), "plan.copies", "no Ambush is left to draw")


def test_one_plan_space_a_player_and_round() -> None:
    position = rivers("e3:3", commanders={"plan:1": "red"})
    refused(position, deploy("plan:2", 2), "plan.one-per-round", "plan:1")
    assert "plan:2" not in legal(position).spaces
    allowed(rivers("e3:3", commanders={"plan:1": "black"}), deploy("plan:2", 2), "plan.one-per-round")


# --- the initiative ---------------------------------------------------------------------


def test_the_symbol_flips_the_marker_at_once() -> None:
    position, events = play(rivers("e3:1", initiative="black"), deploy("plan:1", 1))
    assert position.initiative_name == "red"
    assert [event.kind for event in events] == ["drew", "initiative"]


def test_whoever_has_the_initiative_keeps_it() -> None:
    position, events = play(rivers("e3:1", initiative="red"), deploy("plan:1", 1))
    assert position.initiative_name == "red"
    assert [event.kind for event in events] == ["drew"]


def test_the_other_space_leaves_it() -> None:
    assert after(rivers("e3:1", initiative="black"), deploy("plan:2", 2)).initiative_name == "black"


def test_the_order_of_turns_in_the_round_stays() -> None:
    position = after(rivers("e3:1", initiative="black", to_move="red"), deploy("plan:1", 1))
    assert position.to_move_name == "black"
    assert after(position, Pass()).to_move_name == "red"


def test_the_holder_deploys_first_in_the_next_round() -> None:
    last: dict[str, Any] = {"left": {"red": 1, "black": 1}, "standby": {"red": 4, "black": 4}}
    position = after(rivers("e3:1", initiative="black", **last), deploy("plan:1", 1), Pass())
    assert (position.round, position.to_move_name) == (3, "red")


# --- the deck ---------------------------------------------------------------------------


def test_the_discard_pile_becomes_a_new_deck_when_the_deck_is_empty() -> None:
    position = rivers("e3:1", hands={"red": 20}, discard="ambush ambush mobilise")
    step = deploy("plan:2", 2)
    allowed(position, step, "plan.short-deck", "2 cards drawn; the deck has only 1", "empty-deck")
    after_it = after(position, step)
    assert (after_it.hand("red"), after_it.discard) == (22, ())


def test_cards_of_the_discard_pile_may_then_be_drawn() -> None:
    hand = " ".join((ALL + " ").split() * 2)
    position = rivers("e3:1", hands={"red": hand}, discard=ALL)
    refused(rivers("e3:1", hands={"red": hand}, discard="ambush"), deploy("plan:1", "ambush"), "plan.copies")
    after_it = after(position, deploy("plan:1", "ambush"))
    assert after_it.discard == ()
    assert after_it.hand("red") == tuple(sorted([*hand.split(), "ambush"]))


def test_as_many_are_drawn_as_there_are() -> None:
    position = rivers("e3:1", hands={"red": 22}, discard="ambush")
    assert legal(position).spaces["plan:2"].draw == 2
    position = rivers("e3:1", hands={"red": 23})
    assert legal(position).spaces["plan:2"].draw == 1
    assert after(position, deploy("plan:2", 1)).hand("red") == 24


def test_with_no_card_left_at_all_plan_still_gives_the_initiative() -> None:
    position = rivers("e3:1", hands={"red": DECK}, initiative="black")
    after_it = after(position, Deploy("plan:1"))
    assert (after_it.initiative_name, after_it.hand("red")) == ("red", position.hand("red"))


def test_a_deck_that_just_suffices_is_not_short() -> None:
    assert refused(rivers("e3:1", hands={"red": 22}), deploy("plan:2", 1), "plan.amount").reading is None
    assert after(rivers("e3:1", hands={"red": 22}, discard=""), deploy("plan:2", 2)).hand("red") == 24


SEEN = " ".join([ALL] * 2) + " " + ALL.replace(" mobilise", "")
"""All cards but one Mobilise: it is the last card of the deck."""


def test_the_rest_of_the_deck_is_drawn_before_the_discard_pile_is_shuffled() -> None:
    position = rivers("e3:1", discard=SEEN)
    words = "draw the rest of the deck first: 1 × Mobilise"
    finding = refused(position, deploy("plan:2", "ambush ambush"), "plan.last-cards", words, "empty-deck")
    assert str(finding.citation) == "Plan"
    refused(position, deploy("plan:1", "ambush"), "plan.copies", "no Ambush is left to draw")
    allowed(position, deploy("plan:2", "mobilise ambush"), "plan.last-cards", "the rest of the deck is drawn first")
    allowed(position, deploy("plan:2", "mobilise mobilise"), "plan.last-cards")
    allowed(position, deploy("plan:2", 2), "plan.short-deck")


def test_with_a_hidden_hand_the_last_cards_may_be_any_that_are_not_seen() -> None:
    """A Mobilise and a Shore Strike are not seen: one is in the deck, the other in a hand that nobody knows."""
    position = rivers("e3:1", hands={"black": 1}, discard=SEEN.removesuffix(" shore_strike"))
    allowed(position, deploy("plan:2", "mobilise ambush"), "plan.last-cards")
    allowed(position, deploy("plan:2", "shore_strike ambush"), "plan.last-cards")
    refused(position, deploy("plan:2", "ambush ambush"), "plan.last-cards", "cards not seen yet")
