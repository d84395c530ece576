"""Scenes of an argument for the gallery."""

from __future__ import annotations

import cv2
import numpy as np

from companion.core.language import _, language_code
from companion.demo.autoplayer import Autoplayer
from companion.evidence.pictures import Name, folder_of, keep
from companion.games.match import Match
from companion.games.rules_search import library_of
from companion.scenes.base.rules import EntryScene, RulesScene
from companion.scenes.disputes.ask import AskScene, CardsAskedScene, ask
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
from tests.companion.review.arguing import match_of
from tests.companion.touching import Hand

SEED = 11
STEPS = 24
_PLAYED: dict[int, tuple[Step, ...]] = {}
"""The steps of a game of so many: to think of them takes longer than to show a scene of it."""


def under_way(hand: Hand, steps: int = STEPS) -> tuple[BoardTable, Match]:
    """Return a game some turns old, between two turns, and its table."""
    hand.start()
    table = hand.app.scene
    assert isinstance(table, BoardTable)
    for step in _PLAYED.get(steps, ()):
        table.match.offer(step)
    player = Autoplayer(SEED)
    while len(table.match.steps) < steps or game.owed(table.match.position) is not None:
        table.match.offer(player.step(table.match.position))
    _PLAYED[steps] = table.match.steps
    table.refresh()
    return table, table.match


def arguing(hand: Hand) -> DisputeScene:
    """Begin the argument and return its scene."""
    table, _match = under_way(hand)
    dispute = DisputeScene(hand.app.stage, table)
    hand.app.scene = dispute
    return dispute


def table_of(dispute: DisputeScene) -> BoardTable:
    assert isinstance(dispute.table, BoardTable)
    return dispute.table


@scene
def dispute(hand: Hand) -> None:
    arguing(hand)


@scene
def dispute_step(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = StepScene(table_of(found), next(iter(step_lines(table_of(found).game_log)))[0], found)


@scene
def dispute_step_with_picture(hand: Hand) -> None:
    found = arguing(hand)
    number = list(chosen_lines(table_of(found).game_log))[1][0]
    picture = cv2.imencode(".jpg", np.full((96, 180, 3), (150, 190, 210), np.uint8))[1].tobytes()
    name = Name("turn", number + 1, table_of(found).match.mark(number + 1))
    keep(folder_of(table_of(found).match.path), name, picture, {"first": number, "areas": {}})
    hand.app.scene = StepScene(table_of(found), number, found)


@scene
def dispute_may_i(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = AskScene(table_of(found), found)


@scene
def dispute_cards(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = CardsAskedScene(table_of(found), "red", found)


def _asked(hand: Hand, faction: str, what: str) -> None:
    found = arguing(hand)
    hand.app.scene = ask(table_of(found), faction, what, found)


def _cut_off(hand: Hand) -> DisputeScene:
    found = arguing(hand)
    table_of(found).match.offer(Agreed(areas=(("d4", (("black", "ship", 2),)), ("d3", ()), ("e1", ()))))
    return found


@scene
def dispute_area_gap(hand: Hand) -> None:
    found = _cut_off(hand)
    hand.app.scene = ask(table_of(found), "red", "area:d2", found)


@scene
def dispute_space_gap(hand: Hand) -> None:
    found = _cut_off(hand)
    hand.app.scene = ask(table_of(found), "red", "space:advance:d1", found)


@scene
def dispute_readings(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = ReadingsScene(table_of(found), found)


@scene
def dispute_reading(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = ReadingScene(ORDERS, "empty-target", table_of(found).position, found, table_of(found))


@scene
def dispute_settle(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = SettleMapScene(table_of(found), None, found)


@scene
def whatif(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = WhatIfScene(ORDERS, table_of(found).match.position, table_of(found).match.players, found)


@scene
def whatif_dice(hand: Hand) -> None:
    table, match = under_way(hand)
    player = Autoplayer(SEED)
    while (owed := game.owed(match.position)) is None or owed.wants != "roll":
        match.offer(player.step(match.position))
    hand.app.scene = WhatIfScene(ORDERS, match.position, match.players, DisputeScene(hand.app.stage, table))


@scene
def rules_contents(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = RulesScene(library_of(table_of(found).match.board.mode, _, language=language_code()), found)


@scene
def rules_found(hand: Hand) -> None:
    found = arguing(hand)
    hand.app.scene = RulesScene(
        library_of(table_of(found).match.board.mode, _, language=language_code()), found, "suply"
    )


@scene
def rules_searching(hand: Hand) -> None:
    rules_contents(hand)
    hand.app.touch(Intent("type"))
    for letter in "last":
        hand.app.touch(Intent("type", letter))


# ---- the two editions of World War II, where they differ ---------------------------------------------


@scene
def ruling_of_two_editions(hand: Hand) -> None:
    new(hand, ALPINE)
    hand.app.stage.change(edition="pt")
    table = hand.app.table
    assert isinstance(table, BoardTable)
    position = match_of(hand).position
    theirs = next(space for space in position.board.spaces if space.faction not in (None, position.to_move_name))
    step = Deploy(theirs.name, target=theirs.area)
    hand.app.scene = RulingScene(ORDERS, question_of(table, position, step), table)


@scene
def section_of_two_editions(hand: Hand) -> None:
    new(hand, ALPINE)
    hand.app.stage.change(edition="pt")
    table = hand.app.table
    assert isinstance(table, BoardTable)
    rules = RulesScene(library_of(match_of(hand).board.mode, _, language=language_code()), hand.app.scene)
    hand.app.scene = EntryScene(rules.library, "section:paradrop", rules)


scenes_after(
    __name__,
    {
        "dispute_why_allowed": ("dispute_step", Intent("why")),
        "dispute_area": (lambda hand: _asked(hand, "red", "area:c4"),),
        "dispute_area_cut": (lambda hand: _asked(hand, "black", "area:d5"),),
        "dispute_settle_refused": ("dispute_space_gap", Intent("settle")),
        "dispute_space_no": (lambda hand: _asked(hand, "red", "space:advance:b2"),),
        "dispute_space_yes": (lambda hand: _asked(hand, "red", "space:embark:2"),),
        "dispute_card": (lambda hand: _asked(hand, "red", "card:ambush"),),
        "dispute_shot": (lambda hand: _asked(hand, "red", "space:bombard:c2"),),
        "dispute_reading_consent": ("dispute_reading", Intent("answer", "other")),
        "dispute_settle_area": ("dispute_settle", Intent("area", "c4")),
        # what both are asked to say yes to
        "dispute_settle_agreed": (
            "dispute_settle_area",
            Intent("units", "red/troop", 1),
            Intent("close"),
            Intent("agree"),
        ),
        "whatif_form": ("whatif", Intent("space", "advance:b5")),
        "whatif_tried": ("whatif_form", Intent("confirm"), Intent("luck", "", 1)),
        "rules_entry": ("rules_found", Intent("entry", "section:supply")),
        "rules_about": ("dispute_space_no", Intent("rules")),
    },
)
