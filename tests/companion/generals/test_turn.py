"""The turn at the table: cards, generals, fights, the other side's answers, the end of the turn."""

from __future__ import annotations

import pytest

from companion.app.app import App
from companion.scenes.base.typing import TypingScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.generals.deeds import DeedPanel
from companion.scenes.generals.duel import Duel
from companion.scenes.generals.looking import GeneralPanel, PilesPanel, ZonePanel, look
from companion.scenes.generals.table import (
    DuelCardsPanel,
    DuelTable,
    DuelTurnPanel,
    EndTurnPanel,
    OverPanel,
    ResolvePanel,
)
from companion.ui.screen import Bars, Intent, Log
from companion.ui.table_pictures import DuelPicture
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Use
from tests.companion.gallery.rooms.generals import OPENING, agreed
from tests.companion.generals.conftest import Begin
from tests.companion.touching import Hand

BOTH = {"red": "foxes", "black": "foxes"}


def touch(app: App, *intents: Intent) -> None:
    for intent in intents:
        app.touch(intent)


def picture(app: App) -> DuelPicture:
    board = app.screen().board
    assert isinstance(board, DuelPicture)
    return board


def marked(app: App) -> dict[str, str]:
    """Return what is marked on the battlefield."""
    zones = picture(app).zones
    cards = {f"{card.seat}/{card.label}": card.mark for zone in zones for card in zone.cards if card.mark}
    return cards | {zone.name: zone.mark for zone in zones if zone.mark}


def test_a_general_is_deployed_by_touching_its_card_and_a_dead_one_explains_itself(
    app: App, hand: Hand, begin: Begin
) -> None:
    table = begin()
    hand.intent(Intent("deploy"))
    assert hand.button("Crane Captain").note.startswith("cost 2 ")
    hand.press("Crane Captain")
    assert "Ana moves 2 cards from hand to the Expended zone." in hand.text()
    assert table.match.steps == (Deploy("crane_captain"),)
    assert isinstance(table.panel, DuelTurnPanel)
    assert any(isinstance(block, Log) for block in app.screen().blocks)
    begin(*OPENING)
    assert hand.button("Equip").look == "plain"
    hand.intent(Intent("deploy"))
    dead = next(button for button in hand.all_buttons() if button.look == "off" and button.intent.verb == "card")
    app.touch(dead.intent)
    assert isinstance(app.scene, RulingScene)
    assert not app.scene.question.ruling.legal


def test_equipment_goes_to_the_general_that_is_touched(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING[:4], Deploy("crane_scout"))
    touch(app, Intent("equip"))
    hand.press("Long Spear")
    assert marked(app) == {"red/crane_captain": "live", "red/crane_scout": "live"}
    assert hand.button("Equip").look == "off"
    touch(app, Intent("confirm"))
    assert isinstance(table.panel, DeedPanel)
    touch(app, Intent("general", "red/crane_scout"))
    assert table.match.steps[-1] == Equip("long_spear", "crane_scout")


def test_what_cannot_be_done_with_a_card_says_so(app: App, hand: Hand, begin: Begin, foxes: str) -> None:
    begin(decks=BOTH)
    touch(app, Intent("event"), Intent("card", "trick"))
    assert "You have no general on the battlefield." in hand.text()
    assert hand.button("Play the card").look == "off"
    begin(Deploy("fox"), Equip("cloak", "fox"), Deploy("vixen"), Deploy("vixen"), decks=BOTH)
    touch(app, Intent("equip"), Intent("card", "cloak"), Intent("name", "general/fox"))
    assert isinstance(app.scene, RulingScene)
    assert "Fox already has Cloak." in str(app.screen().blocks)


