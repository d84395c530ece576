"""Scenes of the card game: set-up, turn, cards, fights, what is set by hand, the end, and owners' decks."""

from __future__ import annotations

from collections.abc import Iterable

from companion.content import deck_drafts, decks
from companion.content.deck_draft import DeckDraft, deck_of, draft_of, new_card
from companion.scenes.generals.decks import DecksScene
from companion.scenes.generals.table import DuelTable
from companion.scenes.home.game_choice import setup_of
from companion.scenes.systems import table_of
from companion.ui.screen import Intent
from engine.generals.cards import load_deck
from engine.generals.position import Position
from engine.generals.steps import Agreed, Attack, Deploy, End, Equip, Move, Step
from tests.companion.gallery.gallery import scene
from tests.companion.touching import Hand

DECKS = {"red": "practice-cranes", "black": "practice-wolves"}
OPENING: tuple[Step, ...] = (
    Deploy("crane_captain"), End(), Deploy("pine_wall"), End(),
    Equip("long_spear", "crane_captain"), Move("crane_captain", "siege"), Deploy("crane_scout"), End(),
)  # fmt: skip
"""Three turns: red's captain stands before black's city with a spear."""


def duel(hand: Hand, steps: Iterable[Step] = (), **request: object) -> DuelTable:
    """Put a card game with these steps on the table."""
    asked = {"system": "generals", "decks": DECKS, "first": "red", "players": {"red": "Ana", "black": "Bo"}}
    match = hand.app.stage.services.games.start({**asked, **request})
    for step in steps:
        ruling = match.offer(step)
        assert ruling.legal, (step, [objection.message for objection in ruling.objections])
    table = table_of(hand.app.stage, match, hand.app.home)
    assert isinstance(table, DuelTable)
    hand.app.scene = hand.app.table = table
    return table


def agreed(position: Position, who: str, resources: int) -> Agreed:
    """Return an agreement on a side with so few resources; the rest lies in the expended zone."""
    side = position.sides[("red", "black").index(who)]
    return Agreed(who, {"resources": resources, "expended": side.expended + side.resources - resources})


@scene
def duel_setup(hand: Hand) -> None:
    hand.app.scene = setup_of("generals", hand.app.stage, hand.app.home)


@scene
def duel_setup_decks(hand: Hand) -> None:
    duel_setup(hand)
    hand.app.touch(Intent("deck", "red"))


@scene
def duel_setup_deck(hand: Hand) -> None:
    duel_setup_decks(hand)
    hand.app.touch(Intent("deck", "practice-wolves"))


@scene
def duel_setup_deck_page(hand: Hand) -> None:
    """Cards with words."""
    duel_setup_deck(hand)
    hand.app.touch(Intent("page", "", 1))


@scene
def duel_setup_first(hand: Hand) -> None:
    duel_setup(hand)
    for intent in (Intent("next"), Intent("cut", "red", 1), Intent("first", "red")):
        hand.app.touch(intent)


@scene
def duel_setup_cards(hand: Hand) -> None:
    duel_setup_first(hand)
    hand.app.touch(Intent("next"))
    hand.app.touch(Intent("did", "", 0))


@scene
def duel_first_turn(hand: Hand) -> None:
    duel(hand)


@scene
def duel_turn(hand: Hand) -> None:
    duel(
        hand,
        (*OPENING, Equip("great_axe", "pine_wall"), Attack("pine_wall", "crane_captain"), End(), Deploy("crane_scout")),
    )


@scene
def duel_deploy(hand: Hand) -> None:
    duel(hand, OPENING[:4])
    hand.app.touch(Intent("deploy"))


@scene
def duel_card(hand: Hand) -> None:
    """Show a card that is weighed up before it is played."""
    duel(hand, (*OPENING, End()))
    hand.app.touch(Intent("event"))
    hand.app.touch(Intent("card", "ambush"))


@scene
def duel_equip(hand: Hand) -> None:
    duel(hand, (*OPENING, End()))
    hand.app.touch(Intent("equip"))
    hand.app.touch(Intent("card", "foot_band"))


