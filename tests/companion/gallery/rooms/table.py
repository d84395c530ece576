"""Scenes of a game without a camera: home, the new game, the table with each of its panels, menu and score."""

from __future__ import annotations

from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui.screen import Intent
from engine.orders.steps import Pass
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.touching import Hand
from tests.tables import rivers


@scene
def at_home(hand: Hand) -> None:
    assert hand.screen.title == "Gunbai"


@scene
def named_players(hand: Hand) -> None:
    hand.app.stage.change(players={"red": "Ana", "black": "Takeshi"})
    idle(hand)


@scene
def idle(hand: Hand) -> None:
    hand.start()
    hand.press("Pass", "Pass")


@scene
def advance(hand: Hand) -> None:
    hand.start().area("c4")


@scene
def attack(hand: Hand) -> None:
    advance(hand)
    hand.press("Deploy", "Pass").area("b5")


@scene
def reinforce(hand: Hand) -> None:
    hand.start().press("Reinforce 1").count("e1", 2).area("d3")


@scene
def menu(hand: Hand) -> None:
    hand.start()
    hand.app.touch(Intent("menu"))


@scene
def cut_off_areas(hand: Hand) -> None:
    table = hand.start().board_table
    position = rivers("e3:3 b1:2 e4:1 c6:2", "a3:3 d1:1 c2:2", bonuses={"sun": "barracks", "moon": "war_room"})
    hand.app.scene = RulingScene(ORDERS, question_of(table, position, Pass()), table)


@scene
def demonstration(hand: Hand) -> None:
    hand.start()
    hand.app.stage.demo_on = True


@scene
def banner(hand: Hand) -> None:
    hand.start().board_table.banner = "Not saved, so not played: the disk is full. " * 3


scenes_after(
    __name__,
    {
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
