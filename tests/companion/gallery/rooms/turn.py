"""A turn at the table, from the first touch to the hands' list, and what is set by hand."""

from __future__ import annotations

from collections.abc import Mapping

from companion.scenes.orders.cards import CardsScene
from companion.ui.screen import Intent
from engine.orders.wire import step_from_json
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.touching import Hand

PASS = {"pass": True}


def played(hand: Hand, *steps: Mapping[str, object]) -> Hand:
    """Play steps that happened without a touch."""
    for record in steps:
        assert hand.board_table.match.offer(step_from_json(record)).legal
    hand.board_table.refresh()
    return hand


def fought(hand: Hand) -> Hand:
    """Red is about to attack b5; both hold cards."""
    return played(
        hand.start(),
        {"deploy": "plan:2", "draw": 2},
        {"deploy": "plan:1", "draw": 1},
        {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}},
        {"deploy": "reinforce:2", "place": {"a3": {"troop": 2}, "b3": {"troop": 3}}},
    )


@scene
def short_of_ships(hand: Hand) -> None:
    played(hand.start(), {"deploy": "embark:1", "place": {"d4": {"ship": 3}}}, PASS)
    played(hand, {"deploy": "sail:c3", "moves": {"d4": {"ship": 1}}}, *[PASS] * 7)
    played(hand, {"deploy": "embark:1", "place": {"d4": {"ship": 1}, "c3": {"ship": 2}}}, *[PASS] * 9)
    hand.press("Embark 1").count("c3", 3)


@scene
def fair_fight(hand: Hand) -> None:
    played(fought(hand), {"deploy": "reinforce:1", "place": {"c4": {"troop": 3}, "d5": {"troop": 3}}}, PASS)
    hand.area("b5").press("Ground Assault")


@scene
def quiet_window(hand: Hand) -> None:
    hand.app.stage.change(ask_cards=False)
    fought(hand)


@scene
def game_over(hand: Hand) -> None:
    hand.app.stage.change(score_at_end=False)
    played(hand.start(), *[PASS] * 40)


@scene
def other_dice(hand: Hand) -> None:
    fought(hand).area("b5").press("Deploy", "Wrong number of dice?").count("Dice", 1)


@scene
def stands_otherwise(hand: Hand) -> None:
    hand.start().area("c4").press("Deploy").area("b5").press("Board is different").count("Black troops", 1)


@scene
def side_by_hand(hand: Hand) -> None:
    fought(hand).app.touch(Intent("side", "red"))
    hand.press("Correct").count("Cards", 1)


@scene
def set_by_hand(hand: Hand) -> None:
    played(
        hand.start(),
        {"agreed": {"b5": {"black": {"troop": 4}}}, "note": "set by hand"},
        {"agreed": {}, "hands": {"red": 2}, "standby": {"black": 1}, "note": "set by hand"},
    )


def drawn(hand: Hand) -> Hand:
    """Both have drawn, and Red has spent a card."""
    return played(hand.start(), {"deploy": "plan:2", "draw": 2}, {"deploy": "plan:1", "draw": 1}, PASS)


@scene
def cards(hand: Hand) -> None:
    table = drawn(hand).board_table
    hand.app.scene = CardsScene(hand.app.stage, table.match, table)


scenes_after(
    __name__,
    {
        "turn_done": (Hand.start, Intent("area", "c4"), "Deploy"),
        "round_begins": (lambda hand: played(hand.start(), *[PASS] * 10),),
        "fight_ahead": (fought, Intent("area", "b5")),
        "defence_with_cards": ("fight_ahead", "Deploy"),
        "own_area": (Hand.start, Intent("area", "d5")),
        # both moves that were taken back, on the list and on the map
        "two_steps_put_back": (
            Hand.start,
            *(Intent("area", "c4"), "Deploy", Intent("area", "b4"), "Deploy", "Undo", "Undo"),
        ),
        "rolled_with_cards": ("defence_with_cards", Intent("die", "", 1)),
        "hands_list": ("turn_done", Intent("todo"), Intent("tick", "", 0)),
        "taken_back": ("turn_done", "Undo"),
        "suggested_troops": (Hand.start, "Reinforce 1"),
        "which_card_first": ("defence_with_cards", "Play a card"),
        "side_in_words": (fought, Intent("side", "red")),
        "round_by_hand": (fought, Intent("round")),
        "card": ("cards", Intent("card", "ambush")),
        "covered_hand": ("cards", Intent("hand", "red")),
        "own_hand": ("covered_hand", "Show", Intent("note", "ambush")),
    },
)
