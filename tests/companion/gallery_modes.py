"""Scenes of the modes besides Rivers: choosing the board, setting up, each panel that only they have."""

from __future__ import annotations

from companion.chance import Thrown
from companion.scenes.screen import Intent
from tests.companion.gallery import scene
from tests.companion.touching import Hand

FORTRESS = "sengoku-fortress"


def new(hand: Hand, board: str) -> None:
    """A new game on this board, as the app's chance has it, laid already."""
    hand.app.stage.chance = Thrown(3)
    hand.app.stage.change(board=board)
    hand.press("New game", "Begin at once")


@scene
def choose_board(hand: Hand) -> None:
    hand.press("New game").intent(Intent("boards"))


@scene
def choose_fortress(hand: Hand) -> None:
    choose_board(hand)
    hand.intent(Intent("board", FORTRESS))


@scene
def fortress_setup(hand: Hand) -> None:
    choose_fortress(hand)
    hand.press("Done")


@scene
def fortress_chance(hand: Hand) -> None:
    fortress_setup(hand)
    hand.app.stage.chance = Thrown(1)
    hand.press("Next", "Flip it for us")


@scene
def fortress_lay(hand: Hand) -> None:
    fortress_chance(hand)
    hand.press("Draw for us", "Next")


@scene
def fortress_lay_beside(hand: Hand) -> None:
    fortress_lay(hand)
    hand.press("All there", "All there", "All there")


@scene
def fortress_table(hand: Hand) -> None:
    new(hand, FORTRESS)


@scene
def fortress_reinforce(hand: Hand) -> None:
    new(hand, FORTRESS)
    hand.press("Reinforce 1")


# ---- World War II ---------------------------------------------------------------------------------

ALPINE, ISLAND = "wwii-alpine", "wwii-island"


@scene
def choose_island(hand: Hand) -> None:
    choose_board(hand)
    hand.intent(Intent("board", ISLAND))


@scene
def alpine_table(hand: Hand) -> None:
    new(hand, ALPINE)


@scene
def island_table(hand: Hand) -> None:
    new(hand, ISLAND)


@scene
def island_zone(hand: Hand) -> None:
    new(hand, ISLAND)
    zones = [area.name for area in hand.position.board.areas if area.kind == "air"]
    hand.area(next(zone for zone in zones if hand.position.controller(zone)))


@scene
def alpine_chance(hand: Hand) -> None:
    choose_board(hand)
    hand.intent(Intent("board", ALPINE))
    hand.press("Done", "Next")


@scene
def alpine_lay_beside(hand: Hand) -> None:
    hand.app.stage.chance = Thrown(1)
    alpine_chance(hand)
    hand.press("Flip it for us", "Draw for us", "Next", "All there", "All there", "All there")


@scene
def alpine_paradrop(hand: Hand) -> None:
    new(hand, ALPINE)
    hand.intent_live("paradrop")


@scene
def alpine_barrage(hand: Hand) -> None:
    new(hand, ALPINE)
    hand.intent_live("barrage")


@scene
def island_bomb(hand: Hand) -> None:
    new(hand, ISLAND)
    hand.intent_live("bomb")


@scene
def island_fly(hand: Hand) -> None:
    new(hand, ISLAND)
    hand.intent_live("fly")


@scene
def island_take_off(hand: Hand) -> None:
    new(hand, ISLAND)
    hand.press("Take-off 1")
