"""Scenes of the modes besides Rivers: choosing the board, setting up, each panel that only they have."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.chance import Thrown
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import Area, Board
from tests.companion.equip import equip
from tests.companion.gallery.gallery import at_home, scene, scenes_after
from tests.companion.gallery.rooms.begin import thrown
from tests.companion.gallery.rooms.turn import played
from tests.companion.touching import Hand

FORTRESS, ALPINE, ISLAND = "sengoku-fortress", "wwii-alpine", "wwii-island"
Force = Mapping[str, Mapping[str, int]]


def new(hand: Hand, board: str) -> Hand:
    """Begin a new game on this board, as the app's chance has it, laid already."""
    equip(hand.app.stage, chance=Thrown(3))
    hand.app.stage.change(board=board)
    return hand.press("New game", "Quick start")


def stands(hand: Hand, areas: Mapping[str, Force], **besides: object) -> Hand:
    """Both agree that this stands there, and what is told besides."""
    played(hand, {"agreed": areas, **besides})
    return hand


def home(board: Board, faction: str) -> Area:
    """Return a faction's headquarters."""
    return next(area for area in board.areas if area.hq == faction)


# ---- World War II ---------------------------------------------------------------------------------


@scene
def island_zone(hand: Hand) -> None:
    new(hand, ISLAND)
    zones = [area.name for area in hand.position.board.areas if area.kind == "air"]
    hand.area(next(zone for zone in zones if hand.position.controller(zone)))


# ---- what happens in a turn -------------------------------------------------------------------------


def beneath(hand: Hand) -> tuple[str, str]:
    """(zone, land beneath it): blue has three aircraft over its headquarters, and yellow stands there."""
    board = new(hand, ISLAND).position.board
    base = home(board, "blue")
    land = next(area for area in board.areas if area.zone == base.zone and area is not base)
    assert base.zone is not None
    force: dict[str, Force] = {base.zone: {"blue": {"aircraft": 3}}, land.name: {"yellow": {"troop": 3}}}
    stands(hand, force, to_move="blue")
    return base.zone, land.name


@scene
def alpine_barrage(hand: Hand) -> None:
    board = new(hand, ALPINE).position.board
    base = home(board, "blue")
    near = [name for name in base.adjacent if not any(name == area.name and area.start for area in board.areas)]
    stands(hand, {near[0]: {"yellow": {"troop": 4}}}, to_move="blue")
    hand.intent_live("barrage")


def with_cards(hand: Hand) -> Hand:
    """Both hold cards that nobody has named."""
    return stands(new(hand, ALPINE), {}, to_move="blue", hands={"blue": 2, "yellow": 1})


def defended(hand: Hand) -> str:
    """Yellow holds the town with its aircraft above, and blue is next to it; the town's name."""
    board = new(hand, ISLAND).position.board
    town = next(area for area in board.areas if area.printed)
    assert town.zone is not None
    over = home(board, "yellow").zone
    between = next(name for name in board.area(town.zone).adjacent if over in board.area(name).adjacent)
    force = {town.zone: {"yellow": {"aircraft": 2}}, between: {"yellow": {"aircraft": 1}}}
    near = next(name for name in town.adjacent if name in home(board, "blue").adjacent)
    troops = {town.name: {"yellow": {"troop": 3}}, near: {"blue": {"troop": 5}}}
    stands(hand, troops | force, to_move="blue")
    return town.name


@scene
def island_town(hand: Hand) -> None:
    town = defended(hand)
    played(hand, {"pass": True})
    hand.area(town)


@scene
def alpine_alone(hand: Hand) -> None:
    stands(new(hand, ALPINE), {}, to_move="yellow")
    played(hand, {"pass": True})
    hand.app.touch(Intent("did"))


@scene
def alpine_other_sides_space(hand: Hand) -> None:
    stands(new(hand, ALPINE), {}, to_move="blue")
    space = next(space for space in hand.position.board.spaces if space.faction == "yellow")
    assert space.area is not None
    hand.area(space.area)


@scene
def alpine_goes_back(hand: Hand) -> None:
    """Yellow loses the Signal Unit with no commander in the reserve."""
    board = new(hand, ALPINE).position.board
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
    board = new(hand, FORTRESS).position.board
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
    owed = game.owed(hand.press("Deploy").position)
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
        "choose_board": (at_home, "New game", Intent("boards")),
        "choose_fortress": ("choose_board", Intent("board", FORTRESS)),
        "fortress_setup": ("choose_fortress", "Back"),
        "fortress_chance": (
            thrown,
            "New game",
            Intent("boards"),
            Intent("board", FORTRESS),
            "Back",
            "Next",
            "Flip for me",
        ),
        "alpine_chance": ("choose_board", Intent("board", ALPINE), "Back", "Next"),
        "alpine_lay_beside": (
            thrown,
            *("New game", Intent("boards"), Intent("board", ALPINE), "Back", "Next"),
            *("Flip for me", "Draw at random", "Next", "Done", "Done", "Done"),
        ),
        "alpine_paradrop": (lambda hand: new(hand, ALPINE).intent_live("paradrop"),),
        "alpine_blitz": (lambda hand: with_cards(hand).intent_live("advance"), "Blitz"),
        "island_fly": (lambda hand: new(hand, ISLAND).intent_live("fly"),),
        "island_bomb": (lambda hand: hand.space(f"bomb:{beneath(hand)[0]}"),),
        "island_under_a_zone": (lambda hand: hand.area(beneath(hand)[1]),),
        "island_defence": (lambda hand: hand.area(defended(hand)), "Deploy"),
        "choose_island": ("choose_board", Intent("board", ISLAND)),
        "island_bombed": ("island_bomb", "Deploy", Intent("die", "", 1), Intent("die", "", 2)),
        "alpine_table_cards": (with_cards, "Play a card"),
        "alpine_table_card": ("alpine_table_cards", Intent("play", "blue/anti_air")),
        "alpine_card": (with_cards, "Cards", Intent("card", "anti_air")),
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
