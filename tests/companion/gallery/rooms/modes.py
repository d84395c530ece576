"""Scenes of the modes besides Rivers: choosing the board, setting up, each panel that only they have."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.chance import Thrown
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import Area, Board
from tests.companion.equip import equip
from tests.companion.gallery.gallery import at_home, scene, scenes_after
from tests.companion.gallery.rooms.turn import played
from tests.companion.touching import Hand

FORTRESS, ALPINE, ISLAND = "sengoku-fortress", "wwii-alpine", "wwii-island"
Force = Mapping[str, Mapping[str, int]]


def new(hand: Hand, board: str) -> None:
    """Begin a new game on this board, as the app's chance has it, laid already."""
    equip(hand.app.stage, chance=Thrown(3))
    hand.app.stage.change(board=board)
    hand.press("New game", "Quick start")


def stands(hand: Hand, areas: Mapping[str, Force], **besides: object) -> None:
    """Both agree that this stands there, and what is told besides."""
    played(hand, {"agreed": areas, **besides})


def home(board: Board, faction: str) -> Area:
    """Return a faction's headquarters."""
    return next(area for area in board.areas if area.hq == faction)


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
    hand.press("Back")


@scene
def fortress_chance(hand: Hand) -> None:
    fortress_setup(hand)
    equip(hand.app.stage, chance=Thrown(1))
    hand.press("Next", "Flip for me")


# ---- World War II ---------------------------------------------------------------------------------


@scene
def choose_island(hand: Hand) -> None:
    choose_board(hand)
    hand.intent(Intent("board", ISLAND))


@scene
def island_zone(hand: Hand) -> None:
    new(hand, ISLAND)
    zones = [area.name for area in hand.position.board.areas if area.kind == "air"]
    hand.area(next(zone for zone in zones if hand.position.controller(zone)))


@scene
def alpine_chance(hand: Hand) -> None:
    choose_board(hand)
    hand.intent(Intent("board", ALPINE))
    hand.press("Back", "Next")


@scene
def alpine_lay_beside(hand: Hand) -> None:
    equip(hand.app.stage, chance=Thrown(1))
    alpine_chance(hand)
    hand.press("Flip for me", "Draw at random", "Next", "Done", "Done", "Done")


@scene
def alpine_paradrop(hand: Hand) -> None:
    new(hand, ALPINE)
    hand.intent_live("paradrop")


@scene
def island_fly(hand: Hand) -> None:
    new(hand, ISLAND)
    hand.intent_live("fly")


# ---- what happens in a turn -------------------------------------------------------------------------


def beneath(hand: Hand, troops: int = 3) -> tuple[str, str]:
    """(zone, land beneath it): blue has three aircraft over its headquarters, and yellow stands there."""
    board = hand.position.board
    base = home(board, "blue")
    land = next(area for area in board.areas if area.zone == base.zone and area is not base)
    assert base.zone is not None
    stands(
        hand,
        {base.zone: {"blue": {"aircraft": 3}}, land.name: {"yellow": {"troop": troops}}},
        to_move="blue",
    )
    return base.zone, land.name


@scene
def island_bomb(hand: Hand) -> None:
    new(hand, ISLAND)
    zone, _land = beneath(hand)
    hand.space(f"bomb:{zone}")


@scene
def island_bombed(hand: Hand) -> None:
    island_bomb(hand)
    hand.press("Deploy").dice(1, 2)


@scene
def island_under_a_zone(hand: Hand) -> None:
    new(hand, ISLAND)
    _zone, land = beneath(hand)
    hand.area(land)


@scene
def alpine_barrage(hand: Hand) -> None:
    new(hand, ALPINE)
    board = hand.position.board
    base = home(board, "blue")
    near = [name for name in base.adjacent if not any(name == area.name and area.start for area in board.areas)]
    stands(hand, {near[0]: {"yellow": {"troop": 4}}}, to_move="blue")
    hand.intent_live("barrage")


def defended(hand: Hand) -> str:
    """Yellow holds the town with its aircraft above, and blue is next to it; the town's name."""
    new(hand, ISLAND)
    board = hand.position.board
    town = next(area for area in board.areas if area.printed)
    assert town.zone is not None
    over = home(board, "yellow").zone
    between = next(name for name in board.area(town.zone).adjacent if over in board.area(name).adjacent)
    force = {town.zone: {"yellow": {"aircraft": 2}}, between: {"yellow": {"aircraft": 1}}}
    near = next(name for name in town.adjacent if name in home(board, "blue").adjacent)
    stands(
        hand,
        {town.name: {"yellow": {"troop": 3}}, near: {"blue": {"troop": 5}}, **force},
        to_move="blue",
    )
    return town.name


@scene
def island_defence(hand: Hand) -> None:
    town = defended(hand)
    hand.area(town).press("Deploy")


@scene
def island_town(hand: Hand) -> None:
    town = defended(hand)
    played(hand, {"pass": True})
    hand.area(town)


@scene
def alpine_alone(hand: Hand) -> None:
    new(hand, ALPINE)
    stands(hand, {}, to_move="yellow")
    played(hand, {"pass": True})
    hand.app.touch(Intent("did"))


@scene
def alpine_other_sides_space(hand: Hand) -> None:
    new(hand, ALPINE)
    stands(hand, {}, to_move="blue")
    space = next(space for space in hand.position.board.spaces if space.faction == "yellow")
    assert space.area is not None
    hand.area(space.area)


