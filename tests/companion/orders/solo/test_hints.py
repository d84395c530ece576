"""A hint alone against the app: always there, with the own cards that were noted, and never with the app's."""

from __future__ import annotations

from pathlib import Path

from companion.scenes.orders.hints import HintPanel
from engine.orders.steps import Deploy
from tests.companion.orders.solo.playing import SoloHand


def test_a_hint_knows_the_own_cards_that_were_noted(tmp_path: Path) -> None:
    hand = SoloHand(tmp_path / "game.jsonl")
    assert "Hint" in [button.label for button in hand.all_buttons()]
    hand.play(Deploy("plan:1", draw=1))
    match, private = hand.match, hand.table.stage.services.private
    private.put(match, match.position, "black", "ambush")
    assert hand.table.hint_position().hands == match.position.hands == (1, ())
    private.put(match, match.position, "red", "ambush")
    assert hand.table.hint_position().hands == (("ambush",), ())


def test_the_same_hint_is_there_until_more_is_known(tmp_path: Path) -> None:
    hand = SoloHand(tmp_path / "game.jsonl")
    hints, position = hand.table.hints, hand.match.position
    first = hints.at(position, position)
    assert isinstance(first, HintPanel)
    assert hints.at(position, position) is first
    hand.play(Deploy("plan:1", draw=1))
    hand.table.stage.services.private.put(hand.match, hand.match.position, "red", "ambush")
    known = hints.at(position, hand.table.hint_position())
    assert known is not first
    assert known.known.hands[0] == ("ambush",)
