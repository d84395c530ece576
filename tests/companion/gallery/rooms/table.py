"""Scenes of a game without a camera: home, the new game, the table with each of its panels, menu and score."""

from __future__ import annotations

from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui.screen import Intent
from engine.orders.steps import Pass
from tests.companion.gallery.gallery import at_home, scene, scenes_after
from tests.companion.touching import Hand
from tests.tables import rivers


def with_names(hand: Hand) -> None:
    """Begin a game whose players have names."""
    hand.app.stage.change(players={"red": "Ana", "black": "Takeshi"})
    hand.start()


@scene
def demonstration(hand: Hand) -> None:
    hand.start().app.stage.demo_on = True


@scene
def reinforce(hand: Hand) -> None:
    hand.start().press("Reinforce 1").count("e1", 2).area("d3")


@scene
def cut_off_areas(hand: Hand) -> None:
    table = hand.start().board_table
    position = rivers("e3:3 b1:2 e4:1 c6:2", "a3:3 d1:1 c2:2", bonuses={"sun": "barracks", "moon": "war_room"})
    hand.app.scene = RulingScene(ORDERS, question_of(table, position, Pass()), table)


@scene
def banner(hand: Hand) -> None:
    hand.start().board_table.banner = "Not saved, so not played: the disk is full. " * 3


scenes_after(
    __name__,
    {
        "at_home": (at_home,),
        "named_players": (with_names, "Pass", "Pass"),
        "idle": (Hand.start, "Pass", "Pass"),
        "menu": (Hand.start, Intent("menu")),
        "advance": (Hand.start, Intent("area", "c4")),
        "attack": ("advance", "Deploy", "Pass", Intent("area", "b5")),
        "area": (Hand.start, Intent("area", "c5")),
        "dice": ("attack", "Deploy", Intent("die", "", 2)),
        "shell": (Hand.start, Intent("area", "d5"), "Shell from d5", "d4"),
        "ruling": (Hand.start, Intent("space", "sail:c2")),
        "window": (
            Hand.start,
            "Plan 2",
            "Deploy",
            "Pass",
            Intent("area", "d5"),
            "Shell from d5",
            "d4",
            "Deploy",
            Intent("die", "", 1),
            Intent("die", "", 1),
            "Confirm",
        ),
        "spend": (
            Hand.start,
            "Plan 2",
            "Deploy",
            "Pass",
            Intent("space", "shell:d5"),
            "d4",
            "Deploy",
            Intent("die", "", 1),
            Intent("die", "", 1),
            "Reroll with a card",
        ),
        "plan": (Hand.start, "Plan 1"),
        "named_plan": ("plan", "Name the cards (open hands)", "Counterattack"),
        "last_page": ("ruling", Intent("page", "", -1)),
        "readings": ("menu", "More", "Unclear rules"),
        "score": ("menu", "Score now"),
        "strike": ("window", "Ship Strike", "c6"),
    },
)
