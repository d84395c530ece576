"""Scenes of the card game: set-up, turn, cards, fights, what is set by hand, the end, and owners' decks."""

from __future__ import annotations

from collections.abc import Iterable

from companion.content import deck_draft, decks
from companion.content.deck_draft import DeckDraft, deck_of, draft_of, new_card
from companion.scenes.generals.decks import DecksScene
from companion.scenes.generals.table import DuelTable
from companion.scenes.home.home import setup_of
from companion.scenes.systems import table_of
from companion.ui.screen import Intent
from engine.generals.cards import load_deck
from engine.generals.position import Position
from engine.generals.steps import Agreed, Attack, Deploy, End, Equip, Move, Step
from tests.companion.gallery.gallery import scene, scenes_after
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
def duel_end(hand: Hand) -> None:
    table = duel(hand, OPENING)
    table.match.offer(agreed(table.position, "black", 0))
    table.match.offer(End())
    hand.app.scene = table.score()


# ---- owners' decks ----------------------------------------------------------------------------------------


@scene
def decks_none(hand: Hand) -> None:
    hand.app.scene = DecksScene(hand.app.home)


@scene
def decks_own(hand: Hand) -> None:
    """One on the shelf, one unfinished."""
    decks.save_deck(deck_of(DeckDraft("ana", "Ana", draft_of(load_deck("practice-cranes")).cards)))
    draft = DeckDraft("bo", "Bo")
    deck_draft.keep_draft(draft.with_card(new_card(draft, "general")))
    decks_none(hand)


scenes_after(
    __name__,
    {
        "duel_setup_decks": ("duel_setup", Intent("deck", "red")),
        "duel_setup_deck": ("duel_setup_decks", Intent("deck", "practice-wolves")),
        # cards with words
        "duel_setup_deck_page": ("duel_setup_deck", Intent("page", "", 1)),
        "duel_setup_first": ("duel_setup", Intent("next"), Intent("cut", "red", 1), Intent("first", "red")),
        "duel_setup_cards": ("duel_setup_first", Intent("next"), Intent("did", "", 0)),
        "duel_first_turn": (duel,),
        "duel_turn": (
            lambda hand: duel(
                hand,
                (
                    *OPENING,
                    Equip("great_axe", "pine_wall"),
                    Attack("pine_wall", "crane_captain"),
                    End(),
                    Deploy("crane_scout"),
                ),
            ),
        ),
        "duel_deploy": (lambda hand: duel(hand, OPENING[:4]), Intent("deploy")),
        # a card that is weighed up before it is played
        "duel_card": (lambda hand: duel(hand, (*OPENING, End())), Intent("event"), Intent("card", "ambush")),
        "duel_equip": (lambda hand: duel(hand, (*OPENING, End())), Intent("equip"), Intent("card", "foot_band")),
        "duel_general": (lambda hand: duel(hand, OPENING), Intent("general", "black/pine_wall")),
        "duel_attack": ("duel_general", Intent("attack", "crane_captain")),
        "duel_castle": (
            lambda hand: duel(hand, (*OPENING, Move("pine_wall", "city"), End())),
            Intent("general", "red/crane_captain"),
        ),
        "duel_refused": (
            lambda hand: duel(hand, (*OPENING, End())),
            Intent("general", "red/crane_captain"),
            Intent("attack"),
        ),
        # a card that the other side may answer with a special card
        "duel_answered": (lambda hand: duel(hand, (*OPENING[:4], Deploy("crane_scout"))),),
        "duel_special": ("duel_answered", Intent("special")),
        "duel_piles": (lambda hand: duel(hand, OPENING), Intent("pile", "black")),
        "duel_general_by_hand": ("duel_by_hand", Intent("general", "crane_captain")),
        "duel_questions": (lambda hand: duel(hand, OPENING), Intent("dispute")),
        "duel_score": (lambda hand: duel(hand, OPENING), Intent("score")),
        "duel_figures": ("duel_end", Intent("details"), Intent("figures")),
        "decks_one": ("decks_own", Intent("deck", "ana")),
        "decks_delete": ("decks_one", Intent("delete")),
        "decks_copy": ("decks_none", Intent("copy")),
        "decks_edit": ("decks_own", Intent("draft", "bo")),
        "decks_card": ("decks_edit", Intent("card", "general")),
        "decks_card_choice": ("decks_card", Intent("field", "effect.verb")),
        # the sections of the rules
        "duel_rules": (duel, Intent("rules")),
        # the outcomes of an attack, as the attack leads to them
        "duel_rule": (duel, Intent("rules", "section:attack-outcomes")),
    },
)