def test_a_fight_is_foretold(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    touch(app, Intent("general", "black/pine_wall"))
    assert hand.button("Attack Crane Captain").note == "4 against 6: yours is defeated"
    assert marked(app) == {"black/pine_wall": "chosen", "red/crane_captain": "target", "black/city": "live"}
    touch(app, Intent("general", "red/crane_captain"))
    assert table.match.steps == OPENING, "the own general falls: that is weighed up"
    (bars,) = hand.blocks(Bars)
    assert [(bar.label, bar.text) for bar in bars.bars] == [("Pine Wall", "4"), ("Captain", "6")]
    assert "Then: Pine Wall is defeated." in hand.text()
    hand.press("Attack")
    assert table.match.steps[-1] == Attack("pine_wall", "crane_captain")
    assert [pile.n for pile in picture(app).piles[1] if pile.kind == "defeated"] == [1]


def test_the_castle_is_attacked_by_touching_it(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING, Move("pine_wall", "city"), End())
    touch(app, Intent("general", "red/crane_captain"))
    assert hand.button("Attack the castle").note == "damage 6"
    touch(app, Intent("zone", "black/city"))
    assert table.match.steps[-1] == Attack("crane_captain")
    assert "Bo moves 6 cards from their resources to the Expended zone." in hand.text()


def test_an_attack_that_wins_is_made_at_once_and_taken_back_at_once(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING, End())
    touch(app, Intent("general", "red/crane_captain"))
    assert hand.button("Attack Pine Wall").note == "6 against 4: it is defeated"
    touch(app, Intent("attack", "pine_wall"))
    assert table.match.steps[-1] == Attack("crane_captain", "pine_wall")
    hand.press("Undo")
    assert table.match.steps == (*OPENING, End())
    touch(app, Intent("general", "red/crane_captain"), Intent("attack"))
    assert isinstance(app.scene, RulingScene), "the castle is guarded: what would help is said"
    assert "First defeat or drive off every general" in hand.text()


def test_a_general_goes_where_it_is_pointed_and_the_way_past_others_is_counted(
    app: App, hand: Hand, begin: Begin
) -> None:
    table = begin(*OPENING[:4])
    touch(app, Intent("general", "red/crane_captain"), Intent("zone", "black/outside"))
    assert table.match.steps[-1] == Move("crane_captain", "siege")
    touch(app, Intent("general", "red/crane_captain"), Intent("go", "city"))
    assert isinstance(app.scene, RulingScene)
    begin(*OPENING)
    touch(app, Intent("general", "black/pine_wall"))
    assert hand.button("Go to the opponent's city").note == "0 of 1 blocked"
    touch(app, Intent("zone", "red/outside"))
    assert "You need 1 more general outside your city." in hand.text()


def test_generals_are_found_by_zone_and_by_list(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    touch(app, Intent("zone", "black/outside"))
    assert isinstance(table.panel, ZonePanel)
    hand.press("Crane Captain")
    assert isinstance(table.panel, GeneralPanel)
    assert "Equipment: Long Spear." in hand.text()
    hand.press("Back")
    touch(app, Intent("zone", "red/outside"))
    assert "No generals here." in hand.text()
    hand.press("Back").press("Generals").press("Pine Wall")
    assert isinstance(table.panel, GeneralPanel)
    hand.press("Back")
    touch(app, Intent("pile", "black"))
    assert isinstance(table.panel, PilesPanel)
    assert "End-of-turn upkeep: 1 of 42" in hand.text()


def test_a_special_effect_is_activated(app: App, hand: Hand, begin: Begin, foxes: str) -> None:
    table = begin(Deploy("vixen"), Deploy("fox"), decks=BOTH)
    touch(app, Intent("general", "red/vixen"), Intent("effect"), Intent("name", "general/vixen"))
    assert table.match.steps[-1] == Activate("vixen", "vixen")
    card = next(card for zone in picture(app).zones for card in zone.cards if card.label == "vixen")
    assert (card.points, card.more, card.states) == ((5, 1), (2, 0), ("used", "effect"))
    touch(app, Intent("general", "red/vixen"), Intent("effect"))
    assert isinstance(app.scene, RulingScene)


def test_an_intelligence_attack_compares_intelligence(app: App, hand: Hand, begin: Begin, foxes: str) -> None:
    table = begin(Deploy("vixen"), End(), Deploy("fox"), Move("fox", "outside"), End(), decks=BOTH)
    touch(app, Intent("event"), Intent("card", "trick"))
    (bars,) = hand.blocks(Bars)
    assert (bars.title, [bar.text for bar in bars.bars]) == ("Intelligence points", ["1", "4"])
    hand.press("Play the card")
    assert table.match.steps[-1] == Use("trick", "red", "vixen", "fox")


def test_the_players_carry_a_card_out_themselves(app: App, hand: Hand, begin: Begin, foxes: str) -> None:
    table = begin(decks=BOTH)
    touch(app, Intent("event"), Intent("card", "riddle"))
    assert isinstance(table.panel, ResolvePanel)
    assert "Ask a riddle." in hand.text()
    hand.press("Undo")
    assert isinstance(table.panel, DuelTurnPanel)
    hand.press("Redo", "Done", "Undo", "Redo")
    assert isinstance(table.panel, ResolvePanel), "it is carried out anew"
    hand.press("Change Bo's cards")
    for intent in (Intent("count", "hand", -1), Intent("count", "expended", 1), Intent("record")):
        app.touch(intent)
    hand.consent("red", "black")
    assert app.scene is table
    assert table.position.sides[1].hand == 4
    assert isinstance(table.panel, ResolvePanel)
    table = begin(Deploy("fox"), decks=BOTH)
    touch(app, Intent("general", "red/fox"), Intent("effect"))
    assert isinstance(table.panel, ResolvePanel)
    assert "Guess the weather." in hand.text()
    hand.press("Done")
    assert isinstance(table.panel, DuelTurnPanel)


def test_the_other_side_answers(app: App, hand: Hand, begin: Begin, foxes: str) -> None:
    table = begin(Deploy("vixen"), Move("vixen", "outside"), decks=BOTH)
    assert table.waits_for == {"red", "black"}
    assert hand.button("Answer").note == "Bo: 1 card"
    hand.press("Answer").press("Howl")
    assert table.match.steps[-1] == Use("howl", "black")


def test_each_half_has_its_own_side_of_the_turn(app: App, begin: Begin, foxes: str) -> None:
    app.stage.change(layout="two")
    table = begin(Deploy("vixen"), Move("vixen", "outside"), decks=BOTH)
    mine, theirs = (str(table.show_to(seat).blocks) for seat in ("red", "black"))
    assert "Deploy" in mine
    assert "Deploy" not in theirs
    assert "Play a special card" in theirs
    table.touch(Intent("end", seat="black"))
    assert len(table.match.steps) == 2
    table.touch(Intent("special", seat="red"))
    assert isinstance(table.panel, DuelTurnPanel)
    table.touch(Intent("special", seat="black"))
    assert isinstance(table.panel, DuelCardsPanel)
    assert table.waits_for == {"black"}
    assert not table.listens(Intent("card", "howl", seat="red"))
    assert "Howl" not in str(table.show_to("red").blocks)
    table.touch(Intent("cancel", seat="black"))
    assert table.waits_for == {"red", "black"}


def test_the_turn_ends_at_one_touch_unless_that_loses_the_game(app: App, hand: Hand, begin: Begin) -> None:
    table = begin(*OPENING)
    assert hand.button("End turn").note == "upkeep 1"
    hand.press("End turn")
    assert table.match.steps[-1] == End()
    assert "Ana draws 1 card. Bo moves 1 card from their resources to the Expended zone." in hand.text()
    hand.press("Undo")
    table.offer(agreed(table.position, "black", 0))
    assert "Ending the turn now loses the game: upkeep 1, resources 0." in hand.text()
    hand.press("End turn")
    assert isinstance(table.panel, EndTurnPanel)
    assert "loses the game (Winning Criteria 3)" in hand.text()
    hand.press("Not yet")
    assert isinstance(table.panel, DuelTurnPanel)
    hand.press("End turn", "End turn")
    assert table.winner == "red"
    assert isinstance(table.panel, OverPanel)
    assert table.waits_for == frozenset()


def test_cards_over_the_limit_are_told_before_they_go(app: App, hand: Hand, begin: Begin) -> None:
    table = begin()
    side = table.position.sides[0]
    table.offer(Agreed("red", {"hand": 10, "resources": side.resources - 5}))
    hand.press("End turn")
    assert "2 cards over the hand limit" in hand.text()
    hand.press("End turn")
    assert table.position.sides[0].hand == 8


def test_panels_lead_to_the_rule_they_are_about(app: App, hand: Hand, begin: Begin) -> None:
    begin(*OPENING)
    for touches, title in (
        ((Intent("side", "red"),), "Upkeep"),
        ((Intent("general", "black/pine_wall"),), "Moving and blocking"),
        ((Intent("general", "black/pine_wall"), Intent("general", "red/crane_captain")), "Attack outcomes"),
        ((Intent("deploy"),), "Deployment cost"),
    ):
        touch(app, *touches)
        hand.press("The rule")
        assert hand.screen.title == title
        hand.press("Back", "Cancel" if title == "Attack outcomes" else "Back")


def test_cards_are_searched(app: App, hand: Hand, begin: Begin, foxes: str) -> None:
    table = begin(decks=BOTH)
    hand.press("Deploy", "Search")
    assert isinstance(app.scene, TypingScene)
    hand.write("vix")
    hand.press("Done")
    assert [button.label for button in hand.all_buttons() if button.intent.verb == "card"] == ["Vixen"]
    hand.press("All cards")
    assert len([button for button in hand.all_buttons() if button.intent.verb == "card"]) == 10
    table.panel = DuelTurnPanel(Duel(table.position, table.people, look))
    assert table.touch(Intent("search")) is None


@pytest.mark.parametrize("verb", ["cancel", "confirm", "go", "attack", "name", "general", "zone", "pile", "by-hand"])
def test_touches_that_mean_nothing_here_change_nothing(app: App, begin: Begin, verb: str) -> None:
    table: DuelTable = begin(*OPENING)
    for panel in (Intent("deploy"), Intent("generals"), Intent("pile", "red"), Intent("zone", "red/city")):
        table.refresh()
        touch(app, panel, Intent(verb, "nobody/at-all"))
    assert len(table.match.steps) == len(OPENING)