@scene
def duel_general(hand: Hand) -> None:
    duel(hand, OPENING)
    hand.app.touch(Intent("general", "black/pine_wall"))


@scene
def duel_attack(hand: Hand) -> None:
    duel_general(hand)
    hand.app.touch(Intent("attack", "crane_captain"))


@scene
def duel_castle(hand: Hand) -> None:
    duel(hand, (*OPENING, Move("pine_wall", "city"), End()))
    hand.app.touch(Intent("general", "red/crane_captain"))


@scene
def duel_refused(hand: Hand) -> None:
    duel(hand, (*OPENING, End()))
    hand.app.touch(Intent("general", "red/crane_captain"))
    hand.app.touch(Intent("attack"))


@scene
def duel_answered(hand: Hand) -> None:
    """Show a card that the other side may answer with a special card."""
    duel(hand, (*OPENING[:4], Deploy("crane_scout")))


@scene
def duel_special(hand: Hand) -> None:
    duel_answered(hand)
    hand.app.touch(Intent("special"))


@scene
def duel_piles(hand: Hand) -> None:
    duel(hand, OPENING)
    hand.app.touch(Intent("pile", "black"))


@scene
def duel_upkeep_loses(hand: Hand) -> None:
    table = duel(hand, OPENING)
    table.offer(agreed(table.position, "black", 0))
    hand.app.touch(Intent("end"))


@scene
def duel_by_hand(hand: Hand) -> None:
    table = duel(hand, OPENING)
    hand.app.scene = table.straight(table)
    hand.app.touch(Intent("whose", "red"))
    hand.app.touch(Intent("count", "hand", 1))


@scene
def duel_general_by_hand(hand: Hand) -> None:
    duel_by_hand(hand)
    hand.app.touch(Intent("general", "crane_captain"))


@scene
def duel_questions(hand: Hand) -> None:
    duel(hand, OPENING)
    hand.app.touch(Intent("dispute"))


@scene
def duel_score(hand: Hand) -> None:
    duel(hand, OPENING)
    hand.app.touch(Intent("score"))


@scene
def duel_end(hand: Hand) -> None:
    table = duel(hand, OPENING)
    table.match.offer(agreed(table.position, "black", 0))
    table.match.offer(End())
    hand.app.scene = table.score()


@scene
def duel_figures(hand: Hand) -> None:
    duel_end(hand)
    hand.app.touch(Intent("details"))
    hand.app.touch(Intent("figures"))


# ---- owners' decks ----------------------------------------------------------------------------------------


@scene
def decks_none(hand: Hand) -> None:
    hand.app.scene = DecksScene(hand.app.home)


@scene
def decks_own(hand: Hand) -> None:
    """One on the shelf, one unfinished."""
    decks.save_deck(deck_of(DeckDraft("ana", "Ana", draft_of(load_deck("practice-cranes")).cards)))
    draft = DeckDraft("bo", "Bo")
    deck_drafts.keep(draft.with_card(new_card(draft, "general")))
    decks_none(hand)


@scene
def decks_one(hand: Hand) -> None:
    decks_own(hand)
    hand.app.touch(Intent("deck", "ana"))


@scene
def decks_delete(hand: Hand) -> None:
    decks_one(hand)
    hand.app.touch(Intent("delete"))


@scene
def decks_copy(hand: Hand) -> None:
    decks_none(hand)
    hand.app.touch(Intent("copy"))


@scene
def decks_edit(hand: Hand) -> None:
    decks_own(hand)
    hand.app.touch(Intent("draft", "bo"))


@scene
def decks_card(hand: Hand) -> None:
    decks_edit(hand)
    hand.app.touch(Intent("card", "general"))


@scene
def decks_card_choice(hand: Hand) -> None:
    decks_card(hand)
    hand.app.touch(Intent("field", "effect.verb"))


@scene
def duel_rules(hand: Hand) -> None:
    """Show the sections of the rules."""
    duel(hand)
    hand.app.touch(Intent("rules"))


@scene
def duel_rule(hand: Hand) -> None:
    """Show the outcomes of an attack, as the attack leads to them."""
    duel(hand)
    hand.app.touch(Intent("rules", "section:attack-outcomes"))
