"""Scenes of the table that is watched: what the camera says, offers and asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from companion.perception.area_questions import AreaQuestion, standing_in
from companion.perception.sync.state import TurnLaid
from companion.perception.sync.status import TableView
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.steps import Accept, Agreed, Deploy, OtherCorrections, Roll, Step
from engine.orders.turn import commanders_before_homecoming
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.gallery.rooms.modes import ALPINE, new, stands
from tests.companion.perception.seeing import Options, dice_look, reading_of, say
from tests.companion.sample_games import BOARD
from tests.companion.touching import Hand
from vision.dice.reader import DiceReading
from vision.geometry import Grid, Picture
from vision.live.preview import preview_of
from vision.live.watcher import LOST
from vision.reading.read import Reading

SHAPE = (*Grid(load_board(BOARD).size_mm).shape, 3)
GREY = np.full((480, 640, 3), 120, np.uint8)
BLIND = TableView("lost", fault=LOST, blind=True)
ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
REINFORCE = Deploy("reinforce:1", place=(("d3", "troop", 2), ("e1", "troop", 2), ("e3", "troop", 2)))


class Sights:
    """A table whose board is plain when it is empty."""

    empty = np.full(SHAPE, 90, np.uint8)

    def evidence(self, board_bgr: Picture) -> Picture:
        return np.asarray(board_bgr // 2, np.uint8)


class ShownWhere:
    """Stands for what takes today's board: a picture, where its corners were shown, and how that went."""

    placing = ""
    picture: Picture | None = None

    def __init__(self) -> None:
        self.shown: list[tuple[tuple[float, float], ...]] = []

    def see(self, *_what: object) -> bool:
        return False

    def latest(self) -> Picture | None:
        return self.picture

    def place(self, picture: Picture, corners: tuple[tuple[float, float], ...], _position: object) -> None:
        assert picture is self.picture
        self.shown.append(corners)
        self.placing = "busy"


def glimpsed(hand: Hand, glimpse: TableView) -> None:
    """Give the watch this view, long enough for it to be said."""
    for now_s in (0.0, 60.0):
        hand.app.stage.senses.monitor.update(hand.board_table.match, glimpse, now_s)


def watched(hand: Hand, reading: Reading) -> None:
    glimpsed(hand, TableView("settled", reading))


def laid(hand: Hand, *steps: Step, doubts: Mapping[str, Options] | None = None, **seen: Any) -> Hand:
    """Let the camera see the board as these steps would leave it."""
    watched(hand, reading_of(game.fold(hand.position, steps), doubts or {}, **seen))
    return hand


def doubted(faction: str, numbers: Mapping[int, float], unit: str = "troop") -> Options:
    """Numbers of units that may stand in an area, with their chances."""
    return tuple((((faction, unit, n),), chance) for n, chance in numbers.items())


RUNNER_UP = {"d5": doubted("red", {1: 0.8, 2: 0.2}), "c4": doubted("red", {2: 0.8, 1: 0.2})}
"""The eye is not quite sure of the numbers of an advance, so that there is a second turn that fits."""
MANY_FIT = {area: doubted("red", {4: 0.9, 3: 0.1}) for area in ("d3", "e1")}
"""Many numbers of a reinforcement are doubtful: several turns fit."""
TROOP = (("red", "troop", 1),)
WRONG = Agreed(
    areas=(("b3", (("black", "troop", 3),)), ("d5", TROOP), ("e4", ())),
    spaces=(("advance:c4", ("red",)),),
    to_move="red",
)
TOO_FAR = Agreed(areas=(("e1", TROOP), ("c4", TROOP)), spaces=(("advance:c4", ("red",)),), to_move="red")
MORE = Agreed(areas=(("d3", (("red", "troop", 4),)), ("e1", (("red", "troop", 3),))), to_move="black")
"""More than a legal turn."""


@scene
def disputed(hand: Hand) -> None:
    """Show the runner-up taken, while the eye is sure of one troop fewer in c4 and one more in d5."""
    start = hand.start().position
    few = reading_of(game.apply(start, replace(ADVANCE, moves=(("d5", "troop", 1),))))
    watched(hand, few)
    hand.board_table.offer(ADVANCE)
    hand.app.stage.senses.monitor.advance(TurnLaid())
    watched(hand, few)


@scene
def taken_back_on_the_board(hand: Hand) -> None:
    """Show a turn that was taken and no longer stands on the board."""
    start = hand.start().position
    laid(laid(hand, ADVANCE).press("Yes, that's right"))
    watched(hand, reading_of(start))


@scene
def both_sides_there(hand: Hand) -> None:
    """Red's troops have moved in where a black one stands, and the dice are to decide."""
    hand.start().board_table.match.offer(Agreed(areas=(("c5", (("black", "troop", 1),)),)))
    laid(hand, Deploy("advance:c5", moves=(("d5", "troop", 2),)))


def deployed(hand: Hand, turn: Deploy) -> None:
    """Show the commander of a turn come, all else as it was."""
    commanders = commanders_before_homecoming(hand.position, turn)
    watched(hand, reading_of(replace(hand.position, commanders=commanders)))


@scene
def dice_awaited(hand: Hand) -> None:
    """Show a commander that has come to shell, all else as it was: the dice are awaited."""
    black = (("black", "ship", 2),)
    hand.start().board_table.match.offer(Agreed(areas=(("c2", black), ("c3", black))))
    deployed(hand, Deploy("shell:d3"))