def with_cards(hand: Hand) -> None:
    """Both hold cards that nobody has named."""
    new(hand, ALPINE)
    stands(hand, {}, to_move="blue", hands={"blue": 2, "yellow": 1})


@scene
def alpine_table_cards(hand: Hand) -> None:
    with_cards(hand)
    hand.press("Play a card")


@scene
def alpine_table_card(hand: Hand) -> None:
    alpine_table_cards(hand)
    hand.intent(Intent("play", "blue/anti_air"))


@scene
def alpine_card(hand: Hand) -> None:
    with_cards(hand)
    hand.press("Cards").intent(Intent("card", "anti_air"))


@scene
def alpine_blitz(hand: Hand) -> None:
    with_cards(hand)
    hand.intent_live("advance")
    hand.press("Blitz")


@scene
def alpine_goes_back(hand: Hand) -> None:
    """Yellow loses the Signal Unit with no commander in the reserve."""
    new(hand, ALPINE)
    board = hand.position.board
    slot, lost = next((area.slot, area.name) for area in board.areas if area.slot)
    theirs = way(board, home(board, "yellow").name, lost)
    near = next(name for name in board.area(lost).adjacent if name not in theirs)
    ours = way(board, home(board, "blue").name, near, theirs)
    force: dict[str, Force] = {area: {"yellow": {"troop": 1}} for area in theirs}
    force |= {area: {"blue": {"troop": 2}} for area in ours} | {near: {"blue": {"troop": 5}}}
    held = {f"advance:{theirs[0]}": ["yellow"], "plan:2": ["yellow"]}
    stands(hand, force, to_move="blue", bonuses={slot: "signal_unit"}, commanders_left={"yellow": 0}, commanders=held)
    hand.area(lost)
    if hand.app.screen().actions[-1].label != "Deploy":
        hand.space(f"advance:{lost}")
    hand.press("Deploy").dice(0).press("Confirm")


def way(board: Board, start: str, end: str, besides: Collection[str] = ()) -> list[str]:
    """Return the areas on a shortest way over land from one area to another, both included, avoiding some."""
    ways, open_ends = {start: [start]}, [start]
    while end not in ways:
        here = open_ends.pop(0)
        for name in board.area(here).adjacent:
            if name not in ways and name not in besides:
                ways[name] = [*ways[here], name]
                open_ends.append(name)
    return ways[end]


# ---- siege weapons and forts --------------------------------------------------------------------------


@scene
def fortress_siege(hand: Hand) -> None:
    new(hand, FORTRESS)
    board = hand.position.board
    space = next(
        space for space in board.spaces if space.action.dice_per == "siege" and board.area(space.area or "").start
    )
    area = board.area(space.area or "")
    who = area.start[0][0]
    foe = next(faction for faction in board.factions if faction != who)
    fort = next(name for name in area.adjacent if board.area(name).fort)
    stands(hand, {fort: {foe: {"troop": 3, "siege": 1}}, area.name: {who: {"troop": 2, "siege": 2}}}, to_move=who)
    hand.space(space.name)


@scene
def fortress_fort_defended(hand: Hand) -> None:
    fortress_siege(hand)
    hand.press("Cancel")
    board = hand.position.board
    mover = hand.position.to_move_name
    fort = next(area for area in board.areas if area.fort and mover not in hand.position.units_in(area.name)
                and hand.position.units_in(area.name))  # fmt: skip
    hand.area(fort.name).press("Deploy")


@scene
def fortress_losses(hand: Hand) -> None:
    fortress_siege(hand)
    hand.press("Deploy")
    owed = game.owed(hand.position)
    assert owed is not None
    hand.dice(*[1] * owed.dice).press("Confirm")


@scene
def fortress_set_by_hand(hand: Hand) -> None:
    new(hand, FORTRESS)
    area = next(area.name for area in hand.position.board.areas if len(area.start) > 1)
    hand.area(area).press("Board is different")


@scene
def island_set_by_hand(hand: Hand) -> None:
    new(hand, ISLAND)
    zone = next(area.name for area in hand.position.board.areas if area.kind == "air" and area.start)
    hand.area(zone).press("Board is different")


@scene
def island_rules(hand: Hand) -> None:
    hand.app.stage.change(board=ISLAND)
    hand.press("Rules")


scenes_after(
    __name__,
    {
        "fortress_lay": ("fortress_chance", "Draw at random", "Next"),
        "fortress_lay_beside": ("fortress_lay", "Done", "Done", "Done"),
        "fortress_table": (lambda hand: new(hand, FORTRESS),),
        "fortress_reinforce": (lambda hand: new(hand, FORTRESS), "Reinforce 1"),
        "alpine_table": (lambda hand: new(hand, ALPINE),),
        "island_table": (lambda hand: new(hand, ISLAND),),
        "island_take_off": (lambda hand: new(hand, ISLAND), "Take-off 1"),
        "alpine_announced": ("alpine_table_card", "Announce"),
        "island_score": (lambda hand: new(hand, ISLAND), Intent("score")),
        "island_home": (lambda hand: new(hand, ISLAND), Intent("menu"), "Home"),
        "island_saved": ("island_home", "Saved games"),
        "island_log": ("island_bombed", "Confirm", Intent("log")),
        "settings_edition": (at_home, "Settings", "Language", Intent("edition", "pt")),
    },
)
