"""Scenes of an argument for the gallery."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.core.language import _, language_code
from companion.demo.autoplayer import Autoplayer
from companion.evidence.pictures import Name, folder_of, keep
from companion.games.rules_search import library_of
from companion.scenes.base.rules import EntryScene, RulesScene
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.ask import AskScene, CardsAskedScene, open_answer
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.reasons import StepScene
from companion.scenes.disputes.ruling import ReadingScene, ReadingsScene, RulingScene, question_of
from companion.scenes.disputes.settle_map import SettleMapScene
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.story.game_log import chosen_lines, step_lines
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.steps import Agreed, Deploy, Step
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.gallery.rooms.modes import ALPINE, new
from tests.companion.touching import Hand

SEED = 11
STEPS = 24
_PLAYED: list[Step] = []
"""The steps of the game: to think of them takes longer than to show a scene of it."""


def under_way(hand: Hand) -> BoardTable:
    """Return the table of a game some turns old, between two turns."""
    hand.start()
    table = hand.app.scene
    assert isinstance(table, BoardTable)
    for step in _PLAYED:
        table.match.offer(step)
    player = Autoplayer(SEED)
    while len(table.match.steps) < STEPS or game.owed(table.position) is not None:
        table.match.offer(player.step(table.position))
    _PLAYED[:] = table.match.steps
    table.refresh()
    return table


def arguing(hand: Hand) -> DisputeScene:
    """Begin the argument and return its scene."""
    hand.app.scene = dispute = DisputeScene(hand.app.stage, under_way(hand))
    return dispute


def argued(make: Callable[[BoardTable, DisputeScene], Scene]) -> Callable[[Hand], None]:
    """Return what puts a scene of a table and of the argument at it on stage."""

    def put(hand: Hand) -> None:
        found = arguing(hand)
        assert isinstance(found.table, BoardTable)
        hand.app.scene = make(found.table, found)

    return put


def asked(faction: str, what: str) -> Callable[[Hand], None]:
    """Return what asks whether a side may do that."""
    return argued(lambda table, found: open_answer(table, faction, what, found))


def asked_where_cut_off(what: str) -> Callable[[Hand], None]:
    """Return what asks whether red may do that where its troops are cut off."""
    cut = Agreed(areas=(("d4", (("black", "ship", 2),)), ("d3", ()), ("e1", ())))

    def make(table: BoardTable, found: DisputeScene) -> Scene:
        table.match.offer(cut)
        return open_answer(table, "red", what, found)

    return argued(make)


def pictured_step(table: BoardTable, found: DisputeScene) -> StepScene:
    """Return a step of which a picture was kept."""
    number = list(chosen_lines(table.game_log))[1][0]
    picture = cv2.imencode(".jpg", np.full((96, 180, 3), (150, 190, 210), np.uint8))[1].tobytes()
    name = Name("turn", number + 1, table.match.mark(number + 1))
    keep(folder_of(table.match.path), name, picture, {"first": number, "areas": {}})
    return StepScene(table, number, found)


def rules(table: BoardTable, back: Scene, asked: str = "") -> RulesScene:
    """Return the rules of the board on the table, looked up by a word."""
    return RulesScene(library_of(table.match.board.mode, _, language=language_code()), back, asked)


@scene
def whatif_dice(hand: Hand) -> None:
    table = under_way(hand)
    player = Autoplayer(SEED)
    while (owed := game.owed(table.position)) is None or owed.wants != "roll":
        table.match.offer(player.step(table.position))
    hand.app.scene = WhatIfScene(ORDERS, table.position, table.match.players, DisputeScene(hand.app.stage, table))


@scene
def rules_searching(hand: Hand) -> None:
    argued(rules)(hand)
    for intent in (Intent("type"), *(Intent("type", letter) for letter in "last")):
        hand.app.touch(intent)


# ---- the two editions of World War II, where they differ ---------------------------------------------


def of_the_second_edition(hand: Hand) -> BoardTable:
    """Return a new game on a board whose rules two editions print."""
    new(hand, ALPINE)
    hand.app.stage.change(edition="pt")
    assert isinstance(hand.app.table, BoardTable)
    return hand.app.table


@scene
def ruling_of_two_editions(hand: Hand) -> None:
    table = of_the_second_edition(hand)
    position = table.match.position
    theirs = next(space for space in position.board.spaces if space.faction not in (None, position.to_move_name))
    step = Deploy(theirs.name, target=theirs.area)
    hand.app.scene = RulingScene(ORDERS, question_of(table, position, step), table)


@scene
def section_of_two_editions(hand: Hand) -> None:
    contents = rules(of_the_second_edition(hand), hand.app.scene)
    hand.app.scene = EntryScene(contents.library, "section:paradrop", contents)


scenes_after(
    __name__,
    {
        "dispute": (arguing,),
        "dispute_step": (
            argued(lambda table, found: StepScene(table, next(iter(step_lines(table.game_log)))[0], found)),
        ),
        "dispute_step_with_picture": (argued(pictured_step),),
        "dispute_why_allowed": ("dispute_step", Intent("why")),
        "dispute_may_i": (argued(AskScene),),
        "dispute_cards": (argued(lambda table, found: CardsAskedScene(table, "red", found)),),
        "dispute_area": (asked("red", "area:c4"),),
        "dispute_area_cut": (asked("black", "area:d5"),),
        "dispute_area_gap": (asked_where_cut_off("area:d2"),),
        "dispute_space_gap": (asked_where_cut_off("space:advance:d1"),),
        "dispute_space_no": (asked("red", "space:advance:b2"),),
        "dispute_space_yes": (asked("red", "space:embark:2"),),
        "dispute_card": (asked("red", "card:ambush"),),
        "dispute_shot": (asked("red", "space:bombard:c2"),),
        "dispute_readings": (argued(ReadingsScene),),
        "dispute_reading": (
            argued(lambda table, found: ReadingScene(ORDERS, "empty-target", table.position, found, table)),
        ),
        "dispute_reading_consent": ("dispute_reading", Intent("answer", "other")),
        "dispute_settle": (argued(lambda table, found: SettleMapScene(table, None, found)),),
        "dispute_settle_area": ("dispute_settle", Intent("area", "c4")),
        # what both are asked to say yes to
        "dispute_settle_agreed": (
            "dispute_settle_area",
            Intent("units", "red/troop", 1),
            Intent("close"),
            Intent("agree"),
        ),
        "dispute_settle_refused": ("dispute_space_gap", Intent("settle")),
        "whatif": (argued(lambda table, found: WhatIfScene(ORDERS, table.position, table.match.players, found)),),
        "whatif_form": ("whatif", Intent("space", "advance:b5")),
        "whatif_tried": ("whatif_form", Intent("confirm"), Intent("luck", "", 1)),
        "rules_contents": (argued(rules),),
        "rules_found": (argued(lambda table, found: rules(table, found, "suply")),),
        "rules_entry": ("rules_found", Intent("entry", "section:supply")),
        "rules_about": ("dispute_space_no", Intent("rules")),
    },
)
