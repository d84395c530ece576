"""A game against the app: how it is begun, what it announces, answers and is told."""

from __future__ import annotations

from companion.games.chance import Thrown
from companion.perception.sync.status import SyncStatus
from companion.scenes.orders.announced import AnnouncedPanel, ThinkingPanel
from companion.scenes.table.solo_table import SoloTable
from companion.ui.screen import Intent
from engine.orders.game import apply
from engine.orders.player import Reason
from engine.orders.steps import Deploy
from tests.companion.equip import equip
from tests.companion.gallery.gallery import at_home, scene, scenes_after
from tests.companion.gallery.rooms.turn import played
from tests.companion.perception.seeing import reading_of
from tests.companion.touching import TOKENS, Hand


def begun(hand: Hand, app: str = "red") -> Hand:
    """Begin a game in which the app plays this side; red has the initiative."""
    equip(hand.app.stage, chance=Thrown(1))
    hand.press("New game").intent(Intent("against", app)).intent(Intent("level", "child")).press("Next")
    hand.intent(Intent("initiative", "red"))
    for slot, token in (pair.split("/") for pair in TOKENS):
        assert hand.screen.map is not None
        hand.area(*(area.name for area in hand.screen.map.board.areas if area.slot == slot))
        hand.intent(Intent("token", token))
    return hand.press("Next", "Skip to the game")


def solo(hand: Hand) -> SoloTable:
    """Return the table of a game against the app."""
    assert isinstance(hand.board_table, SoloTable)
    return hand.board_table


@scene
def app_announces_while_own_pieces_lie(hand: Hand) -> None:
    begun(hand, "black").area("c4").press("Deploy")


@scene
def app_advances_half_done(hand: Hand) -> None:
    """Show the commander placed already, as the camera sees it, with the longest sentence that a move brings."""
    table = solo(begun(hand))
    played(hand, {"deploy": "reinforce:1", "place": {"d5": {"troop": 3}, "d3": {"troop": 3}}}, {"pass": True})
    step = Deploy("advance:c4", moves=(("d5", "troop", 4),))
    table.panel = AnnouncedPanel(table.match.position, step, "red", (Reason("takes", ("c4",), 2),))
    table.panel.todo.done_tasks = {0}


@scene
def app_reinforces_next_door(hand: Hand) -> None:
    """Of its troops one is missing and two lie in the wrong area."""
    table = solo(begun(hand))
    step = Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 2)))
    panel = table.panel = AnnouncedPanel(table.match.position, step, "red")
    laid = Deploy("reinforce:1", place=(("d3", "troop", 2), ("d5", "troop", 2)))
    panel.heed(SyncStatus("playing"), reading_of(apply(table.match.position, laid)))


@scene
def app_thinks(hand: Hand) -> None:
    table = solo(begun(hand))
    table.panel = ThinkingPanel(table.position)
    table.look = lambda: None  # type: ignore[method-assign]


@scene
def app_has_dice(hand: Hand) -> None:
    """Red attacks where the app defends."""
    begun(hand, "black")
    played(
        hand,
        {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}},
        {"deploy": "reinforce:2", "place": {"a3": {"troop": 2}, "b3": {"troop": 3}}},
        {"deploy": "advance:b5", "moves": {"c4": {"troop": 1}}},
    )


@scene
def app_is_told_its_cards(hand: Hand) -> None:
    begun(hand, "black")
    played(hand, {"pass": True}, {"deploy": "plan:2", "draw": 2}, {"pass": True})
    hand.app.touch(Intent("cards"))
    hand.app.touch(Intent("hand", "black"))


@scene
def own_turn_against_the_app(hand: Hand) -> None:
    """Both hold cards, and nobody has told the app which it has."""
    begun(hand, "black")
    played(hand, {"deploy": "plan:2", "draw": 2}, {"deploy": "plan:1", "draw": 1})


@scene
def app_plays_a_card(hand: Hand) -> None:
    own_turn_against_the_app(hand)
    table = solo(hand)
    table.stage.services.private.put(table.match, table.match.position, "black", "ambush")
    played(
        hand,
        {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}},
        {"pass": True},
        {"deploy": "reinforce:1", "place": {"c4": {"troop": 3}}},
        {"pass": True},
        {"deploy": "advance:b5", "moves": {"c4": {"troop": 4}}},
    )


scenes_after(
    __name__,
    {
        "against_the_app": (at_home, "New game", Intent("against", "black")),
        "app_temperament": (
            at_home,
            "New game",
            Intent("against", "black"),
            Intent("style"),
            Intent("commander", "gatekeeper"),
            Intent("pace", "long"),
            Intent("head-start", "troops"),
        ),
        "app_announces": (begun,),
    },
)
