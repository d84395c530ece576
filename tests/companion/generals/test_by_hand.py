"""What players set right by hand: cards move, none comes or goes, and both are asked."""

from __future__ import annotations

from functools import reduce

from companion.app.app import App
from companion.scenes.base.consent import ConsentScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.generals.by_hand import AddGeneralScene, GeneralScene, SideDraft, SideScene, WhoseScene
from companion.scenes.generals.table import DuelTable
from companion.ui.screen import Intent
from engine.generals import game
from engine.generals.steps import Agreed, Attack
from tests.companion.gallery.rooms.generals import OPENING
from tests.companion.generals.conftest import Begin
from tests.companion.touching import Hand


def by_hand(app: App, table: DuelTable, who: str) -> SideScene:
    """Open the side's numbers from the menu."""
    for intent in (Intent("menu"), Intent("straight")):
        app.touch(intent)
    assert isinstance(app.scene, WhoseScene)
    app.touch(Intent("whose", who))
    assert isinstance(app.scene, SideScene)
    return app.scene


def test_both_agree_on_other_numbers(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    by_hand(app, table, "red")
    hand.count("Hand", 2)
    assert "Total: 52 cards. The deck has 50." in hand.text()
    assert hand.button("Set by hand").look == "off"
    app.touch(Intent("record"))
    assert isinstance(app.scene, RulingScene)
    hand.press("Back").count("Resources", -2).press("Set by hand")
    assert isinstance(app.scene, ConsentScene)
    hand.consent("red", "black")
    assert table.position.sides[0].hand == 2
    last = table.match.steps[-1]
    assert isinstance(last, Agreed)
    assert "Agreed for Ana: Resources 39 and Hand 2." in table.presenter.line(last, table.position, table.people)


def test_a_general_is_put_right(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    scene = by_hand(app, table, "red")
    app.touch(Intent("general", "crane_captain"))
    assert isinstance(app.scene, GeneralScene)
    for intent in (Intent("zone", "outside"), Intent("wear", "item/"), Intent("wear", "troop/foot_band"),
                   Intent("switch", "acted"), Intent("points", "military", 1), Intent("page", "", 1)):  # fmt: skip
        app.touch(intent)
    hand.press("Back")
    row = scene.draft.generals["crane_captain"]
    right = {"zone": "outside", "item": "", "troop": "foot_band", "acted": True, "military": 1}
    assert {key: row[key] for key in right} == right
    assert scene.draft.cards == 51  # the hand was empty: a card has to come from somewhere
    app.touch(Intent("count", "resources", -1))
    step = scene.draft.step()
    assert step is not None
    assert game.judge(table.position, step).legal
    after = game.apply(table.position, step)
    fighter = after.sides[0].fighter("crane_captain")
    assert fighter is not None
    assert (fighter.zone, fighter.troop) == ("outside", "foot_band")


def test_generals_go_and_come(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    scene = by_hand(app, table, "black")
    app.touch(Intent("general", "pine_wall"))
    hand.press("Defeated")
    assert list(scene.draft.defeated) == ["pine_wall"]
    app.touch(Intent("fallen", "", 0))
    assert not scene.draft.defeated
    assert scene.draft.numbers["hand"] == 5
    hand.press("Add a general")
    assert isinstance(app.scene, AddGeneralScene)
    hand.press("Pine Wall")
    hand.press("Add a general")
    app.touch(Intent("card", "pine_wall"))
    assert list(scene.draft.generals) == ["pine_wall", "pine_wall-2"]
    assert hand.button("Pine Wall 2").note == "outside its city"
    app.touch(Intent("general", "pine_wall-2"))
    step = scene.draft.step()
    assert step is not None
    assert game.judge(table.position, step).legal
    hand.press("Back to hand")
    assert scene.draft.step() is None


def test_the_winner_by_agreement_reached_by_the_piles(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    app.touch(Intent("pile", "black"))
    hand.press("Correct")
    assert isinstance(app.scene, SideScene)
    assert app.scene.index == 1
    hand.press("Bo has won", "Bo has won").press("Bo has won", "Set by hand")
    hand.consent("red", "black")
    assert table.winner == "black"


def test_nothing_changed_is_nothing_to_record(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    scene = by_hand(app, table, "red")
    assert scene.draft == SideDraft.of(table.position, 0)
    for verb, what, n in (("record", "", 0), ("general", "nobody", 0), ("count", "nothing", 1), ("fallen", "", 3)):
        app.touch(Intent(verb, what, n))
    assert app.scene is scene
    hand.press("Cancel", "Back")
    assert app.scene is not scene


def test_a_general_is_added_only_as_often_as_there_are_labels(begin: Begin) -> None:
    draft = SideDraft.of(begin(*OPENING).position, 0)
    card = next(name for name, card in draft.deck.items() if card.kind == "general")
    full = reduce(lambda more, _nth: more.with_general(card), range(9), draft)
    assert full.with_general(card) == full


def test_a_refused_attack_is_settled_otherwise(begin: Begin) -> None:
    table = begin(*OPENING)
    presenter, position = table.presenter, table.position
    castle = presenter.settling_step(position, Attack("pine_wall"), "we play on")
    assert castle == Agreed("red", {"resources": 37, "expended": 10}, note="we play on")
    assert game.judge(position, castle).legal
    assert presenter.settling_step(position, None, "fine") == Agreed("black", note="fine")
    assert presenter.settling_step(position, Attack("pine_wall", "crane_captain"), "") is None
