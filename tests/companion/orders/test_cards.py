"""The cards scene, and the private hand that leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import App
from companion.games.position_facts import hand_size
from companion.games.private_hand import PrivateHands
from companion.scenes.orders.cards import OPEN_S, CardsScene, CoverScene, HandScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import CardBacks, Columns, DeckCard, DeckCards, Intent
from companion.view.page.canvas import PrivateScreenError, save_card, save_screen
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from tests.companion.gallery.gallery import hung, scenes
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.touching import Hand


def drawn(red: int | tuple[str, ...] = 2) -> Position:
    return game.apply(game.new_game(BOARD, "red", BONUSES), Deploy("plan:2", draw=red))


def test_a_hand_is_noted_card_by_card_and_more_than_are_held_begin_again_with_none() -> None:
    hands, position, match = PrivateHands(), drawn(), object()
    for noted in ({"ambush": 1}, {"ambush": 2}, {}):
        hands.put(match, position, "red", "ambush")
        assert hands.of(match, position, "red") == noted


def test_another_match_knows_nothing_of_it_and_notes_are_never_printed() -> None:
    hands, position, match = PrivateHands(), drawn(), object()
    hands.put(match, position, "red", "ambush")
    assert "ambush" not in repr(hands)
    assert hands.of(object(), position, "red") == {}
    hands.put(object(), position, "red", "mobilise")
    assert hands.of(match, position, "red") == {}
    hands.put(match, position, "red", "ambush")
    hands.forget()
    assert hands.of(match, position, "red") == {}


def test_a_card_that_was_played_is_noted_no_more_and_an_open_hand_needs_no_note() -> None:
    hands, position, match = PrivateHands(), drawn(), object()
    hands.put(match, position, "red", "ground_assault")
    hands.put(match, position, "red", "ambush")
    position = game.apply(position, Pass())
    position = game.apply(position, Deploy("advance:c4", moves=(("d5", "troop", 2),), cards=("ground_assault",)))
    assert hands.of(match, position, "red") == {"ambush": 1}
    assert PrivateHands().of(object(), drawn(("ambush", "mobilise")), "red") == {"ambush": 1, "mobilise": 1}


@pytest.fixture
def hand() -> Iterator[Hand]:
    with hung(scenes()["cards"]) as hand:
        yield hand


def scene_of(app: App) -> CardsScene:
    assert isinstance(app.scene, CardsScene)
    return app.scene


def test_the_cards_lead_to_each_card_and_back(hand: Hand) -> None:
    hand.press("Ambush")
    drawn = hand.blocks(Columns)[0].left
    assert drawn == (
        DeckCards((DeckCard("Ambush", None, "Advance · 3 copies", text="Roll 2 more dice in defence."),), large=True),
    )
    hand.press("Back")
    assert isinstance(hand.app.scene, CardsScene)
    hand.press("Back")
    assert isinstance(hand.app.scene, BoardTable)


def test_only_the_own_half_leads_to_the_hand_and_lifts_the_cover(hand: Hand) -> None:
    assert [button.label for button in scene_of(hand.app).show_to("black").actions] == ["Back", "My hand"]
    hand.app.touch(Intent("hand", "red", seat="black"))
    assert isinstance(hand.app.scene, CardsScene)
    hand.app.touch(Intent("hand", "red", seat="red"))
    hand.app.touch(Intent("show", seat="black"))
    assert isinstance(hand.app.scene, CoverScene)
    hand.app.touch(Intent("show", seat="red"))
    assert isinstance(hand.app.scene, HandScene)
    assert hand.screen.private


def test_the_cover_tells_nothing_and_a_note_reaches_no_file(hand: Hand) -> None:
    match = scene_of(hand.app).match
    held, before = hand_size(match.position, "red"), match.path.read_bytes()
    hand.press("Red's hand", "Show", "Ambush", "Hide")
    assert match.path.read_bytes() == before
    assert all(b"ambush" not in path.read_bytes() for path in match.path.parent.rglob("*") if path.is_file())
    assert not hand.screen.private
    told = replace(hand.screen, beside=None)  # the table's picture knows the cards of its mode
    assert "mbush" not in repr(told)
    backs = [block.count for block in hand.screen.blocks if isinstance(block, CardBacks)]
    assert backs == [held]


def test_an_open_hand_covers_itself(hand: Hand) -> None:
    hand.press("Red's hand", "Show")
    hand.app.tick(100.0)
    hand.press("Ambush")
    hand.app.tick(110.0)
    hand.app.tick(110.0 + OPEN_S - 1)
    assert isinstance(hand.app.scene, HandScene)
    hand.app.tick(110.0 + OPEN_S)
    assert isinstance(hand.app.scene, CoverScene)


def test_no_picture_of_an_open_hand_is_kept(hand: Hand, tmp_path: Path) -> None:
    hand.press("Red's hand", "Show")
    with pytest.raises(PrivateScreenError, match="own hand"):
        save_screen(hand.app, tmp_path / "hand.png")
    with pytest.raises(PrivateScreenError):
        save_card(hand.screen, tmp_path / "hand.png")
    assert list(tmp_path.iterdir()) == []


def test_in_two_halves_a_hand_is_open_in_its_own_alone_and_covers_itself(hand: Hand) -> None:
    cards = scene_of(hand.app)
    hand.app.scene = cards.back
    hand.app.stage.apply(replace(hand.app.stage.settings, layout="two"))
    hand.app.seats.own["red"] = cards
    for intent in (Intent("hand", "red", seat="red"), Intent("show", seat="red")):
        hand.app.touch(intent)
    shown = {face.seat: face.screen.private for face in hand.app.faces().faces}
    assert shown == {"red": True, "black": False}
    hand.app.tick(50.0)
    hand.app.tick(50.0 + OPEN_S)
    assert isinstance(hand.app.seats.own["red"], CoverScene)
