"""A turn at the table, from the first touch to the hands' list, and what is set by hand."""

from __future__ import annotations

from collections.abc import Mapping

from companion.scenes.orders.cards import CardsScene
from companion.ui.screen import Intent
from engine.orders.steps import Deploy, Pass
from engine.orders.wire import step_from_json
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.touching import Hand


def played(hand: Hand, *steps: Mapping[str, object]) -> None:
    """Play steps that happened without a touch."""
    for record in steps:
        assert hand.board_table.match.offer(step_from_json(record)).legal
    hand.board_table.refresh()


def fought(hand: Hand) -> None:
    """Red is about to attack b5; both hold cards."""
    hand.start()
    played(
        hand,
        {"deploy": "plan:2", "draw": 2},
        {"deploy": "plan:1", "draw": 1},
        {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}},
        {"deploy": "reinforce:2", "place": {"a3": {"troop": 2}, "b3": {"troop": 3}}},
    )


@scene
def turn_done(hand: Hand) -> None:
    hand.start().area("c4").press("Deploy")


@scene
def short_of_ships(hand: Hand) -> None:
    hand.start()
    played(hand, {"deploy": "embark:1", "place": {"d4": {"ship": 3}}}, {"pass": True})
    played(hand, {"deploy": "sail:c3", "moves": {"d4": {"ship": 1}}}, *[{"pass": True}] * 7)
    played(hand, {"deploy": "embark:1", "place": {"d4": {"ship": 1}, "c3": {"ship": 2}}}, *[{"pass": True}] * 9)
    hand.press("Embark 1")
    for _ in range(3):
        hand.app.touch(Intent("count", "c3/ship", 1))


@scene
def fight_ahead(hand: Hand) -> None:
    fought(hand)
    hand.area("b5")


@scene
def fair_fight(hand: Hand) -> None:
    fought(hand)
    played(hand, {"deploy": "reinforce:1", "place": {"c4": {"troop": 3}, "d5": {"troop": 3}}}, {"pass": True})
    hand.area("b5").press("Ground Assault")


@scene
def defence_with_cards(hand: Hand) -> None:
    fight_ahead(hand)
    hand.press("Deploy")


@scene
def other_dice(hand: Hand) -> None:
    defence_with_cards(hand)
    hand.press("Wrong number of dice?").count("Dice", 1)


@scene
def quiet_window(hand: Hand) -> None:
    hand.app.stage.change(ask_cards=False)
    fought(hand)


@scene
def round_begins(hand: Hand) -> None:
    hand.start()
    played(hand, *[{"pass": True}] * 10)


@scene
def game_over(hand: Hand) -> None:
    hand.start()
    hand.app.stage.change(score_at_end=False)
    played(hand, *[{"pass": True}] * 40)


@scene
def stands_otherwise(hand: Hand) -> None:
    turn_done(hand)
    hand.area("b5").press("Board is different").count("Black troops", 1)


@scene
def side_by_hand(hand: Hand) -> None:
    fought(hand)
    hand.app.touch(Intent("side", "red"))
    hand.press("Correct").count("Cards", 1)


@scene
def set_by_hand(hand: Hand) -> None:
    hand.start()
    played(
        hand,
        {"agreed": {"b5": {"black": {"troop": 4}}}, "note": "set by hand"},
        {"agreed": {}, "hands": {"red": 2}, "standby": {"black": 1}, "note": "set by hand"},
    )


# ---- operation cards, all of them and a hand with made-up notes --------------------------------------


def drawn(hand: Hand) -> None:
    """Both have drawn, and Red has spent a card."""
    match = hand.start().board_table.match
    for step in (Deploy("plan:2", draw=2), Deploy("plan:1", draw=1), Pass()):
        assert match.offer(step).legal, match.offer(step)


@scene
def cards(hand: Hand) -> None:
    drawn(hand)
    hand.app.scene = CardsScene(hand.app.stage, hand.board_table.match, hand.board_table)


scenes_after(
    __name__,
    {
        "own_area": (Hand.start, Intent("area", "d5")),
        # Both moves that were taken back, on the list and on the map
        "two_steps_put_back": (
            Hand.start,
            Intent("area", "c4"),
            "Deploy",
            Intent("area", "b4"),
            "Deploy",
            "Undo",
            "Undo",
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
