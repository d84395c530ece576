"""What the tests of a turn do and look at."""

from __future__ import annotations

from collections.abc import Mapping

from companion.scenes.base.consent import ConsentScene
from companion.scenes.table.board_table import BoardTable
from companion.ui import screen as scr
from companion.ui.screen import Intent
from engine.orders.steps import Step
from engine.orders.wire import step_from_json
from tests.companion.touching import Hand

TO_C4 = {"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}}

PASS = {"pass": True}


def scene(hand: Hand) -> BoardTable:
    assert isinstance(hand.app.scene, BoardTable)
    return hand.app.scene


def happened(hand: Hand, *steps: Mapping[str, object]) -> None:
    for step in steps:
        assert scene(hand).match.offer(step_from_json(step)).legal
    scene(hand).refresh()


def last(hand: Hand) -> Step:
    return scene(hand).match.steps[-1]


def changes(hand: Hand) -> dict[str, int]:
    """Return what the form changes on the map, by area."""
    return {area.name: s.change for area in hand.picture.areas for s in area.stacks if s.change}


def listed(hand: Hand) -> list[str]:
    """Return what hands are asked to do."""
    return [line.text for block in hand.screen.blocks if isinstance(block, scr.Checklist) for line in block.lines]


def prompt(screen: scr.Screen) -> str:
    heads = [block.head if isinstance(block, scr.Checklist) else block for block in screen.blocks]
    return next((block.text for block in heads if isinstance(block, scr.Prompt)), "")


def agreed(hand: Hand) -> None:
    """Both players agree."""
    assert isinstance(hand.app.scene, ConsentScene)
    for faction in ("red", "black"):
        hand.app.touch(Intent("agree", faction))
