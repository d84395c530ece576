"""Scenes of the two editions of World War II: what a ruling and the rules look-up say of where they differ."""

from __future__ import annotations

from companion.core.language import _
from companion.games.rules_search import library_of
from companion.scenes.base.rules import EntryScene, RulesScene
from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.orders_presenter import ORDERS
from engine.orders.steps import Deploy
from tests.companion.gallery.gallery import scene
from tests.companion.gallery.modes import ALPINE, new
from tests.companion.review.arguing import match_of
from tests.companion.touching import Hand


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
    rules = RulesScene(library_of(match_of(hand).board.mode, _), hand.app.scene)
    hand.app.scene = EntryScene(rules.library, "section:paradrop", rules)