@scene
def drop_awaited(hand: Hand) -> None:
    """Show a commander that has come to drop troops, all else as it was: perhaps all of them were lost."""
    new(hand, ALPINE)
    troop = {"yellow": {"troop": 1}}
    stands(hand, {"a1": {"blue": {"troop": 2}}, "b5": troop, "d4": troop}, to_move="blue")
    deployed(hand, Deploy("paradrop:a1", target="d4"))


@scene
def hit_with_cards(hand: Hand) -> None:
    """Show a shell that hit, fired by a side with cards; the eye is not quite sure how much it hit."""
    besides = OtherCorrections(hands=(("red", 3),))
    hand.start().board_table.match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),), other=besides))
    shelled = (Deploy("shell:d3", target="c2"), Roll((1, 1), "red"), Accept())
    doubts = {"c2": doubted("black", {1: 0.8, 2: 0.15, 3: 0.05}, "ship")}
    laid(hand, *shelled, doubts=doubts)


@scene
def rethrown(hand: Hand) -> None:
    """Show the shell that hit, with its dice seen to be thrown three times."""
    hit_with_cards(hand)
    for reading in (DiceReading(()), *(dice_look(1, 1, move=12.0 * n) for n in range(3))):
        hand.app.stage.senses.dice.follow(hand.board_table.match, reading)
    hand.board_table.refresh()


@scene
def chosen_from(hand: Hand) -> None:
    """Of three areas the eye can't tell which got one more: none of the three turns is offered first."""
    laid(hand.start(), REINFORCE, doubts=MANY_FIT)
    understanding = hand.app.stage.senses.monitor
    say(understanding, replace(understanding.sense, choice=3))


@scene
def asked(hand: Hand) -> None:
    laid(hand.start(), ADVANCE, doubts=RUNNER_UP)
    understanding = hand.app.stage.senses.monitor
    answers = tuple((("red", "troop", n),) for n in (2, 3, 1))
    say(understanding, replace(understanding.sense, question=AreaQuestion("c4", answers)))


@scene
def much_out_of_sync(hand: Hand) -> None:
    """Seven areas are wrong, and of every other one that bears no token the eye is not sure."""
    hand.start()
    names = ("a1", "b3", "b5", "d3", "d5", "e1", "e3")
    bare = [area.name for area in hand.position.board.areas if not area.slot and area.name not in names]
    doubts = {name: ((standing_in(hand.position, name), 0.7), ((), 0.3)) for name in bare}
    wrong = Agreed(areas=tuple((name, (("black", "troop", 1),)) for name in names), to_move="red")
    laid(hand, wrong, doubts=doubts, picture=True)


@scene
def no_board_found(hand: Hand) -> None:
    watched(hand.start(), replace(reading_of(hand.position), quality=0.1))
    hand.app.touch(Intent("live"))


@scene
def said_out_of_sync(hand: Hand) -> None:
    laid(hand.start(), WRONG, covered=("a1",), picture=True).board_table.say_out_of_sync()


@scene
def diagnosed_area(hand: Hand) -> None:
    doubt = {"c4": (*doubted("red", {2: 0.6, 1: 0.3}), ((), 0.1))}
    laid(hand.start(), doubts=doubt, picture=True)
    equip(hand.app.stage, sight=Sights())
    hand.app.touch(Intent("live"))
    hand.app.touch(Intent("area", "e3"))
    assert isinstance(hand.app.scene, DiagnosisScene)
    hand.app.scene.wait()
    hand.app.scene.tick(0.0)


@scene
def board_shown_by_hand(hand: Hand) -> None:
    hand.start()
    today = ShownWhere()
    today.picture = GREY
    equip(hand.app.stage, today=today)
    glimpsed(hand, BLIND)
    hand.app.touch(Intent("live"))
    hand.press("Show its corners")


@scene
def board_not_seen(hand: Hand) -> None:
    glimpsed(hand.start(), BLIND)
    equip(hand.app.stage, view=lambda: preview_of(GREY))
    hand.app.touch(Intent("live"))


scenes_after(
    __name__,
    {
        "proposal": (lambda hand: laid(hand.start(), ADVANCE, doubts=RUNNER_UP),),
        "alternatives": (lambda hand: laid(hand.start(), REINFORCE, doubts=MANY_FIT), "3 more possible turns"),
        "out_of_sync": (lambda hand: laid(hand.start(), WRONG, covered=("a1",), picture=True),),
        # a move that is too far: the ruling, where it is written, and the way back
        "repair_ruled": (lambda hand: laid(hand.start(), TOO_FAR), "Fix it"),
        # a legal turn together with more than that turn
        "repair_beside": (lambda hand: laid(hand.start(), ADVANCE, MORE), "Fix it"),
        "doubted_area": (
            lambda hand: laid(hand.start(), doubts={"e3": (*doubted("red", {2: 0.5}), ((), 0.5))}).area("e3"),
        ),
        "camera_fault": (
            lambda hand: glimpsed(hand.start(), TableView("lost", fault="/dev/video0: the camera gave no picture")),
        ),
        # three cards were spent on that shell, of which two are named
        "rerolled": ("hit_with_cards", "Rerolled", "One more card", "One more card", "Mobilise", "Mobilise"),
        "counted": ("asked", "Something else"),
        "repair": ("out_of_sync", "Fix it"),
        "correction": ("repair", "Use the board as it is"),
        "diagnosis": ("out_of_sync", Intent("live")),
    },
)
