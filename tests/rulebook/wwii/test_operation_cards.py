"""World War II, Operation Cards: the three printed texts, rolling again, and cards that the players resolve."""

from __future__ import annotations

import pytest

from engine.orders.mode import load_mode
from engine.orders.position import Position
from engine.orders.steps import Play, Reroll
from engine.ruling import citing
from tests.tables import after, allowed, deploy, due_in, loads, refused, reserve, rolled, units, valley

KNOWN = {"mobilize": "place", "ground_assault": "join", "blitz": "extra"}
MODES = ("wwii-alpine", "wwii-island")


def attack(hands: dict[str, str], **more: str) -> Position:
    """Blue has moved three troops from b2 into c2, where yellow has two."""
    return after(valley("a1:3 a2:1 b2:4", hands=hands, **more), deploy("advance:c2", "b2:3"))


# --- what is known ----------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_three_cards_have_printed_texts_and_the_others_are_resolved_by_the_players(mode: str) -> None:
    cards = load_mode(mode).cards
    assert {name: card.verb for name, card in cards.items() if card.verb != "table"} == KNOWN
    for card in cards.values():
        if card.verb == "table":
            assert card.likely
            assert card.likely_from.startswith("Sengoku Jidai")
            assert card.likely not in card.text


# --- Ground Assault ---------------------------------------------------------------------


def test_ground_assault_adds_up_to_two_troops_before_the_conflict() -> None:
    start = attack({"blue": "ground_assault"})
    position = after(start, Play("ground_assault", "blue", units=2))
    assert units(position, "c2") == "blue 5 troop, yellow 2 troop"
    assert reserve(position, "blue", "troop") == reserve(start, "blue", "troop") - 2
    assert due_in(position).wants == "roll"


def test_ground_assault_does_not_come_to_a_paradrop() -> None:
    start = valley(hands={"blue": "ground_assault"})
    step = deploy("paradrop:b1", "b3", cards="ground_assault")
    refused(
        start,
        step,
        "card.moment",
        "Ground Assault can't be played now. Condition: When you Advance, before the conflict.",
    )


# --- Mobilize ---------------------------------------------------------------------------


def test_mobilize_places_up_to_two_more_troops_where_one_supplies() -> None:
    start = valley("a1:1 a2:1 c1:1", hands={"blue": "mobilize"})
    position = after(start, deploy("reinforce:2", "a1:2"), Play("mobilize", "blue", place=loads("a2:2", "troop")))
    assert (units(position, "a1"), units(position, "a2")) == ("blue 3 troop", "blue 3 troop")
    placed = after(start, deploy("reinforce:2", "a1:2"))
    refused(placed, Play("mobilize", "blue", place=loads("c1:1", "troop")), "reinforce.area", "Blue controls c1, but")
    three = Play("mobilize", "blue", place=loads("a1:1 a2:2", "troop"))
    refused(placed, three, "card.amount", "Mobilize adds up to 2, not 3")


# --- Blitz ------------------------------------------------------------------------------


def test_blitz_brings_an_extra_commander_from_standby() -> None:
    start = valley(hands={"blue": "blitz"})
    position = after(start, deploy("plan:1", 1, cards="blitz"))
    assert (position.left("blue"), position.standing_by("blue")) == (5, 3)
    assert position.commanders_on("plan:1") == ("blue",)
    assert position.discard == ("blitz",)


def test_blitz_opens_no_space_that_is_occupied() -> None:
    start = valley(hands={"blue": "blitz"}, commanders={"plan:1": "yellow"})
    refused(start, deploy("plan:1", 1, cards="blitz"), "space.occupied", "plan:1 is already taken by Yellow")


# --- rolling again ----------------------------------------------------------------------


def test_nobody_makes_the_opponent_roll_again() -> None:
    position = after(attack({"blue": "blitz", "yellow": "blitz"}), rolled("yellow", 2))
    finding = refused(
        position, Reroll("blitz", "blue"), "reroll.own", "only Yellow may reroll these dice", "Portuguese edition"
    )
    assert finding.differs
    with citing("pt"):
        assert str(finding.citation) == "Cartas de Operação"


# --- the same effect once a turn --------------------------------------------------------


def test_several_effects_in_a_turn_but_not_the_same_one_twice() -> None:
    start = valley("a1:3 a2:1 b2:4", hands={"blue": "ground_assault ground_assault blitz"})
    step = deploy("advance:c2", "b2:3 reserve:2", cards="blitz ground_assault")
    position = after(start, step)
    assert (position.standing_by("blue"), units(position, "c2")) == (3, "blue 5 troop, yellow 2 troop")
    refused(position, Play("ground_assault", "blue", units=1), "card.once-per-turn")
    twice = deploy("advance:c2", "b2:3", cards="ground_assault ground_assault")
    finding = refused(
        start, twice, "card.same-twice", "Ground Assault is played twice", "Ground Assault is played twice"
    )
    assert finding.differs


# --- cards whose text is unknown --------------------------------------------------------


@pytest.mark.parametrize("by", ["blue", "yellow"])
def test_a_card_of_unknown_text_may_be_announced_by_either_player_in_a_turn(by: str) -> None:
    position = attack({by: "ambush"})
    assert (by, "ambush") in set(due_in(position).cards)
    position = after(position, Play("ambush", by))
    assert position.discard == ("ambush",)
    assert position.hand(by) == ()


def test_it_holds_no_window_open() -> None:
    position = after(valley(hands={"blue": "ambush"}), deploy("advance:b2", "a2:1"))
    assert position.to_move_name == "yellow"


def test_after_one_was_played_the_roll_may_have_another_number_of_dice() -> None:
    position = after(attack({"yellow": "ambush"}), Play("ambush", "yellow"))
    assert due_in(position).loose
    allowed(position, rolled("yellow", 1, 1, 1), "roll.face", "1 is on the dice")
    assert units(after(position, rolled("yellow", 1, 1, 1)), "c2") == "yellow 2 troop"
